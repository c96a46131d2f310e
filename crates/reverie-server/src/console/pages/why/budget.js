// How full is the prompt, of what, and how near are its limits?

import { h } from "../../dom.js";
import { listed, number, share, t, term } from "../../words.js";
import { KINDS } from "../settings/catalogue.js";
import { ORIGINS } from "./prompt.js";

const sum = (blocks, of) => blocks.reduce((total, block) => total + of(block), 0);

/** `value(key)`: the setting that counts for this prompt. */
export function budgetView(answer, value) {
  const { used, budget } = answer.tokens;
  const of = (position) => answer.blocks.filter((block) => block.position === position);
  const counted = ORIGINS.map((origin) => [origin, sum(of(origin), (block) => block.tokens)]).filter(([, tokens]) => tokens > 0);
  const frame = used - counted.reduce((total, [, tokens]) => total + tokens, 0);
  if (frame > 0) counted.push(["frame", frame]);
  const nameOf = (origin) => t(origin === "frame" ? "why.frame" : `why.origin.${origin}`);
  const told = listed(counted.map(([origin, tokens]) => `${nameOf(origin)} ${number(tokens)}`));

  return h("section", { class: "card budget" },
    h("div", { class: "bar" }, h("h2", { class: "grow" }, t("why.madeOf")), h("span", {}, t("why.ofBudget", { used: number(used), budget: number(budget) }))),
    meter(used, budget, t("why.ofBudget", { used: number(used), budget: number(budget) })),
    h("div", { class: "stacked", role: "img", "aria-label": told }, counted.map(([origin, tokens]) =>
      h("span", { dataset: { origin }, style: { width: `${(tokens / Math.max(used, 1)) * 100}%` }, title: `${nameOf(origin)}: ${number(tokens)}` }))),
    h("ul", { class: "why-legend" }, counted.map(([origin, tokens]) =>
      h("li", {}, h("span", { class: "why-dot", dataset: { origin } }), nameOf(origin), h("b", {}, number(tokens)), h("span", { class: "hint" }, share(tokens / Math.max(used, 1)))))),
    limits(answer, value, of));
}

function limits(answer, value, of) {
  const { budget } = answer.tokens;
  const rows = [];
  const add = (name, n, most) => { if (most > 0) rows.push({ name, n, most }); };
  add(t("why.limit.chars"), sum(of("memory"), (block) => [...block.text].length), value("recall.max_chars"));
  add(t("why.limit.tokens"), sum(of("memory"), (block) => block.tokens), value("recall.max_tokens"));
  const lore = Math.floor((budget * value("lore.budget_percent")) / 100);
  const cap = value("lore.budget_cap");
  if (of("lore").length) add(t("why.limit.lore"), sum(of("lore"), (block) => block.tokens), cap > 0 ? Math.min(cap, lore) : lore);
  if (of("background").length) add(t("why.limit.background"), sum(of("background"), (block) => block.tokens), Math.floor((budget * value("prompt.background_percent")) / 100));
  for (const kind of KINDS) {
    // What is pinned takes no place of its kind: it is there whatever was said, though its kind is not.
    const isPinned = (one) => one.constant && !value(`recall.constant.${kind}`);
    const n = answer.memories.filter((one) => one.kind === kind && !isPinned(one)).length;
    if (n) add(t("why.limit.kind", { kind: term("kind", kind) }), n, value(`recall.most.${kind}`));
  }
  return h("details", { class: "limits", open: true, dataset: { keep: "limits" } }, h("summary", {}, t("why.limits")), h("dl", { class: "facts" }, rows.map(({ name, n, most }) => {
    const words = t("why.of", { n: number(n), most: number(most) });
    return [h("dt", {}, name), h("dd", {}, meter(n, most, `${name}: ${words}`), h("span", { class: "small" }, words))];
  })));
}

function meter(n, most, label) {
  const full = most > 0 ? Math.min(1, n / most) : 0;
  return h("span", { class: full >= 1 ? "meter full" : "meter", role: "img", "aria-label": label }, h("span", { style: { width: `${full * 100}%` } }));
}
