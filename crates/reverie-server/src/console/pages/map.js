// What does somebody's memory look like? A map of it, the same as a list, and who shares what with whom.

import { at, get } from "../api.js";
import { h, replace } from "../dom.js";
import { watch } from "../live.js";
import { field } from "../parts/dialog.js";
import { empty } from "../parts/states.js";
import { tabs } from "../parts/tabs.js";
import { inWords } from "../parts/trouble.js";
import { remember, to } from "../router.js";
import { names } from "../shell.js";
import { learn, number, t } from "../words.js";
import words from "../words/map.js";
import { list } from "./map/list.js";
import { picture } from "./map/picture.js";
import { sharing } from "./map/sharing.js";

learn(words);

const VIEWS = ["map", "list", "sharing"];
const POINTS = 1500;
const POINTS_NARROW = 800;

export async function show(page, { world, query, revision, signal }) {
  page.classList.add("map-page");
  const cast = await names(world, signal);
  const title = h("h1", {}, t("map.title"));
  if (cast.characters.length === 0) {
    return replace(page, title, empty(t("map.nobody"), t("map.nobodyText"), h("a", { class: "button primary", href: "#/" }, t("map.toStart"))));
  }
  const state = {
    character: cast.byId.has(query.get("character")) ? query.get("character") : await fullest(world, cast, signal),
    view: VIEWS.includes(query.get("view")) ? query.get("view") : "map",
    colourBy: query.get("colour") === "emotion" ? "emotion" : "kind",
    range: rangeOf(query),
  };
  const keep = (change) => {
    Object.assign(state, change);
    remember({ character: state.character, view: state.view === "map" ? null : state.view, colour: state.colourBy === "kind" ? null : state.colourBy, ...state.range });
  };
  const who = h("select", { onchange: () => { keep({ character: who.value, range: null }); draw(); } }, cast.characters.map((one) => h("option", { value: one.id }, one.display_name || one.id)));
  who.value = state.character;
  const whoField = field(t("map.whose"), who);
  const facts = h("p", { class: "faint small map-facts", role: "status" });
  const panel = h("div", { class: "map-panel" });
  const news = h("button", { type: "button", class: "map-news", hidden: true, onclick: () => draw() }, t("map.news"));
  let leave = null;

  async function draw() {
    leave?.abort();
    leave = new AbortController();
    const inside = AbortSignal.any([signal, leave.signal]);
    news.hidden = true;
    whoField.hidden = state.view === "sharing";
    page.classList.toggle("full", state.view === "map");
    facts.textContent = t("list.loading");
    try {
      const drawn = await content(inside);
      if (!inside.aborted) replace(panel, drawn);
    } catch (error) {
      if (inside.aborted) return;
      facts.textContent = "";
      replace(panel, empty(t("map.cannot"), inWords(error), h("button", { type: "button", onclick: () => draw() }, t("problem.again"))));
    }
  }

  async function content(inside) {
    if (state.view === "sharing") {
      const drawn = await sharing(world, inside);
      facts.textContent = "";
      return drawn;
    }
    const path = at`/v1/worlds/${world}/characters/${state.character}/map`;
    const points = innerWidth < 700 ? POINTS_NARROW : POINTS;
    const map = await get(path, { points }, { signal: inside });
    if (map.points.length === 0) {
      facts.textContent = "";
      const name = cast.name(state.character);
      return empty(t("map.none", { name }), t("map.noneText"), h("a", { class: "button", href: to`/worlds/${world}/characters/${state.character}` }, t("map.toMemories", { name })));
    }
    const count = { count: number(map.points.length), all: number(map.memories) };
    const tell = (inTime) => { facts.textContent = [inTime ? t("map.factsTime", { count: number(inTime.memories), all: number(inTime.of_all_times) }) : map.points.length < map.memories ? t("map.facts", count) : t("map.factsAll", count), map.placed < map.memories && t("map.unplaced", { count: number(map.memories - map.placed) }), map.by === "words" ? t("map.byWords") : t("map.byMeaning")].filter(Boolean).join(" "); };
    tell(null);
    const more = (which) => get(path, { points: 1000, ...which }, { signal: inside });
    const link = (point) => `${to`/worlds/${world}/characters/${state.character}`}?memory=${encodeURIComponent(point.id)}`;
    if (state.view === "list") return list(map, { world, more, link });
    return picture(map, { world, more, link, kept: state, keep, counted: tell, signal: inside });
  }

  const views = tabs(t("map.views"), VIEWS.map((view) => [view, t(`map.view.${view}`)]), panel, (view) => { keep({ view }); return draw(); });
  replace(page, h("div", { class: "head" }, title, whoField, h("span", { class: "grow" }, facts), news), views, panel);
  await views.select(state.view);
  watch(world, signal, () => { news.hidden = false; }, revision);
}

/** From when until when, by either clock, under the names that filters of memories have. */
function rangeOf(query) {
  const [tick, time] = [["from_tick", "to_tick"], ["from", "to"]].map((names) => names.filter((name) => query.get(name)).map((name) => [name, query.get(name)]));
  if (tick.length) return Object.fromEntries(tick.map(([name, value]) => [name, Number(value)]));
  return time.length ? Object.fromEntries(time) : null;
}

/** Whoever remembers most is most worth looking at. */
async function fullest(world, cast, signal) {
  const stats = await get(at`/v1/worlds/${world}/stats`, { limit: 100 }, { signal });
  const [best] = [...stats.by_character.items].sort((a, b) => b.memories - a.memories);
  return best && cast.byId.has(best.character) ? best.character : cast.characters[0].id;
}
