// Other words for a memory, or another weight.

import { h } from "../../dom.js";
import { icon } from "../../parts/icon.js";
import { field } from "../../parts/dialog.js";
import { draftKey, drafts } from "../../parts/drafts.js";
import { guarded } from "../../parts/toast.js";
import { share, t } from "../../words.js";

/** By memory and holder: `{text, weight, of}`, where `of` is what the memory said when the writing began. */
const written = drafts();
const keyOf = (world, { id, holder }) => draftKey(world, id, holder);

export const memoryDraft = (world, held) => written.get(keyOf(world, held));
export const dropMemoryDraft = (world, held) => written.delete(keyOf(world, held));

/** `save(change)` gets only what is another one than before. The result has `warn()` and `isChanged()`. A draft is taken up where it was left. */
export function editor(world, held, { save, cancel }) {
  const draft = memoryDraft(world, held);
  const keep = () => {
    if (Object.keys(change()).length === 0) dropMemoryDraft(world, held);
    else written.set(keyOf(world, held), { text: text.value, weight: weight.value, of: draft?.of ?? held.text });
  };
  const text = h("textarea", { value: draft?.text ?? held.text, oninput: keep, rows: String(Math.min(16, Math.max(5, held.text.split("\n").length + 2))) });
  const told = h("output", {}, share(held.importance));
  const weight = h("input", { type: "range", min: "0", max: "1", step: "0.05", value: String(held.importance), "aria-label": t("memory.importance"), oninput: () => { told.textContent = share(Number(weight.value)); keep(); } });
  const first = weight.value; // As the range rounds it.
  if (draft) [weight.value, told.textContent] = [draft.weight, share(Number(draft.weight))];
  const warning = h("p", { class: "memory-note", role: "status", hidden: !draft || draft.of === held.text }, t("memory.meanwhile"));

  function change() {
    const changed = {};
    // The memory's own words are not an edit of it.
    if (text.value !== held.text) changed.text = text.value === held.own_text ? null : text.value;
    if (weight.value !== first) changed.importance = Number(weight.value);
    return changed;
  }

  const form = h("form", {
    class: "memory-editor",
    onsubmit: guarded(async (event) => {
      event.preventDefault();
      await save(change());
    }),
    onkeydown: (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        if (Object.keys(change()).length === 0) cancel();
      } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    },
  },
    warning,
    field(t("memory.text"), text),
    h("label", { class: "field" }, h("span", { class: "label" }, t("memory.importance"), " ", told), weight),
    h("p", { class: "actions" }, h("button", { type: "submit", class: "primary" }, icon("edit"), t("memory.save")), h("button", { type: "button", class: "quiet", onclick: cancel }, t("memory.cancel"))));
  form.warn = () => { warning.hidden = false; };
  form.isChanged = () => Object.keys(change()).length > 0;
  return form;
}
