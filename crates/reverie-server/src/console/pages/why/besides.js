// Who else speaks in the same prompt, and which conversations are opened to it?

import { h, replace } from "../../dom.js";
import { field } from "../../parts/dialog.js";
import { t } from "../../words.js";

const MOST_VOICES = 40;

/**
 * `who()` is about to speak; `names` tells of conversations what they are called. The result has `voices()`, `also()` and `draw()`, which is
 * called when somebody else is about to speak. `changed()` is told of every change.
 */
export function besides({ cast, people, conversations, names, query, who, changed }) {
  const voices = new Set(query.getAll("with").filter((id) => cast.byId.has(id)));
  const also = new Set(query.getAll("also"));

  const chips = (ids, label, leave) => [...ids].map((id) => h("span", { class: "chip accent" }, label(id), " ",
    h("button", { type: "button", class: "quiet chip-close", "aria-label": t("why.takeAway", { name: label(id) }), onclick: () => { leave(id); draw(); changed(); } }, "×")));
  const talkName = (id) => {
    const talk = conversations.find((one) => one.id === id);
    return talk ? names(talk) : id;
  };
  const adding = (set) => (event) => {
    if (event.target.value) set.add(event.target.value);
    draw();
    event.target.focus();
    changed();
  };
  const addVoice = h("select", { onchange: adding(voices) });
  const addTalk = h("select", { onchange: adding(also) });
  const otherTalk = h("input", { type: "text", autocomplete: "off", onchange: () => {
    if (otherTalk.value.trim()) also.add(otherTalk.value.trim());
    otherTalk.value = "";
    draw();
    changed();
  } });
  const chosenVoices = h("p", { class: "bar chosen" });
  const chosenTalks = h("p", { class: "bar chosen" });

  function draw() {
    voices.delete(who());
    const options = (all, first) => [h("option", { value: "" }, t(first)), all.map(([value, label]) => h("option", { value }, label))];
    replace(addVoice, options(people.filter((one) => one.id !== who() && !voices.has(one.id)).map((one) => [one.id, cast.name(one.id)]), "why.addVoice"));
    replace(addTalk, options(conversations.filter((talk) => !also.has(talk.id)).map((talk) => [talk.id, names(talk)]), "why.addTalk"));
    addVoice.disabled = voices.size >= MOST_VOICES;
    replace(chosenVoices, chips(voices, cast.name, (id) => voices.delete(id)));
    replace(chosenTalks, chips(also, talkName, (id) => also.delete(id)));
  }
  draw();
  const element = h("details", { class: "besides", open: voices.size + also.size > 0 }, h("summary", {}, t("why.besides")),
    h("div", { class: "fields" },
      h("div", {}, field(t("why.voices"), addVoice, t("why.voicesHint")), chosenVoices),
      h("div", {}, field(t("why.also"), addTalk, t("why.alsoHint")), field(t("why.alsoId"), otherTalk), chosenTalks)));
  return { element, draw, voices: () => [...voices], also: () => [...also] };
}
