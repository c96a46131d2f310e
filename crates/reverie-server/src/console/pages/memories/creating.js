// A memory written by hand.

import { post } from "../../api.js";
import { h } from "../../dom.js";
import { KINDS } from "../../parts/counts.js";
import { dialog, field } from "../../parts/dialog.js";
import { draftKey, drafts } from "../../parts/drafts.js";
import { say } from "../../parts/toast.js";
import { share, t, term } from "../../words.js";

const MOST_OFFERED = 60;
const USUAL_WEIGHT = "0.7";

/** What was written and not remembered yet, by character: a dialog is closed by a single key. */
const begun = drafts();

export function createMemory(page, made) {
  const whose = draftKey(page.world, page.character);
  const keep = () => (text.value.trim() ? begun.set(whose, text.value) : begun.delete(whose));
  const text = h("textarea", { required: true, rows: "4", autofocus: true, value: begun.get(whose) ?? "", oninput: keep });
  const kind = h("select", {}, KINDS.map((one) => h("option", { value: one }, term("kind", one))));
  const told = h("output", {}, share(Number(USUAL_WEIGHT)));
  const weight = h("input", { type: "range", min: "0", max: "1", step: "0.05", value: USUAL_WEIGHT, "aria-label": t("memory.importance"), oninput: () => { told.textContent = share(Number(weight.value)); } });
  const about = page.people.filter((one) => one.kind !== "narrator").slice(0, MOST_OFFERED).map((one) => {
    const box = h("input", { type: "checkbox", value: one.id });
    return { box, label: h("label", { class: "check" }, box, h("span", {}, page.name(one.id))) };
  });
  const emotions = h("input", { autocomplete: "off" });
  const keywords = h("input", { autocomplete: "off" });
  const pinned = h("input", { type: "checkbox" });
  const shareable = h("input", { type: "checkbox" });
  const split = (input) => input.value.split(/[,，、]/).map((word) => word.trim()).filter(Boolean);
  // A second try after a lost answer makes no second memory.
  const key = `console-${crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`}`;

  dialog(t("create.title", { name: page.name(page.character) }), [
    field(t("create.text"), text),
    h("div", { class: "fields" }, field(t("create.kind"), kind), h("label", { class: "field" }, h("span", { class: "label" }, t("memory.importance"), " ", told), weight)),
    h("fieldset", { class: "choice-set people" }, h("legend", {}, t("create.about")), about.map((one) => one.label), h("p", { class: "hint" }, t("create.aboutHint", { name: page.name(page.character) }))),
    h("div", { class: "fields" }, field(t("create.emotions"), emotions, t("create.commas")), field(t("create.keywords"), keywords, t("create.keywordsHint"))),
    h("label", { class: "check" }, pinned, h("span", {}, t("create.pinned"))),
    h("label", { class: "check" }, shareable, h("span", {}, t("create.shareable"))),
  ], {
    wide: true,
    agree: t("create.save"),
    async submit(close) {
      const people = about.filter((one) => one.box.checked).map((one) => one.box.value);
      const memory = await post(page.path, {
        text: text.value.trim(),
        kind: kind.value,
        importance: Number(weight.value),
        about: people.length > 0 ? people : undefined,
        emotions: split(emotions),
        keywords: split(keywords).length > 0 ? split(keywords) : undefined,
        pinned: pinned.checked,
        shareable: shareable.checked,
        key,
      });
      begun.delete(whose);
      close();
      say(t("create.done"));
      await made(memory);
    },
  });
}
