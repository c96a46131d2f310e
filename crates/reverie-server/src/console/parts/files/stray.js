// A file that was dropped where nothing takes it: what it is, and the way to where it is brought in.

import { h } from "../../dom.js";
import { go } from "../../router.js";
import { learn, t } from "../../words.js";
import words from "../../words/files.js";
import { dialog } from "../dialog.js";
import { say } from "../toast.js";
import { describe } from "./arrival.js";
import { recognise } from "./recognise.js";

learn(words);

/** On the way to Start, which takes them when it opens. */
let carried = [];

export function takeCarried() {
  const files = carried;
  carried = [];
  return files;
}

/** Of files by name, or of what they were recognised as already. */
export async function offerStart(files) {
  // Over an open question nothing else is asked.
  if (document.querySelector("dialog:modal")) return say(t("files.stray.where"));
  const found = await Promise.all(files.map((one) => (one instanceof File ? recognise(one) : one)));
  const known = found.filter((one) => one.kind !== "unknown");
  for (const one of found.filter((other) => other.kind === "unknown")) say(t("files.stray.unknown", { file: one.file.name, what: describe(one) }), { bad: true });
  if (known.length === 0) return undefined;
  return dialog(t("files.stray.title"), [
    h("ul", { class: "plain strays" }, known.map((one) => h("li", {}, h("div", {}, h("b", {}, one.file.name), " ", h("span", { class: "chip accent" }, t(`files.kind.${one.kind}`))), h("span", { class: "hint" }, describe(one))))),
    h("p", {}, t("files.stray.text")),
  ], { agree: t("files.stray.go"), submit: (close) => {
    carried = known.map((one) => one.file);
    close();
    go("#/");
  } });
}
