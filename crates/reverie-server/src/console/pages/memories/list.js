// The list of memories: any number of them, by search and filters, what comes last first.

import { get } from "../../api.js";
import { h } from "../../dom.js";
import { empty } from "../../parts/states.js";
import { virtualList } from "../../parts/virtual.js";
import { t } from "../../words.js";
import { countFilters, toQuery } from "./asking.js";
import { memoryRow, narrow, rowHeight } from "./row.js";

const PAGE = 200;
const MOST_READ_AGAIN = 400;

/** `which`: parameters besides what the person wants; `order()`: the order of the API, if another one. The result has `reload({keepPlace})` and `follow()`. */
export function memoryList(page, { which = {}, order, hollow } = {}) {
  let isFirst = true;
  const list = virtualList({
    label: t("memories.of", { name: page.name(page.character) }),
    rowHeight: rowHeight(),
    load: (cursor) => get(page.path, { ...toQuery(page.wanted(), which), order: order?.(), limit: isFirst ? 50 : PAGE, cursor }, { signal: page.signal }).finally(() => { isFirst = false; }),
    row: (memory, index) => memoryRow(memory, index, page),
    empty: () => nothing(page, hollow),
    total: () => (isPlain(page, which) ? page.told()?.memories : undefined),
  });
  list.addEventListener("keydown", (event) => walk(event, list));
  narrow.addEventListener("change", () => list.resize(rowHeight()), { signal: page.signal });

  // Nobody who has come far is taken back by what others do: they are told, and choose.
  const news = h("button", { type: "button", class: "news primary", hidden: true, onclick: () => { news.hidden = true; list.reload(); } }, t("memories.changed"));
  const box = h("div", { class: "memory-list" }, news, list);
  box.reload = async (how) => {
    news.hidden = true;
    await list.reload(how);
  };
  box.follow = async () => {
    if (list.items().length <= MOST_READ_AGAIN) await list.reload({ keepPlace: true, isNews: true });
    else if (list.scrollTop === 0) await list.reload({ isNews: true });
    else if (!page.hasJustActed()) news.hidden = false;
  };
  box.items = () => list.items();
  box.refresh = () => list.refresh();
  box.update = (memory) => list.update((one) => one.id === memory.id, memory);
  box.drop = (id) => list.update((one) => one.id === id, null);
  box.seek = (id) => list.seek((one) => one.id === id, MOST_READ_AGAIN);
  box.focusRow = (id) => (list.querySelector(`[data-index="${list.items().findIndex((one) => one.id === id)}"] [data-control="open"]`) ?? list).focus();
  return box;
}

const isPlain = (page, which) => page.wanted().q === "" && countFilters(page.wanted()) === 0 && Object.keys(which).length === 0;

function nothing(page, hollow) {
  if (isPlain(page, {})) return hollow ? hollow() : empty(t("memories.none"), t("memories.noneText"), h("button", { type: "button", class: "primary", onclick: () => page.create() }, t("memories.new")));
  return empty(t("memories.nothingFound"), t("memories.nothingFoundText"), h("button", { type: "button", onclick: () => page.clear() }, t("memories.clear")));
}

/** Arrow keys go from memory to memory. */
function walk(event, list) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = event.target.closest?.("[data-index]");
  if (!step || !at) return;
  event.preventDefault();
  const control = event.target.dataset.control ?? "open";
  list.reveal(Number(at.dataset.index) + step)?.querySelector(`[data-control="${control}"]`)?.focus({ preventScroll: true });
}
