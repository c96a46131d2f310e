// How long do prompts take, and which part of them?

import { h } from "../../dom.js";
import { has, number, t, term } from "../../words.js";

const ORDER = ["gather", "embed", "lexical", "semantic", "keyword", "temporal", "emotional", "related", "rank", "lore", "compose"];

export function latencies({ recall }) {
  if (!recall) return null;
  const title = h("h2", {}, t("health.recall"));
  const legs = Object.entries(recall.legs ?? {}).sort(([a], [b]) => place(a) - place(b));
  if (recall.p50_ms === undefined) return [title, h("p", { class: "faint" }, t("health.noRecall"))];
  const most = Math.max(0.001, ...legs.map(([, leg]) => leg.p99_ms));
  const width = (value) => ({ width: `${Math.max(0.5, (value / most) * 100)}%` });
  return [
    title,
    h("p", { class: "faint" }, t("health.recallText", { p50: ms(recall.p50_ms), p99: ms(recall.p99_ms), of: number(recall.of ?? recall.recalls) })),
    h("div", { class: "legs-key small faint", "aria-hidden": "true" }, h("span", { class: "half" }, t("health.half")), h("span", { class: "nearly" }, t("health.nearly"))),
    h("ul", { class: "legs" }, legs.map(([leg, times]) => h("li", {},
      h("span", { class: "leg" }, name(leg)),
      h("span", { class: "leg-bars", "aria-hidden": "true" }, h("span", { class: "nearly", style: width(times.p99_ms) }), h("span", { class: "half", style: width(times.p50_ms) })),
      h("span", { class: "leg-times" }, t("health.times", { p50: ms(times.p50_ms), p99: ms(times.p99_ms) }))))),
  ];
}
latencies.of = (health) => health.recall;

const place = (leg) => (ORDER.includes(leg) ? ORDER.indexOf(leg) : ORDER.length);
const name = (leg) => (has(`health.leg.${leg}`) ? t(`health.leg.${leg}`) : term("leg", leg));
const ms = (value) => number(value, { style: "unit", unit: "millisecond", maximumFractionDigits: value < 10 ? 2 : 0 });
