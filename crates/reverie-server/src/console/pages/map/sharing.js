// Who remembers the same as whom: a graph, and the same as a table.

import { at, get } from "../../api.js";
import { h, svg } from "../../dom.js";
import { empty } from "../../parts/states.js";
import { to } from "../../router.js";
import { number, t } from "../../words.js";
import { layout } from "./layout.js";

/** Letters keep their size on narrow screens: there the drawing is made for them. */
const WIDE = [1000, 620];
const NARROW = [400, 520];
const EDGE = 60;

/** The memories of one that another has, too. */
export const sharedLink = (world, a, b) => `${to`/worlds/${world}/characters/${a}`}?shared_with=${encodeURIComponent(b)}`;

export async function sharing(world, signal) {
  const told = await get(at`/v1/worlds/${world}/sharing`, { limit: 50 }, { signal });
  if (told.characters.length === 0) return empty(t("map.shareNone"), t("map.shareNoneText"), h("a", { class: "button", href: to`/worlds/${world}/conversations` }, t("map.toConversations")));
  const nameOf = new Map(told.characters.map((one) => [one.id, one.name || one.id]));
  const links = told.links.filter(({ between }) => between.every((id) => nameOf.has(id)));
  return h("div", { class: "sharing stack" },
    h("p", { class: "faint" }, t("map.shareText"), told.left_out > 0 && ` ${t("map.leftOut", { count: number(told.left_out) })}`),
    h("div", { class: "card graph-card" }, graph(world, told.characters, links, nameOf)),
    links.length > 0 && table(world, links, nameOf));
}

function graph(world, characters, links, nameOf) {
  const places = layout(characters, links);
  const [width, height] = innerWidth < 700 ? NARROW : WIDE;
  const spot = (id) => {
    const [x, y] = places.get(id);
    return [width / 2 + x * (width / 2 - EDGE), height / 2 + y * (height / 2 - EDGE)];
  };
  const most = Math.max(1, ...links.map((link) => link.memories));
  const full = Math.max(1, ...characters.map((one) => one.memories));
  const drawing = svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("map.shareGraph") });

  /** What belongs to whom is looked at stands out; the rest steps back. */
  const focusOn = (ids) => {
    drawing.classList.toggle("focused", ids !== null);
    for (const one of drawing.querySelectorAll("[data-ids]")) {
      const its = JSON.parse(one.dataset.ids);
      one.classList.toggle("on", ids !== null && (ids.length === 1 ? its.includes(ids[0]) : its.every((id) => ids.includes(id))));
    }
    if (ids?.length === 1) {
      const friends = new Set(links.filter(({ between }) => between.includes(ids[0])).flatMap(({ between }) => between));
      for (const one of drawing.querySelectorAll(".person")) if (friends.has(JSON.parse(one.dataset.ids)[0])) one.classList.add("on");
    }
  };
  const watched = (ids) => ({ onpointerenter: () => focusOn(ids), onpointerleave: () => focusOn(null), onfocus: () => focusOn(ids), onblur: () => focusOn(null) });

  for (const { between, memories } of [...links].reverse()) {
    const [a, b] = between;
    const [[x1, y1], [x2, y2]] = [spot(a), spot(b)];
    const words = t("map.share", { a: nameOf.get(a), b: nameOf.get(b), count: number(memories) });
    drawing.append(svg("a", { href: sharedLink(world, a, b), class: "tie", "aria-label": words, dataset: { ids: JSON.stringify(between) }, ...watched(between) },
      svg("title", {}, words),
      svg("line", { class: "reach", x1, y1, x2, y2 }),
      svg("line", { class: "seen", x1, y1, x2, y2, "stroke-width": 1 + 9 * Math.sqrt(memories / most) }),
      svg("text", { class: "count", x: (x1 + x2) / 2, y: (y1 + y2) / 2 }, number(memories))));
  }
  const names = [];
  for (const one of characters) {
    const [x, y] = spot(one.id);
    const radius = 12 + 22 * Math.sqrt(one.memories / full);
    const words = t("map.person", { name: one.name || one.id, count: number(one.memories) });
    drawing.append(svg("a", { href: `${to`/worlds/${world}/map`}?character=${encodeURIComponent(one.id)}`, class: "person", "aria-label": words, dataset: { ids: JSON.stringify([one.id]) }, ...watched([one.id]) },
      svg("title", {}, words),
      svg("circle", { cx: x, cy: y, r: radius })));
    names.push(svg("g", { class: "person", "aria-hidden": "true", dataset: { ids: JSON.stringify([one.id]) } },
      svg("text", { class: "name", x, y: y + radius + 17 }, one.name || one.id),
      svg("text", { class: "count", x, y: y + 5 }, number(one.memories))));
  }
  drawing.append(...names);
  return drawing;
}

function table(world, links, nameOf) {
  const rows = links.map(({ between: [a, b], memories }) => h("tr", {},
    h("td", {}, nameOf.get(a)), h("td", {}, nameOf.get(b)), h("td", { class: "number" }, number(memories)),
    h("td", {}, h("a", { href: sharedLink(world, a, b), "aria-label": t("map.share", { a: nameOf.get(a), b: nameOf.get(b), count: number(memories) }) }, t("map.seeShared")))));
  return h("details", { class: "card" }, h("summary", {}, h("h2", {}, t("map.asTable"))),
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("map.asTable") }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("map.one")), h("th", { scope: "col" }, t("map.other")), h("th", { scope: "col", class: "number" }, t("map.together")), h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, t("map.seeShared"))))),
      h("tbody", {}, rows))));
}
