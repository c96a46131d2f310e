// What is not in the prompt though it belongs there, and what went on without a part of it; in words.

import { h } from "../../dom.js";
import { forPeople, noted } from "../../parts/trouble.js";
import { number, t } from "../../words.js";
import { entryLinks } from "./entries.js";

export function notesView(answer, world) {
  const degraded = answer.degraded.map((one) => h("li", {}, h("p", {}, noted(one)), forPeople(one.hint) && h("p", { class: "hint", lang: "en" }, one.hint)));
  const left = answer.left_out.map((one) => {
    const parts = [];
    if (one.lines.length || one.and_older) {
      const lines = one.lines.length ? t("why.left.lines", { n: number(one.lines.length), origin: t(`why.origin.${one.position}`) }) : t(`why.origin.${one.position}`);
      parts.push(one.and_older ? `${lines} ${t("why.left.older")}` : lines);
    }
    if (one.memories.length) parts.push(t("why.left.memories", { n: number(one.memories.length) }));
    const lore = one.lore.length > 0 && h("span", {}, t("why.left.lore", { n: number(one.lore.length) }), " ", entryLinks(one.lore.slice(0, 20), world), " ");
    return h("li", {}, parts.join("; "), " ", lore, h("span", { class: "chip warn" }, t(`why.left.${one.reason}`)));
  });
  if (!degraded.length && !left.length) return null;
  return h("section", { class: "card notes" },
    degraded.length > 0 && [h("h2", {}, t("why.degraded")), h("ul", { class: "degraded" }, degraded)],
    left.length > 0 && [h("h2", {}, t("why.leftOut")), h("ul", {}, left)]);
}
