// Who is in a scene from now on, and how a conversation begins.

import { at, post, put } from "../../api.js";
import { h } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { guarded, say } from "../../parts/toast.js";
import { go, to } from "../../router.js";
import { t } from "../../words.js";

const boxes = (names, chosen) => names.characters.filter((one) => one.kind !== "narrator").map((one) =>
  h("label", { class: "check" }, h("input", { type: "checkbox", value: one.id, checked: chosen.includes(one.id) }), h("span", {}, one.display_name || one.id)));

const chosenIn = (element) => [...element.querySelectorAll("input[type=checkbox]")].filter((box) => box.checked).map((box) => box.value);

/** People of a scene come and go; what they heard stays theirs. */
export function presentDialog({ world, conversation, names, changed }) {
  const people = h("div", { class: "people-choice", role: "group", "aria-label": t("talk.present") }, boxes(names, conversation.present));
  const other = h("input", { type: "text" });
  dialog(t("talk.whoIsPresent"), [h("p", { class: "hint" }, t("talk.presentHint")), people, field(t("talk.alsoThere"), other)], { agree: t("talk.save"), submit: async (close) => {
    const before = conversation.present;
    const path = at`/v1/worlds/${world}/conversations/${conversation.id}/present`;
    const present = [...chosenIn(people), ...other.value.split(/[,，、]/).map((one) => one.trim()).filter(Boolean).map((name) => ({ display_name: name }))];
    changed(await put(path, { present }));
    close();
    say(t("talk.presentChanged"), { undo: async () => changed(await put(path, { present: before })) });
  } });
}

export const newDialog = guarded(async ({ world, names }) => {
  const name = h("input", { type: "text", autofocus: true });
  const people = h("div", { class: "people-choice", role: "group", "aria-label": t("talk.participants") }, boxes(names, []));
  const other = h("input", { type: "text" });
  dialog(t("talk.new"), [field(t("talk.sceneName"), name, t("talk.sceneHint")), h("h3", {}, t("talk.participants")), people, field(t("talk.alsoThere"), other)], { agree: t("talk.open"), submit: async (close) => {
    const participants = [...chosenIn(people), ...other.value.split(/[,，、]/).map((one) => one.trim()).filter(Boolean).map((display_name) => ({ display_name }))];
    const made = await post(at`/v1/worlds/${world}/conversations`, { name: name.value.trim() || undefined, participants });
    close();
    go(to`/worlds/${world}/conversations/${made.id}`);
  } });
});
