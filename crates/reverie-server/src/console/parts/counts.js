// How much of what? Bars made of parts, with the numbers beside them for everybody who does not see colours.

import { h } from "../dom.js";
import { number, term } from "../words.js";

export const KINDS = ["episodic", "semantic", "trait", "goal"];
export const LAYERS = ["active", "situational", "events", "archive"];

/** One bar of all kinds, with a legend of those that are there. */
export function kindBar(byKind) {
  const parts = KINDS.filter((kind) => byKind?.[kind]);
  if (parts.length === 0) return null;
  return h("div", { class: "kind-bar" },
    h("div", { class: "parts", "aria-hidden": "true" }, parts.map((kind) => h("span", { dataset: { kind }, style: { "flex-grow": String(byKind[kind]) } }))),
    h("p", { class: "legend" }, parts.map((kind) => h("span", { class: "chip", dataset: { kind } }, `${term("kind", kind)} ${number(byKind[kind])}`))));
}

/** Four small shelves, filled by how much lies on each. */
export function layerBars(byLayer) {
  const most = Math.max(1, ...LAYERS.map((layer) => byLayer?.[layer] ?? 0));
  return h("dl", { class: "layer-bars" }, LAYERS.map((layer) => {
    const count = byLayer?.[layer] ?? 0;
    return h("div", {},
      h("dt", {}, term("layer", layer)),
      h("dd", {}, h("span", { class: "meter", "aria-hidden": "true" }, h("span", { style: { width: `${(100 * count) / most}%` } })), h("span", { class: "count" }, number(count))));
  }));
}

/** A bar of a value from 0 to 1, with a name for those who cannot see it. */
export function meter(label, value, className) {
  const percent = Math.round(100 * Math.min(1, Math.max(0, value)));
  return h("span", { class: className ? `meter ${className}` : "meter", role: "meter", "aria-label": label, "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": String(percent), title: `${label}: ${percent} %` },
    h("span", { style: { width: `${percent}%` } }));
}
