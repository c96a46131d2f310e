// Who is about to speak, where, and what is said to them?

import { h, replace } from "../../dom.js";
import { field } from "../../parts/dialog.js";
import { icon } from "../../parts/icon.js";
import { talkName } from "../../parts/talk-name.js";
import { listed, t } from "../../words.js";
import { besides } from "./besides.js";

const AMONG = "\u0000among";
const NOWHERE = "\u0000nowhere";
const OTHER = "\u0000other";

/** `conversations` may be some of many. `changed(isNow)` is told of every change; `renew()` offers who and what came meanwhile. */
export function cueForm({ cast, conversations, hasMore, query, changed }) {
  const people = [];
  const fillPeople = () => people.splice(0, people.length, ...cast.characters.filter((one) => one.kind !== "narrator"));
  fillPeople();
  const option = (value, label, chosen) => h("option", { value, selected: value === chosen }, label);
  const asked = query.get("character");
  const withTalk = people.find((one) => conversations.some((talk) => talk.present.includes(one.id) && one.persona));
  const first = people.some((one) => one.id === asked) ? asked : (withTalk ?? people[0]).id;

  const character = h("select", { onchange: () => { fillPlaces(); others.draw(); changed(true); } });
  const fillCharacters = (chosen) => replace(character, people.map((one) => option(one.id, cast.name(one.id), chosen)));
  fillCharacters(first);
  const place = h("select", { onchange: () => { fillSpeakers(); changed(true); } });
  const placeId = h("input", { type: "text", onchange: () => changed(true), value: query.get("conversation") ?? "" });
  const otherPlace = field(t("why.placeId"), placeId);
  const boxes = new Map();
  const among = h("fieldset", { class: "among" });
  function fillAmong() {
    const kept = new Map(boxes);
    boxes.clear();
    for (const { id } of people) boxes.set(id, kept.get(id) ?? h("input", { type: "checkbox", value: id, onchange: () => { fillSpeakers(); changed(true); } }));
    replace(among, h("legend", {}, t("why.among")), people.map((one) => h("label", { class: "check" }, boxes.get(one.id), h("span", {}, cast.name(one.id)))));
  }
  fillAmong();
  const speaker = h("select", { onchange: () => changed(true) });
  const message = h("textarea", { rows: 2, "aria-label": t("why.message"), value: query.get("message") ?? "", oninput: () => changed(false), onkeydown: (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) changed(true);
  } });
  const more = Object.fromEntries(["scenePlace", "sceneTime", "sceneEvent", "mood", "tick", "budget"].map((name) => [name, h("input", {
    type: ["tick", "budget"].includes(name) ? "number" : "text", value: query.get(name) ?? "", oninput: () => changed(false),
  })]));

  const nameOfTalk = (talk) => {
    const [called, who] = [talkName(talk, cast.name), listed(talk.participants.map(cast.name))];
    return who && !called.startsWith(who) ? t("why.talkOf", { name: called, who }) : called;
  };

  const others = besides({ cast, people, conversations, names: nameOfTalk, query, who: () => character.value, changed: () => { fillSpeakers(); changed(true); } });

  function fillPlaces() {
    const chosen = place.value || query.get("conversation");
    const here = conversations.filter((talk) => talk.participants.includes(character.value) || talk.present.includes(character.value));
    const rest = conversations.filter((talk) => !here.includes(talk));
    const all = [...here, ...rest];
    const best = all.some((talk) => talk.id === chosen) || [AMONG, NOWHERE, OTHER].includes(chosen) ? chosen : query.get("conversation") && !place.value ? OTHER : here[0]?.id ?? NOWHERE;
    replace(place, all.map((talk) => option(talk.id, nameOfTalk(talk), best)),
      option(AMONG, t("why.placeAmong"), best), option(NOWHERE, t("why.placeNowhere"), best), (hasMore || best === OTHER) && option(OTHER, t("why.placeOther"), best));
    for (const [id, box] of boxes) box.disabled = id === character.value;
    boxes.get(character.value).checked = true;
    fillSpeakers();
  }

  const present = () => {
    // Whoever speaks is there.
    if (place.value === AMONG) return [...boxes].filter(([id, box]) => box.checked || others.voices().includes(id)).map(([id]) => id);
    return conversations.find((talk) => talk.id === place.value)?.present ?? people.map((one) => one.id);
  };

  function fillSpeakers() {
    const chosen = speaker.value || query.get("speaker");
    const heard = present().filter((id) => id !== character.value && !others.voices().includes(id));
    replace(speaker, option("", t("why.somebody"), chosen), heard.map((id) => option(id, cast.name(id), chosen)));
    among.hidden = place.value !== AMONG;
    otherPlace.hidden = place.value !== OTHER;
  }

  /** The cue, as the API takes it. */
  function read() {
    const said = message.value.trim();
    const text = (name) => more[name].value.trim() || undefined;
    const whole = (name) => (more[name].value === "" ? undefined : Number(more[name].value));
    const scene = { place: text("scenePlace"), time: text("sceneTime"), event: text("sceneEvent") };
    const where = place.value === AMONG ? { participants: present() } : place.value === NOWHERE ? { history: [] } : { conversation: place.value === OTHER ? placeId.value.trim() : place.value };
    return {
      character: character.value,
      with: others.voices().length ? others.voices() : undefined,
      also: others.also().length ? others.also() : undefined,
      ...where,
      message: said ? (speaker.value ? { content: said, speaker: speaker.value } : said) : undefined,
      scene: Object.values(scene).some(Boolean) ? scene : undefined,
      mood: text("mood")?.split(/[,，、]/).map((one) => one.trim()).filter(Boolean),
      tick: whole("tick"),
      budget: whole("budget"),
    };
  }

  /** What belongs into the address of the page. */
  const address = () => ({
    character: character.value,
    conversation: place.value === OTHER ? placeId.value : place.value.startsWith("\u0000") ? undefined : place.value,
    with: others.voices(),
    also: others.also(),
    speaker: speaker.value,
    message: message.value,
    ...Object.fromEntries(Object.entries(more).map(([name, box]) => [name, box.value])),
  });

  function renew() {
    const focus = document.activeElement;
    fillPeople();
    fillCharacters(character.value);
    fillAmong();
    fillPlaces();
    others.draw();
    if (element.contains(focus)) focus.focus({ preventScroll: true });
  }

  fillPlaces();
  const element = h("form", { class: "card cue", onsubmit: (event) => { event.preventDefault(); changed(true); } },
    h("div", { class: "fields" }, field(t("why.character"), character), field(t("why.place"), place), otherPlace, field(t("why.speaker"), speaker)),
    among,
    field(t("why.message"), message, t("why.messageHint")),
    others.element,
    h("details", { open: Object.values(more).some((box) => box.value !== "") }, h("summary", {}, t("why.scene")),
      h("div", { class: "fields" }, Object.entries(more).map(([name, box]) => field(t(`why.${name}`), box, name === "mood" && t("why.moodHint"))))),
    h("p", { class: "actions" }, h("button", { type: "submit", class: "primary" }, icon("eye"), t("why.show"))));
  return { element, read, address, renew, character: () => character.value };
}
