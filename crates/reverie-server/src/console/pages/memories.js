// What does this character remember? Lists, a timeline, shelves, suggestions, what was forgotten; and each memory beside them.

import { at, get } from "../api.js";
import { h, replace } from "../dom.js";
import { watch } from "../live.js";
import { confirm } from "../parts/dialog.js";
import { icon } from "../parts/icon.js";
import { portrait } from "../parts/portrait.js";
import { whileSeen } from "../parts/seen.js";
import { empty } from "../parts/states.js";
import { tabs } from "../parts/tabs.js";
import { complain, guarded } from "../parts/toast.js";
import { go, remember, to } from "../router.js";
import { names } from "../shell.js";
import { language, learn, number, t } from "../words.js";
import words from "../words/memories.js";
import worldWords from "../words/worlds.js";
import { fromAddress, nothingWanted, toAddress } from "./memories/asking.js";
import { createMemory } from "./memories/creating.js";
import { filterBar } from "./memories/filters.js";
import { memoryList } from "./memories/list.js";
import { memoryPanel } from "./memories/panel.js";
import { selection } from "./memories/selection.js";
import { shelvesView } from "./memories/shelves.js";
import { readStats } from "./memories/stats.js";
import { suggestionsView } from "./memories/suggestions.js";
import { timelineView } from "./memories/timeline.js";
import { editCharacter } from "./world/character.js";

learn(words);
learn(worldWords);

const VIEWS = {
  list: (page) => memoryList(page),
  timeline: timelineView,
  shelves: shelvesView,
  suggestions: suggestionsView,
  bin: (page) => memoryList(page, { which: { forgotten: "true" }, hollow: () => empty(t("memories.binEmpty"), t("memories.binText")) }),
};
const OWN_NEWS_MS = 3000; // As long as the world may need to say that it changed: what one did oneself is no news.
const SEARCHABLE = ["list", "timeline", "bin"];

