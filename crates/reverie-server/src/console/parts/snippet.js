// Text to copy as a whole.

import { h } from "../dom.js";
import { copyButton } from "./copy.js";

/** `copied`: what is taken elsewhere, where that should not stand on the screen. */
export function snippet(text, { copied = text } = {}) {
  return h("div", { class: "snippet" }, h("pre", { tabindex: "0" }, text), copyButton(copied));
}
