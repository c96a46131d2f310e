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

/** What was written and not remembered yet, with all that was said about it, by character: a dialog is closed by a single key. */
const begun = drafts((draft) => Boolean(draft.text.trim()));

export function createMemory(page, made) {
  const whose = draftKey(page.world, page.character);
  const draft = begun.get(whose) ?? {};
  const keep = () => begun.set(whose, {
    text: text.value, kind: kind.value, weight: weight.value, about: chosen(), emotions: emotions.value, keywords: keywords.value, time: time.value, tick: tick.value, pinned: pinned.checked, shareable: shareable.checked,
  });
  const text = h("textarea", { required: true, rows: "4", autofocus: true, value: draft.text ?? "", oninput: keep });
  const kind = h("select", { onchange: keep }, KINDS.map((one) => h("option", { value: one, selected: one === draft.kind }, term("kind", one))));
  const weight = h("input", { type: "range", min: "0", max: "1", step: "0.05", value: draft.weight ?? USUAL_WEIGHT, "aria-label": t("memory.importance"), oninput: () => { told.textContent = share(Number(weight.value)); keep(); } });
  const told = h("output", {}, share(Number(weight.value)));
  const about = page.people.filter((one) => one.kind !== "narrator").slice(0, MOST_OFFERED).map((one) => {
    const box = h("input", { type: "checkbox", value: one.id, checked: draft.about?.includes(one.id) ?? false, onchange: keep });
    return { box, label: h("label", { class: "check" }, box, h("span", {}, page.name(one.id))) };
  });
  const chosen = () => about.filter((one) => one.box.checked).map((one) => one.box.value);
  const emotions = h("input", { autocomplete: "off", value: draft.emotions ?? "", oninput: keep });
  const keywords = h("input", { autocomplete: "off", value: draft.keywords ?? "", oninput: keep });
  const time = h("input", { type: "datetime-local", value: draft.time ?? "", oninput: keep });
  const tick = h("input", { type: "number", step: "1", value: draft.tick ?? "", oninput: keep });
  const pinned = h("input", { type: "checkbox", checked: draft.pinned ?? false, onchange: keep });
  const shareable = h("input", { type: "checkbox", checked: draft.shareable ?? false, onchange: keep });
  const split = (input) => input.value.split(/[,，、]/).map((word) => word.trim()).filter(Boolean);
  // A second try after a lost answer makes no second memory.
  const key = `console-${crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`}`;

  dialog(t("create.title", { name: page.name(page.character) }), [
    field(t("create.text"), text),
    h("div", { class: "fields" }, field(t("create.kind"), kind), h("label", { class: "field" }, h("span", { class: "label" }, t("memory.importance"), " ", told), weight)),
    h("fieldset", { class: "choice-set people" }, h("legend", {}, t("create.about")), about.map((one) => one.label), h("p", { class: "hint" }, t("create.aboutHint", { name: page.name(page.character) }))),
    h("div", { class: "fields" }, field(t("create.emotions"), emotions, t("create.commas")), field(t("create.keywords"), keywords, t("create.keywordsHint"))),
    h("div", { class: "fields" }, field(t("create.time"), time, t("create.timeHint")), field(t("create.tick"), tick, t("create.tickHint"))),
    h("label", { class: "check" }, pinned, h("span", {}, t("create.pinned"))),
    h("label", { class: "check" }, shareable, h("span", {}, t("create.shareable"))),
  ], {
    wide: true,
    agree: t("create.save"),
    async submit(close) {
      const memory = await post(page.path, {
        text: text.value.trim(),
        kind: kind.value,
        importance: Number(weight.value),
        about: chosen().length > 0 ? chosen() : undefined,
        emotions: split(emotions),
        keywords: split(keywords).length > 0 ? split(keywords) : undefined,
        time: time.value ? new Date(time.value).toISOString() : undefined,
        tick: tick.value === "" ? undefined : Number(tick.value),
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