export async function show(element, { world, character, query, revision, signal }) {
  let [person, cast, stats] = await Promise.all([
    get(at`/v1/worlds/${world}/characters/${character}`, undefined, { signal }),
    names(world, signal),
    readStats(world, character, signal),
  ]);
  let wanted = fromAddress(query);
  let [viewName, view, openId, actedAt] = ["", null, "", 0];

  /** What the parts of this page know of each other. */
  const page = {
    world, character, signal,
    path: at`/v1/worlds/${world}/characters/${character}/memories`,
    people: cast.characters,
    comma: language() === "en" ? ", " : "、",
    name: (id) => cast.name(id),
    person: (id) => cast.byId.get(id) ?? id,
    wanted: () => wanted,
    stats: () => stats,
    told: () => withoutRepeats(stats),
    facets: () => ({ stats: withoutRepeats(stats), emotions: ranked(stats?.emotions), people: ranked(stats?.people) }),
    hasTicks: () => stats?.last?.tick !== undefined || wanted.from_tick !== "" || wanted.to_tick !== "",
    openId: () => openId,
    items: () => view?.items() ?? [],
    isBin: () => viewName === "bin",
    redraw: () => view?.refresh(),
    focusList: () => place.querySelector(".virtual")?.focus({ preventScroll: true }),
    create: () => createMemory(page, async (memory) => { await page.changed(); await page.open(memory.id); }),
    clear: () => page.want(nothingWanted()),
    /** Another wish, perhaps in another view. */
    want(next, inView) {
      wanted = next;
      keepAddress();
      filters.redraw();
      if (inView && inView !== viewName) bar.select(inView);
      else view.reload().catch(complain);
    },
    async open(id) {
      if (!(await mayLeave())) return;
      openId = id;
      keepAddress();
      view.refresh();
      lay();
      await panel.show(id);
    },
    async close() {
      if (!(await mayLeave())) return;
      const was = openId;
      openId = "";
      panel.close();
      lay();
      keepAddress();
      view.refresh();
      view.focusRow(was);
    },
    hasJustActed: () => Date.now() - actedAt < OWN_NEWS_MS,
    async memoryChanged(id, held) {
      actedAt = Date.now();
      if (held && held.forgotten === page.isBin()) view.update(held);
      else view.drop(id);
      await page.changed();
    },
    /** Something is another one than before, here or elsewhere. */
    changed: whileSeen(signal, async () => {
      stats = await readStats(world, character, signal);
      drawCount();
      await Promise.all([view.follow(), panel.follow()]);
    }),
  };
  page.selection = selection(page);

  const mayLeave = async () => {
    if (!panel.isEditing()) return true;
    if (!(await confirm(t("memory.leaveTitle"), t("memory.leaveText"), { agree: t("memory.leave"), danger: true }))) return false;
    panel.discard();
    return true;
  };
  /** On narrow screens a memory lies over the rest, and the keyboard must not go behind it. */
  const lay = () => {
    body.classList.toggle("with-panel", openId !== "");
    for (const one of [head, bar, filters, page.selection.bar, place]) one.inert = openId !== "" && narrow.matches;
  };
  const narrow = matchMedia("(max-width: 70rem)");
  narrow.addEventListener("change", () => lay(), { signal });
  const keepAddress = () => signal.aborted || remember({ view: viewName === "list" ? "" : viewName, memory: openId, ...toAddress(wanted) });

  const count = h("p", { class: "faint", role: "status" });
  const drawCount = () => {
    const told = stats ? [t("memories.count", { n: number(page.told().memories) }), stats.repeats > 0 && t("memories.countRepeats", { n: number(stats.repeats) }), stats.forgotten > 0 && t("memories.countForgotten", { n: number(stats.forgotten) })] : [];
    count.textContent = told.filter(Boolean).join(" · ");
  };
  const title = h("h1", {}, page.name(character));
  const filters = filterBar(page, (next) => page.want(next));
  const panel = memoryPanel(page);
  const place = h("div", { class: "memory-view" });
  // Beside a memory that lies over the rest is the rest: going there closes it.
  const body = h("div", { class: "memory-body", onclick: (event) => event.target === body && narrow.matches && openId && page.close() }, place, panel);
  const bar = tabs(t("memories.views"), Object.keys(VIEWS).map((one) => [one, t(`memories.${one}`)]), place, (one) => {
    viewName = one;
    page.selection.clear();
    keepAddress();
    filters.hidden = !SEARCHABLE.includes(one);
    filters.offer({ canSearchMind: one !== "bin", isByTime: one === "timeline" });
    view = VIEWS[one](page);
    replace(place, view);
    return view.reload().catch(complain);
  });

  const edit = () => editCharacter(world, person, guarded(async (id) => {
    if (id === null) return go(to`/worlds/${world}`);
    [person, cast] = await Promise.all([get(at`/v1/worlds/${world}/characters/${character}`), names(world, signal)]);
    title.textContent = page.name(character);
  }));
  element.classList.add("full", "memories");
  drawCount();
  const head = h("div", { class: "head" }, portrait(person), h("div", { class: "grow" }, title, count),
    h("div", { class: "actions" },
      h("button", { type: "button", class: "quiet", "aria-label": t("memories.editOf", { name: page.name(character) }), onclick: edit }, icon("edit"), t("memories.edit")),
      h("a", { class: "button quiet", href: `${to`/worlds/${world}/why`}?character=${encodeURIComponent(character)}` }, icon("question"), t("memories.why")),
      h("a", { class: "button quiet", href: `${to`/worlds/${world}/map`}?character=${encodeURIComponent(character)}` }, icon("map"), t("memories.map")),
      h("button", { type: "button", class: "primary", onclick: page.create }, icon("plus"), t("memories.new"))));
  replace(element, head, bar, filters, page.selection.bar, body);
  openId = query.get("memory") ?? "";
  const drawn = bar.select(Object.hasOwn(VIEWS, query.get("view") ?? "") ? query.get("view") : "list");
  if (openId) {
    lay();
    panel.show(openId);
    // Whoever came by its address sees where it stands, as far as it is not far down.
    const wish = openId;
    drawn?.then(() => openId === wish && view.seek?.(wish)).catch(complain);
  }
  watch(world, signal, () => (page.selection.isWorking() ? undefined : page.changed()), revision);
}

/** What lists show when nothing holds anything back: not the summaries of one memory alone, which are episodes. By layer everything is shown. */
function withoutRepeats(stats) {
  if (!stats?.repeats) return stats;
  return { ...stats, memories: stats.memories - stats.repeats, by_kind: { ...stats.by_kind, episodic: (stats.by_kind.episodic ?? 0) - stats.repeats } };
}

const ranked = (counts) => Object.entries(counts ?? {}).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
