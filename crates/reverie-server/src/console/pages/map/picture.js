// The picture of one character's memory: pan, zoom, look, open.

import { append, calm, h } from "../../dom.js";
import { panZoom } from "../../parts/panzoom.js";
import { said } from "../../parts/said.js";
import { complain } from "../../parts/toast.js";
import { go } from "../../router.js";
import { number, t } from "../../words.js";
import { legend } from "./legend.js";
import { painter } from "./painter.js";
import { timeSlider } from "./slider.js";
import { tip } from "./tip.js";

/** Beyond so many the points that came first stay, and the ones that were asked for last. */
const MOST_POINTS = 6000;
const SETTLES_MS = 300;

/**
 * `map`: as the API tells it. `more({cluster, from, to, …})` asks for more points. `link(point)`: the address of a memory. `kept`: what is
 * chosen (colourBy, range of time), told to `keep(…)` when it changes. `counted(map)`: what the API tells of the time that is chosen; null: of all times.
 */
export function picture(map, { world, more, link, kept, keep, counted, signal }) {
  const scene = { points: map.points, clusters: map.clusters, colourBy: kept.colourBy, hidden: new Set(), open: null, chosen: null, counts: null, isIn: () => true };
  const canvas = h("canvas", { tabindex: "0", role: "application", "aria-label": t("map.canvas", { count: number(map.points.length), all: number(map.memories) }), "aria-describedby": "map-keys" });
  const status = h("p", { class: "visually-hidden", role: "status" });
  const peek = tip(world, link);
  const stage = h("div", { class: "stage" }, canvas, peek);
  const pan = panZoom(canvas, { signal, changed: () => { peek.hide(); paint?.ask(); }, tapped });
  let paint = null;
  let order = [];

  const slider = timeSlider(scene.points, {
    world,
    kept: kept.range,
    moved() { peek.hide(); paint.ask(); colours.recount(); },
    settled: calm(SETTLES_MS, () => settle()),
  });
  scene.isIn = slider.isIn;

  async function settle() {
    if (signal.aborted) return;
    const range = slider.range();
    keep({ range });
    const answer = range && (await enrich(range));
    // Places stay where they are; how many there are is told of the time that is chosen.
    if (JSON.stringify(range) === JSON.stringify(slider.range())) count(answer);
  }

  /** More points, beside those that are there. */
  async function enrich(query) {
    let answer;
    try {
      answer = await more(query);
    } catch (error) {
      if (!signal.aborted) complain(error);
      return null;
    }
    if (signal.aborted) return null;
    const known = new Set(scene.points.map((point) => point.id));
    const fresh = answer.points.filter((point) => !known.has(point.id));
    const room = Math.max(0, MOST_POINTS - map.points.length - fresh.length);
    const extra = scene.points.slice(map.points.length);
    scene.points = [...map.points, ...extra.slice(Math.max(0, extra.length - room)), ...fresh];
    colours.redraw(paint.regroup());
    slider.redraw(scene.points);
    status.textContent = t("map.morePoints", { count: number(fresh.length) });
    return answer;
  }

  function count(answer) {
    scene.counts = answer && new Map(answer.clusters.map((one) => [one.id, one.memories]));
    counted(answer);
    paint.ask();
    for (const button of list.querySelectorAll("button")) drawCount(button, scene.clusters.find((one) => one.id === button.dataset.cluster));
  }

  function drawCount(button, cluster) {
    const memories = scene.counts?.get(cluster.id) ?? cluster.memories;
    button.querySelector(".count").textContent = number(memories);
    button.querySelector(".meter > span").style.width = `${(memories / most) * 100}%`;
  }

  const colours = legend(scene, {
    toggled() { paint.ask(); },
    chosen(by) {
      scene.colourBy = by;
      scene.hidden.clear();
      keep({ colourBy: by });
      return paint.regroup();
    },
  });

  async function openCluster(id) {
    const cluster = scene.clusters.find((one) => one.id === id);
    scene.open = id;
    for (const button of list.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.cluster === id));
    if (cluster) pan.show(...paint.spot(cluster));
    await enrich({ cluster: id, ...slider.range() });
  }

  const most = Math.max(1, ...scene.clusters.map((one) => one.memories));
  const list = h("ul", { class: "clusters" }, [...scene.clusters].sort((a, b) => b.memories - a.memories).map((cluster) => {
    const button = h("button", { type: "button", class: "quiet", "aria-pressed": "false", dataset: { cluster: cluster.id }, onclick: () => openCluster(cluster.id) },
      h("span", { class: "words" }, cluster.words.slice(0, 4).join(" · ") || t("map.wordless")),
      h("span", { class: "faint count" }),
      h("span", { class: "meter", "aria-hidden": "true" }, h("span", {})));
    drawCount(button, cluster);
    return h("li", {}, button);
  }));

  function choose(point, isKept) {
    scene.chosen = point;
    paint.ask();
    if (!point) return peek.hide();
    peek.show(point, paint.place(point), canvas.getBoundingClientRect(), isKept);
    if (isKept) status.textContent = said(point.text);
  }

  function tapped(event, { x, y }) {
    const point = paint.near(x, y);
    if (!point) {
      const cluster = paint.clusterAt(x, y);
      choose(null);
      return cluster && openCluster(cluster.id);
    }
    // A mouse has already shown what it is; a finger sees it first, and opens it by the link.
    if (event.pointerType === "mouse") go(link(point));
    else choose(point, true);
  }

  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return;
    const box = canvas.getBoundingClientRect();
    const point = paint.near(event.clientX - box.left, event.clientY - box.top);
    canvas.classList.toggle("pointing", Boolean(point));
    if (point !== scene.chosen) choose(point, false);
  }, { signal });
  canvas.addEventListener("pointerleave", () => { if (!peek.isKept()) choose(null); }, { signal });
  canvas.addEventListener("keydown", (event) => {
    const by = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (by) {
      if (!order.includes(scene.chosen)) order = paint.seen();
      if (order.length === 0) return;
      const at = order.indexOf(scene.chosen);
      choose(order[at < 0 ? 0 : (at + by + order.length) % order.length], true);
    } else if (event.key === "Enter" && scene.chosen) go(link(scene.chosen));
    else if (event.key === "Escape") choose(null);
    else order = [];
  }, { signal });

  const tool = (label, sign, action) => h("button", { type: "button", class: "icon-only", "aria-label": label, title: label, onclick: action }, sign);
  const element = h("div", { class: "map-view" },
    h("div", { class: "map-main" }, append(stage,
      h("div", { class: "tools" }, tool(t("map.zoomIn"), "+", () => pan.zoom(1.4)), tool(t("map.zoomOut"), "−", () => pan.zoom(1 / 1.4)), tool(t("map.fit"), "⤢", () => { scene.open = null; pan.fit(); }))),
      slider),
    h("div", { class: "map-side" }, colours,
      h("section", {}, h("h2", {}, t("map.clusters")), h("p", { class: "hint" }, t("map.clustersHint")), list),
      h("p", { class: "hint", id: "map-keys" }, t("map.keys"))),
    status);

  paint = painter(canvas, scene, () => pan.view);
  colours.redraw(paint.regroup());
  if (slider.range()) settle();
  const sizes = new ResizeObserver(() => paint.resize());
  sizes.observe(stage);
  const themes = new MutationObserver(() => paint.recolour());
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", () => paint.recolour(), { signal });
  signal.addEventListener("abort", () => { sizes.disconnect(); themes.disconnect(); });
  return element;
}
