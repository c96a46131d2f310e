// A line written by hand, as whoever should have said it.

import { at, post } from "../../api.js";
import { h, replace } from "../../dom.js";
import { field } from "../../parts/dialog.js";
import { draftKey, drafts as shelf } from "../../parts/drafts.js";
import { icon } from "../../parts/icon.js";
import { guarded, say } from "../../parts/toast.js";
import { noted } from "../../parts/trouble.js";
import { listed, t } from "../../words.js";

/**
 * What is being written, by conversation, for as long as the console is open: all of it, and to whom. A whisper that came back as a line
 * for everybody would be recorded as one. `heardBy`: those whom the writer chose; absent: whoever is there.
 */
const drafts = shelf((draft) => Boolean(draft.content?.trim() || draft.action?.trim()));

const freshKey = () => `console-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;

/** `lastOf(character)` is what that one said last here, as far as it is known. `written(recorded, instead)` hears what was recorded; if it is another version, of which line, and where the path ended before. */
export function composer({ world, conversation, names, present, head, lastOf, written }) {
  const path = at`/v1/worlds/${world}/conversations/${conversation.id}/lines`;
  const draft = drafts.get(draftKey(world, conversation.id)) ?? {};
  drafts.set(draftKey(world, conversation.id), draft);

  const people = () => [...names.characters].sort((a, b) => Number(present().includes(b.id)) - Number(present().includes(a.id)));
  const keep = () => Object.assign(draft, {
    speaker: speaker.value, newName: newName.value, attribute: isChosen ? attribute.value : undefined, content: content.value, action: action.value, emotion: emotion.value, tick: tick.value, isHidden: isHidden.checked,
  });
  const speaker = h("select", { "aria-label": t("talk.speaker"), onchange: () => { isChosen = false; attribute.value = defaultAttribute(); keep(); tellName(); } });
  const fillPeople = (chosen) => replace(speaker, people().map((one) => h("option", { value: one.id, selected: one.id === chosen }, one.display_name || one.id)),
    h("option", { value: "", selected: chosen === "" }, t("talk.somebodyNew")));
  fillPeople(draft.speaker);
  const newName = h("input", { type: "text", "aria-label": t("talk.newName"), placeholder: t("talk.newName"), value: draft.newName ?? "", hidden: true, oninput: keep });
  const tellName = () => { newName.hidden = speaker.value !== ""; };
  /** As he spoke last; who has not spoken is a character that is played if there is a card for it. */
  const defaultAttribute = () => lastOf(speaker.value)?.attribute ?? (names.byId.get(speaker.value)?.persona || names.byId.get(speaker.value)?.kind === "narrator" ? "assistant" : "user");
  let isChosen = Boolean(draft.attribute);
  const attribute = h("select", { "aria-label": t("talk.attribute"), onchange: () => { isChosen = true; keep(); } }, ["user", "assistant", "system"].map((one) => h("option", { value: one, selected: one === draft.attribute }, t(`talk.attribute.${one}`))));
  if (!isChosen) attribute.value = defaultAttribute();
  const content = h("textarea", { rows: 2, "aria-label": t("talk.write"), placeholder: t("talk.writeHere"), value: draft.content ?? "", oninput: keep,
    onkeydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) { event.preventDefault(); form.requestSubmit(); } } });
  const emotion = h("input", { type: "text", value: draft.emotion ?? "", oninput: keep });
  const action = h("input", { type: "text", value: draft.action ?? "", oninput: keep });
  const tick = h("input", { type: "number", step: 1, value: draft.tick ?? "", oninput: keep });
  const isHidden = h("input", { type: "checkbox", checked: draft.isHidden ?? false, onchange: keep });
  const whisperTo = h("div", { class: "bar" });
  const whisper = h("p", { class: "hint whisper-note", role: "status", hidden: true });
  const note = h("p", { class: "hint beside", hidden: true });

  const hears = (id) => !draft.heardBy || draft.heardBy.includes(id);
  function drawWhisper() {
    const at = whisperTo.contains(document.activeElement) ? document.activeElement.value : null;
    replace(whisperTo, present().map((id) => h("label", { class: "check" }, h("input", { type: "checkbox", value: id, checked: hears(id), onchange: choose }), h("span", {}, names.name(id)))));
    [...whisperTo.querySelectorAll("input")].find((box) => box.value === at)?.focus();
    tellWhisper();
  }
  function choose() {
    const boxes = [...whisperTo.querySelectorAll("input")];
    draft.heardBy = boxes.every((box) => box.checked) ? undefined : boxes.filter((box) => box.checked).map((box) => box.value);
    tellWhisper();
  }
  /** Seen also while the boxes are folded away, and when somebody joins who was not chosen. */
  function tellWhisper() {
    const [to, without] = [present().filter(hears), present().filter((id) => !hears(id))];
    whisper.hidden = !draft.heardBy;
    replace(whisper, draft.heardBy && [
      without.length === 0 ? t("talk.whisperAll", { names: listed(to.map(names.name)) })
        : to.length === 0 ? t("talk.whisperNobody", { names: listed(without.map(names.name)) })
        : t("talk.whisperTo", { names: listed(to.map(names.name)), others: listed(without.map(names.name)) }),
      " ", h("button", { type: "button", class: "quiet", onclick: () => { draft.heardBy = undefined; drawWhisper(); content.focus(); } }, t("talk.whisperNot"))]);
  }

  /** Another version is for those who heard the line: that of a whisper is a whisper. */
  function besides(line) {
    if (draft.beside?.isWhisper) draft.heardBy = undefined;
    const isWhisper = Boolean(line) && present().some((id) => !line.witnesses.includes(id));
    draft.beside = line ? { id: line.id, content: line.content, isWhisper } : undefined;
    if (isWhisper) draft.heardBy = present().filter((id) => line.witnesses.includes(id));
    drawWhisper();
    tellBeside();
    if (!line) return;
    if (line.speaker) speaker.value = line.speaker;
    attribute.value = line.attribute;
    isChosen = true;
    keep();
    tellName();
    content.focus();
  }
  function tellBeside() {
    note.hidden = !draft.beside;
    replace(note, draft.beside && [t("talk.besides", { words: draft.beside.content.slice(0, 80) }), " ", h("button", { type: "button", class: "quiet", onclick: () => besides(null) }, t("talk.besidesNot"))]);
  }

  const send = guarded(async () => {
    const line = { attribute: attribute.value, content: content.value };
    if (speaker.value) line.speaker = speaker.value;
    else line.display_name = newName.value.trim();
    if (!line.content.trim() && !action.value.trim()) return content.focus();
    if (!line.speaker && !line.display_name) return newName.focus();
    if (emotion.value.trim()) line.emotion = emotion.value.trim();
    if (action.value.trim()) line.action = action.value.trim();
    if (tick.value !== "") line.tick = Number(tick.value);
    if (isHidden.checked) line.hidden = true;
    if (draft.heardBy) line.witnesses = present().filter(hears);
    // The same key until it is known to be recorded: a second try does not say it twice.
    draft.key ??= { key: freshKey(), of: JSON.stringify(line) };
    if (draft.key.of !== JSON.stringify(line)) draft.key = { key: freshKey(), of: JSON.stringify(line) };
    const instead = draft.beside && { version: draft.beside.id, end: head() };
    const recorded = await post(path, { key: draft.key.key, lines: [line], swipe_of: draft.beside?.id });
    for (const input of [content, emotion, action, tick]) input.value = "";
    isHidden.checked = false;
    delete draft.key;
    delete draft.heardBy;
    isChosen = false;
    keep();
    besides(null);
    drawWhisper();
    for (const one of recorded.degraded) say(noted(one));
    await written(recorded, instead);
    return content.focus();
  });

  const form = h("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); send(); } }, note, whisper,
    h("div", { class: "composer-row" }, speaker, newName, attribute, content, h("button", { type: "submit", class: "primary" }, t("talk.record"))),
    h("details", { class: "small", open: draft.isOpen ?? false, ontoggle: ({ target }) => { draft.isOpen = target.open; } }, h("summary", {}, t("talk.moreOfLine")), h("div", { class: "fields" },
      field(t("talk.emotion"), emotion), field(t("talk.action"), action), field(t("talk.tickOf"), tick),
      h("div", { class: "field" }, h("span", { class: "label" }, t("talk.whoHears")), whisperTo), h("label", { class: "check" }, isHidden, h("span", {}, t("talk.keepHidden"))))));
  drawWhisper();
  tellBeside();
  tellName();
  return { element: form, besides, presentChanged: drawWhisper, linesChanged: () => { if (!isChosen) attribute.value = defaultAttribute(); }, peopleChanged: () => { fillPeople(speaker.value); tellName(); drawWhisper(); } };
}
