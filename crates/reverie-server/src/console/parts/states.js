// What is shown when there is nothing to show: an empty shelf that says what to do first, and a failure that says what to do next.

import { h } from "../dom.js";
import { icon } from "./icon.js";
import { serverWords, trouble } from "./trouble.js";
import { t } from "../words.js";

/** `actions`: buttons and links. */
export function empty(title, text, ...actions) {
  return h("section", { class: "empty" }, icon("moon"), h("h2", {}, title), text && h("p", {}, text), actions.length > 0 && h("p", { class: "actions" }, actions));
}

export function problem(error, again) {
  const { words, detail } = trouble(error);
  return h("section", { class: "problem", role: "alert" },
    h("h1", {}, t("problem.title")),
    h("p", {}, words),
    detail && h("p", { class: "hint" }, serverWords(detail)),
    again && h("p", { class: "actions" }, h("button", { type: "button", onclick: again }, t("problem.again"))));
}
