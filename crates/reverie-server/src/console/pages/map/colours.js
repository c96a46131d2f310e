// Which colour and shape has a memory? By its kind, or by its emotion.

import { h } from "../../dom.js";
import { t, term } from "../../words.js";

const KINDS = ["episodic", "semantic", "trait", "goal"];
const SHAPES = { episodic: "disc", semantic: "square", trait: "triangle", goal: "diamond" };
const HUES = 8;

/** Groups of the points, the largest first: `{key, label, colour, shape, count, shown}`. Colours are names of CSS variables. */
export function groups(points, by) {
  const counts = new Map();
  const keyOf = by === "kind" ? (point) => point.kind : (point) => point.emotion ?? "";
  for (const point of points) counts.set(keyOf(point), (counts.get(keyOf(point)) ?? 0) + 1);
  if (by === "kind") {
    const kinds = [...KINDS, ...[...counts.keys()].filter((kind) => !KINDS.includes(kind))].filter((kind) => counts.has(kind));
    const all = kinds.map((kind) => ({ key: kind, label: term("kind", kind), colour: KINDS.includes(kind) ? `--${kind}` : "--faint", shape: SHAPES[kind] ?? "disc", count: counts.get(kind) }));
    return { all, of: (point) => point.kind };
  }
  const named = [...counts].filter(([key]) => key !== "").sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const all = named.slice(0, HUES).map(([key, count], index) => ({ key: `=${key}`, label: key, colour: `--hue-${index + 1}`, shape: "disc", count }));
  const own = new Set(named.slice(0, HUES).map(([key]) => key));
  const rest = named.slice(HUES).reduce((sum, [, count]) => sum + count, 0);
  if (rest) all.push({ key: "other", label: t("map.otherEmotions"), colour: "--ink", shape: "ring", count: rest });
  if (counts.has("")) all.push({ key: "none", label: t("map.noEmotion"), colour: "--edge", shape: "ring", count: counts.get("") });
  return { all, of: (point) => (point.emotion === undefined ? "none" : own.has(point.emotion) ? `=${point.emotion}` : "other") };
}

/** Colours as the browser sees them now: a canvas knows no variables. */
export function resolved(names) {
  const probe = document.body.appendChild(h("span", { hidden: true }));
  const colours = new Map(names.map((name) => {
    probe.style.color = `var(${name})`;
    return [name, getComputedStyle(probe).color];
  }));
  probe.remove();
  return colours;
}

/** Adds a shape to a path, around x and y. */
export function trace(path, shape, x, y, r) {
  if (shape === "square") path.rect(x - r * 0.88, y - r * 0.88, r * 1.76, r * 1.76);
  else if (shape === "diamond") polygon(path, [[x, y - r * 1.3], [x + r * 1.3, y], [x, y + r * 1.3], [x - r * 1.3, y]]);
  else if (shape === "triangle") polygon(path, [[x, y - r * 1.25], [x + r * 1.15, y + r * 0.85], [x - r * 1.15, y + r * 0.85]]);
  else {
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, Math.PI * 2);
  }
}

function polygon(path, corners) {
  path.moveTo(...corners[0]);
  for (const corner of corners.slice(1)) path.lineTo(...corner);
  path.closePath();
}
