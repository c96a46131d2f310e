// The finished prompt, coloured by where each part comes from.

import { h } from "../../dom.js";
import { copyButton } from "../../parts/copy.js";
import { number, t, term } from "../../words.js";
import { entryLinks } from "./entries.js";

export const ORIGINS = ["persona", "lore", "background", "granted", "history", "scene", "other", "memory", "message"];

/** Of a long history the ends are shown, the rest on demand. */
const SHOWN_FIRST = 1;
const SHOWN_LAST = 4;

/** What of a message's text is which block; what nobody claims is told without one. */
export function segments(content, blocks) {
  const found = [];
  let from = 0;
  const missing = [];
  for (const block of blocks) {
    if (!block.text) continue;
    let at = content.indexOf(block.text, from);
    if (at < 0) at = content.indexOf(block.text);
    if (at < 0 || found.some((one) => at < one.end && at + block.text.length > one.at)) {
      missing.push(block);
      continue;
    }
    found.push({ at, end: at + block.text.length, block });
    from = at + block.text.length;
  }
  found.sort((a, b) => a.at - b.at);
  const parts = [];
  let end = 0;
  for (const one of found) {
    if (one.at > end) parts.push({ text: content.slice(end, one.at) });
    parts.push({ text: content.slice(one.at, one.end), block: one.block });
    end = one.end;
  }
  if (end < content.length) parts.push({ text: content.slice(end) });
  return { parts, missing };
}

/** Messages of an answer with their parts, and blocks that stand in none. */
export function pieces(answer) {
  const last = answer.messages.length - 1;
  const apart = [];
  const messages = answer.messages.map((message, index) => {
    const { parts, missing } = segments(message.content, answer.blocks.filter((block) => last - block.depth === index));
    apart.push(...missing);
    return { ...message, parts };
  });
  return { messages, apart };
}

/** `cast`: people are called here as everywhere; the prompt itself knows them by their ids. */
export function promptView(answer, world, cast) {
  const messageView = (message) => viewOf(message, world, cast);
  const { messages, apart } = pieces(answer);
  const isHistory = (message) => message.parts.every((part) => !part.block || part.block.position === "history");
  const first = messages.findIndex(isHistory);
  const afterHistory = messages.findLastIndex(isHistory) + 1;
  const from = first + SHOWN_FIRST;
  const until = afterHistory - SHOWN_LAST;
  const hides = first >= 0 && until - from > 2;
  const shown = hides
    ? [
        messages.slice(0, from).map(messageView),
        h("details", { class: "hidden-messages", dataset: { keep: "history" } }, h("summary", {}, t("why.messages", { n: number(until - from) })), messages.slice(from, until).map(messageView)),
        messages.slice(until).map(messageView),
      ]
    : messages.map(messageView);
  return h("section", { class: "card prompt" },
    h("div", { class: "bar" }, h("h2", { class: "grow" }, t("why.prompt")), copyButton(JSON.stringify(answer.messages, null, 2), t("why.copyJson"))),
    h("p", { class: "hint" }, t("why.promptHint")),
    shown,
    apart.length > 0 && [h("h3", {}, t("why.apart")), h("p", { class: "hint" }, t("why.apartHint")), apart.map((block) => partView({ text: block.text, block }, world))]);
}

function viewOf(message, world, cast) {
  return h("article", { class: "message", "aria-label": term("role", message.role) },
    h("header", {}, h("span", { class: "chip" }, term("role", message.role)), message.name && h("span", { class: "hint", title: message.name }, cast.name(message.name))),
    message.parts.map((part) => partView(part, world)));
}

function partView({ text, block }, world) {
  if (!block) return text.trim() ? h("div", { class: "part" }, h("div", { class: "text" }, text)) : null;
  return h("div", { class: "part", dataset: { origin: block.position } },
    h("div", { class: "origin" }, h("span", {}, t(`why.origin.${block.position}`)), h("span", { class: "why-count" }, t("why.tokens", { n: number(block.tokens) }))),
    h("div", { class: "text" }, text),
    block.lore?.entries.length > 0 && h("div", { class: "hint" }, t("why.entries"), " ", entryLinks(block.lore.entries, world)));
}
