// What is not in the prompt though it belongs there, and what went on without a part of it; in words.

import { h } from "../../dom.js";
import { has, number, t } from "../../words.js";

export function notesView(answer) {
  const degraded = answer.degraded.map((one) => h("li", {}, h("p", {}, has(`degraded.${one.code}`) ? t(`degraded.${one.code}`) : one.message),
    has(`degraded.${one.code}`) && h("p", { class: "hint" }, one.message), one.hint && h("p", { class: "hint" }, one.hint)));
  const left = answer.left_out.map((one) => {
    const parts = [];
    if (one.lines.length || one.and_older) {
      const lines = one.lines.length ? t("why.left.lines", { n: number(one.lines.length), origin: t(`origin.${one.position}`) }) : t(`origin.${one.position}`);
      parts.push(one.and_older ? `${lines} ${t("why.left.older")}` : lines);
    }
    if (one.lore.length) parts.push(t("why.left.lore", { n: number(one.lore.length), names: one.lore.map((entry) => `${entry.book} › ${entry.entry}`).join(", ") }));
    if (one.memories.length) parts.push(t("why.left.memories", { n: number(one.memories.length) }));
    return h("li", {}, parts.join("; "), " ", h("span", { class: "chip warn" }, t(`why.left.${one.reason}`)));
  });
  if (!degraded.length && !left.length) return null;
  return h("section", { class: "card notes" },
    degraded.length > 0 && [h("h2", {}, t("why.degraded")), h("ul", { class: "degraded" }, degraded)],
    left.length > 0 && [h("h2", {}, t("why.leftOut")), h("ul", {}, left)]);
}
