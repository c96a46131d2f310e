// Other words for a memory, or another weight.

import { h } from "../../dom.js";
import { icon } from "../../parts/icon.js";
import { field } from "../../parts/dialog.js";
import { guarded } from "../../parts/toast.js";
import { share, t } from "../../words.js";

/** `save(change)` gets only what is another one than before. The result has `warn()` and `isChanged()`. */
export function editor(held, { save, cancel }) {
  const text = h("textarea", { value: held.text, rows: String(Math.min(16, Math.max(5, held.text.split("\n").length + 2))) });
  const told = h("output", {}, share(held.importance));
  const weight = h("input", { type: "range", min: "0", max: "1", step: "0.05", value: String(held.importance), "aria-label": t("memory.importance"), oninput: () => { told.textContent = share(Number(weight.value)); } });
  const first = weight.value; // As the range rounds it.
  const warning = h("p", { class: "memory-note", role: "status", hidden: true }, t("memory.meanwhile"));

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
