// A question that must be answered first. The browser's own dialog: it holds the focus and closes with Escape.

import { h } from "../dom.js";
import { guarded, keepSaid } from "./toast.js";
import { t } from "../words.js";

/**
 * A dialog with a form. `submit(close)` is called when the person agrees, and must call close (or throw: that is told, and the
 * dialog stays). Returns the element, already open.
 */
export function dialog(title, content, { agree, danger, submit, wide } = {}) {
  const close = () => box.close();
  const box = h("dialog", { class: wide ? "wide" : null, "aria-label": title, onclose: () => { box.remove(); keepSaid(box); } },
    h("form", { method: "dialog", onsubmit: guarded(async (event) => { event.preventDefault(); await (submit ? submit(close) : close()); }) },
      h("h2", {}, title), content,
      h("p", { class: "actions" },
        h("button", { type: "button", class: "quiet", onclick: close }, submit ? t("dialog.cancel") : t("dialog.close")),
        submit && h("button", { type: "submit", class: danger ? "danger" : "primary" }, agree ?? t("dialog.ok")))));
  document.body.append(box);
  box.showModal();
  return box;
}

/** True if the person agrees. */
export function confirm(title, text, { agree, danger } = {}) {
  return new Promise((resolve) => {
    const box = dialog(title, h("p", {}, text), { agree, danger, submit: (close) => { resolve(true); close(); } });
    box.addEventListener("close", () => resolve(false));
  });
}

/** A labelled field; `control` is an input, select or textarea. */
export function field(label, control, hint) {
  return h("label", { class: "field" }, h("span", { class: "label" }, label), control, hint && h("span", { class: "hint" }, hint));
}
