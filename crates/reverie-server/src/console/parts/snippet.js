// Text to copy as a whole.

import { h } from "../dom.js";
import { copyButton } from "./copy.js";

export function snippet(text, label) {
  return h("div", { class: "snippet" }, h("pre", { tabindex: "0" }, text), copyButton(text, label));
}
