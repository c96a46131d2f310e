// A text that people take elsewhere.

import { h } from "../dom.js";
import { icon } from "./icon.js";
import { guarded, say } from "./toast.js";
import { t } from "../words.js";

export async function copy(text) {
  // Without https browsers may have no clipboard to offer; then a selected field is what there is.
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else {
    const area = h("textarea", { class: "visually-hidden", value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(t("copy.done"));
}

export function copyButton(text, label) {
  return h("button", { type: "button", class: "quiet icon-only", "aria-label": label ?? t("copy.label"), title: label ?? t("copy.label"), onclick: guarded(() => copy(text)) }, icon("copy"));
}
