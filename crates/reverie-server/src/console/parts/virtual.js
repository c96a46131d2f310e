// A list of any length, of which only what is seen is in the page. Rows have one height; pages of the API are asked for as the person
// comes near them.

import { h, replace } from "../dom.js";
import { complain } from "./toast.js";
import { number, t } from "../words.js";

const AROUND = 6;

/**
 * `load(cursor)` gives `{items, next}`; `row(item, index)` an element; `rowHeight` in pixels. `total()` may know how many there are.
 * The result is an element with `reload()`, `items()` and `update(test, item)`.
 */
export function virtualList({ load, row, rowHeight, label, empty, total }) {
  let items = [];
  let next;
  let isOver = false;
  let loading = null;
  let generation = 0;
  const shown = new Map();

  const space = h("div", { class: "rows", role: "list" });
  const foot = h("p", { class: "list-foot", role: "status" });
  const list = h("div", { class: "virtual", tabindex: "0", "aria-label": label, role: "group", onscroll: () => draw() }, space, foot);

  function draw() {
    const height = list.clientHeight || 600;
    const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - AROUND);
    const last = Math.min(items.length, Math.ceil((list.scrollTop + height) / rowHeight) + AROUND);
    space.style.height = `${items.length * rowHeight}px`;
    for (const [index, element] of shown) {
      if (index < first || index >= last) {
        element.remove();
        shown.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      if (shown.has(index)) continue;
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
    if (!isOver && last + 20 >= items.length) more();
  }

  function tell() {
    const all = total?.();
    foot.textContent = loading ? t("list.loading") : items.length === 0 ? "" : !isOver && all > items.length ? t("list.of", { shown: number(items.length), all: number(all) }) : t("list.all", { all: number(items.length) });
  }

  function more() {
    if (loading || isOver) return loading;
    const mine = generation;
    loading = load(next).then((page) => {
      if (mine !== generation) return;
      items.push(...page.items);
      next = page.next;
      isOver = next === undefined;
    }, (error) => {
      if (mine === generation) isOver = true;
      complain(error);
    }).finally(() => {
      if (mine !== generation) return;
      loading = null;
      if (isOver && items.length === 0 && empty) replace(space, empty());
      draw();
      tell();
    });
    tell();
    return loading;
  }

  function clear() {
    for (const element of shown.values()) element.remove();
    shown.clear();
  }

  list.reload = ({ keepPlace } = {}) => {
    generation += 1;
    const wanted = keepPlace ? items.length : 0;
    const scroll = list.scrollTop;
    [next, isOver, loading] = [undefined, false, null];
    const before = items;
    items = [];
    const finish = async () => {
      const mine = generation;
      do await more(); while (mine === generation && !isOver && items.length < wanted);
      if (mine !== generation) return;
      clear();
      if (items.length > 0 && space.firstChild && !shown.size) replace(space);
      draw();
      list.scrollTop = keepPlace ? scroll : 0;
    };
    if (!keepPlace || before.length === 0) {
      clear();
      replace(space);
    }
    return finish();
  };
  list.items = () => items;
  /** Draws anew what is in the page. */
  list.refresh = () => {
    clear();
    draw();
  };
  list.update = (test, item) => {
    const index = items.findIndex(test);
    if (index < 0) return;
    if (item === null) items.splice(index, 1);
    else items[index] = item;
    list.refresh();
    tell();
  };
  new ResizeObserver(() => draw()).observe(list);
  return list;
}
