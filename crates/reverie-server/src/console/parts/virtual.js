// A list of any length, of which only what is seen is in the page. Rows have one height; pages of the API are asked for as the person
// comes near them.

import { h, replace } from "../dom.js";
import { complain } from "./toast.js";
import { number, t } from "../words.js";

const AROUND = 6;
const AHEAD = 20;

/**
 * `load(cursor)` gives `{items, next}`; `row(item, index)` an element; `rowHeight` in pixels. `total()` may know how many there are,
 * `key(item)` which one it is; `loaded()` hears that something was read. The result is an element with `reload()`, `refresh()`, `items()` and `update(test, item)`.
 */
export function virtualList({ load, row, rowHeight, label, empty, total, loaded, key = (item) => item.id }) {
  let items = [];
  let next;
  let isOver = false;
  let hasFailed = false;
  let loading = null;
  let generation = 0;
  const shown = new Map();

  const space = h("div", { class: "rows", role: "list" });
  const hollow = h("div", { class: "rows-empty" });
  const foot = h("p", { class: "list-foot", role: "status" });
  const list = h("div", { class: "virtual", tabindex: "0", "aria-label": label, role: "group", onscroll: () => draw() }, space, hollow, foot);

  function draw() {
    const height = list.clientHeight || 600;
    const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - AROUND);
    const last = Math.min(items.length, Math.ceil((list.scrollTop + height) / rowHeight) + AROUND);
    space.style.height = `${items.length * rowHeight}px`;
    for (const [index, element] of shown) {
      // Whoever went to a row by the keyboard stays there while scrolling.
      if ((index < first || index >= last) && !element.contains(document.activeElement)) drop(index);
    }
    for (let index = first; index < last; index++) {
      if (!shown.has(index)) place(index);
    }
    if (last + AHEAD >= items.length) more();
  }

  function place(index) {
    const element = row(items[index], index);
    element.style.top = `${index * rowHeight}px`;
    element.style.height = `${rowHeight}px`;
    element.setAttribute("role", "listitem");
    element.setAttribute("aria-setsize", isOver ? items.length : -1);
    element.setAttribute("aria-posinset", index + 1);
    shown.set(index, element);
    // In the order of the list, so that the keyboard goes through it in that order.
    const after = [...shown.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
    space.insertBefore(element, after === undefined ? null : shown.get(after));
  }

  function drop(index) {
    shown.get(index).remove();
    shown.delete(index);
  }

  function tell() {
    const all = total?.();
    replace(hollow, isOver && items.length === 0 && !loading && empty ? empty() : null);
    if (hasFailed) return replace(foot, h("button", { type: "button", onclick: () => { hasFailed = false; more(); } }, t("problem.again")));
    foot.textContent = loading ? t("list.loading") : items.length === 0 ? "" : isOver ? t("list.all", { all: number(items.length) }) : all > items.length ? t("list.of", { shown: number(items.length), all: number(all) }) : t("list.soFar", { shown: number(items.length) });
    return foot;
  }

  /**
   * Reads on behind `cursor` until there are `wanted`, then hands over what was read; nothing if somebody asked anew meanwhile. News that cannot
   * be read are for whoever asked for them; of anything else it is told here.
   */
  function read(cursor, wanted, take, { isNews } = {}) {
    const mine = generation;
    const run = async () => {
      const fresh = [];
      let behind = cursor;
      try {
        do {
          const page = await load(behind);
          if (mine !== generation) return;
          fresh.push(...page.items);
          behind = page.next;
        } while (behind !== undefined && fresh.length < wanted);
        [next, isOver, hasFailed] = [behind, behind === undefined, false];
        take(fresh);
      } catch (error) {
        if (mine !== generation) return;
        if (isNews && items.length > 0) throw error;
        hasFailed = true;
        complain(error);
      } finally {
        if (mine === generation) {
          loading = null;
          tell();
          loaded?.();
          draw();
        }
      }
    };
    loading = run();
    tell();
    return loading;
  }

  function more() {
    if (loading || isOver || hasFailed) return loading;
    return read(next, 1, (fresh) => items.push(...fresh));
  }

  /** What is the same stays in the page as it is, so that nobody who points at it or is in it is disturbed. */
  function exchange(fresh) {
    const [before, focus] = [items, focused()];
    items = fresh;
    for (const index of [...shown.keys()]) {
      if (index >= items.length || JSON.stringify(before[index]) !== JSON.stringify(items[index])) drop(index);
    }
    return focus;
  }

  function focused() {
    for (const [index, element] of shown) {
      if (element.contains(document.activeElement) && items[index]) return { key: key(items[index]), control: document.activeElement.dataset.control };
    }
    return null;
  }

  function focusAgain(focus) {
    if (!focus || list.contains(document.activeElement)) return;
    const index = items.findIndex((item) => key(item) === focus.key);
    const element = shown.get(index);
    const control = element?.querySelector(focus.control ? `[data-control="${focus.control}"]` : "button, a, input");
    (control ?? list).focus({ preventScroll: true });
  }

  /** Reads anew; with `keepPlace` as many as were there, and without moving them. `isNews`: throws what keeps it from being read. */
  list.reload = ({ keepPlace, isNews } = {}) => {
    generation += 1;
    hasFailed = false;
    return read(undefined, keepPlace ? items.length : 1, (fresh) => {
      const focus = exchange(fresh);
      if (!keepPlace) list.scrollTop = 0;
      draw();
      focusAgain(focus);
    }, { isNews });
  };
  list.items = () => items;
  /** Whether there is nothing behind what was read. */
  list.isWhole = () => isOver;
  /** These come first now, wherever they stood; all others stay behind them as they are. */
  list.lead = (first) => {
    if (loading) return;
    const names = new Set(first.map(key));
    const focus = exchange([...first, ...items.filter((item) => !names.has(key(item)))]);
    tell();
    draw();
    focusAgain(focus);
  };
  /** Draws anew what is in the page. */
  list.refresh = () => {
    const focus = focused();
    for (const index of [...shown.keys()]) drop(index);
    draw();
    focusAgain(focus);
  };
  /** Rows have another height from now on; what is seen stays. */
  list.resize = (height) => {
    const at = list.scrollTop / rowHeight;
    rowHeight = height;
    list.refresh();
    list.scrollTop = at * rowHeight;
  };
  list.update = (test, item) => {
    const index = items.findIndex(test);
    if (index < 0) return;
    if (item === null) items.splice(index, 1);
    else items[index] = item;
    list.refresh();
    tell();
  };
  /** Reads on until there is one like that, but not without end, and shows it. */
  list.seek = async (test, most) => {
    const mine = generation;
    while (!items.some(test) && !isOver && !hasFailed && items.length < most && mine === generation) await (loading ?? more());
    return mine === generation ? list.reveal(items.findIndex(test)) : null;
  };
  /** Shows a row and hands it over, if it was read. */
  list.reveal = (index) => {
    if (index < 0 || index >= items.length) return null;
    if (index * rowHeight < list.scrollTop) list.scrollTop = index * rowHeight;
    else if ((index + 1) * rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = (index + 1) * rowHeight - list.clientHeight;
    draw();
    return shown.get(index);
  };
  new ResizeObserver(() => draw()).observe(list);
  return list;
}
