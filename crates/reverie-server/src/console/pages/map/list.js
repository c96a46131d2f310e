// The same map, for reading: clusters with their words, and the memories in them.

import { h, replace } from "../../dom.js";
import { happened } from "../../parts/dates.js";
import { said } from "../../parts/said.js";
import { guarded } from "../../parts/toast.js";
import { number, share, t, term } from "../../words.js";

const AT_FIRST = 12;
const AT_ONCE = 50;

export function list(map, { world, more, link }) {
  const byCluster = new Map();
  for (const point of map.points) byCluster.set(point.cluster, [...(byCluster.get(point.cluster) ?? []), point]);
  const clusters = [...map.clusters].sort((a, b) => b.memories - a.memories);
  return h("div", { class: "map-list stack" },
    clusters.map((cluster, index) => section(cluster, byCluster.get(cluster.id) ?? [], index < 3, { world, more, link })));
}

function section(cluster, points, isOpen, { world, more, link }) {
  const rows = h("ul", {});
  const foot = h("p", { class: "actions" });
  let all = points;
  let shown = AT_FIRST;
  let isAsked = false;

  function draw() {
    const sorted = [...all].sort((a, b) => b.importance - a.importance).slice(0, shown);
    replace(rows, sorted.map((point) => row(point, world, link)));
    const isMore = all.length > shown || (!isAsked && cluster.memories > all.length);
    replace(foot, h("span", { class: "faint small" }, t("list.of", { shown: number(sorted.length), all: number(cluster.memories) })), isMore && h("button", { type: "button", onclick: guarded(grow) }, t("map.showMore")));
  }
  async function grow() {
    const focused = shown;
    if (all.length <= shown && !isAsked) {
      isAsked = true;
      const known = new Set(all.map((point) => point.id));
      all = [...all, ...(await more({ cluster: cluster.id })).points.filter((point) => !known.has(point.id))];
    }
    shown += AT_ONCE;
    draw();
    rows.children[focused]?.querySelector("a")?.focus();
  }
  draw();
  const words = cluster.words.slice(0, 6).join(" · ") || t("map.wordless");
  return h("details", { class: "card", open: isOpen }, h("summary", {}, h("h2", {}, words), " ", h("span", { class: "chip" }, t("map.memories", { count: number(cluster.memories) }))), rows, foot);
}

const row = (point, world, link) => h("li", {},
  h("a", { href: link(point) }, said(point.text)),
  h("span", { class: "bar small" },
    h("span", { class: "chip", dataset: { kind: point.kind } }, term("kind", point.kind)),
    point.emotion && h("span", { class: "chip" }, point.emotion),
    h("span", { class: "faint" }, t("map.importance", { share: share(point.importance) })),
    h("span", { class: "faint" }, happened(world, point))));
