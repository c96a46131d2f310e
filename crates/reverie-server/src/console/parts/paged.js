// A list of cards that grows by a button: for what is mostly short, but may be long.

import { h, replace } from "../dom.js";
import { guarded } from "./toast.js";
import { t } from "../words.js";

/**
 * `load(cursor)` gives `{items, next}`, `card(item)` an element, `empty()` what stands there instead. The result is an element with
 * `reload()`, which throws what `load` throws, and leaves cards alone of which nothing changed.
 */
export function pagedCards({ load, card, empty, key = (item) => item.id, className = "cards" }) {
  let next;
  let drawn = new Map();
  const list = h("ul", { class: `${className} plain` });
  const hollow = h("div");
  const more = h("button", { type: "button", hidden: true, onclick: guarded(async () => { take(await load(next)); }) }, t("list.more"));
  const box = h("div", { class: "paged" }, list, hollow, h("p", { class: "actions" }, more));

  function take(page) {
    for (const item of page.items) draw(item);
    next = page.next;
    more.hidden = next === undefined;
    replace(hollow, drawn.size === 0 && empty ? empty() : null);
  }

  function draw(item) {
    const [name, text] = [key(item), JSON.stringify(item)];
    const before = drawn.get(name);
    if (before?.text === text) return before.element;
    const focus = before?.element.contains(document.activeElement) ? document.activeElement.dataset.control : undefined;
    const element = h("li", {}, card(item));
    if (before) before.element.replaceWith(element);
    else list.append(element);
    drawn.set(name, { element, text });
    if (focus) element.querySelector(`[data-control="${focus}"]`)?.focus();
    return element;
  }

  box.reload = async () => {
    const wanted = drawn.size;
    const fresh = [];
    let cursor;
    do {
      const page = await load(cursor);
      fresh.push(...page.items);
      cursor = page.next;
    } while (cursor !== undefined && fresh.length < wanted);
    const names = new Set(fresh.map(key));
    for (const [name, { element }] of drawn) {
      if (names.has(name)) continue;
      element.remove();
      drawn.delete(name);
    }
    take({ items: fresh, next: cursor });
    // New ones may belong between old ones.
    fresh.forEach((item, index) => {
      const { element } = drawn.get(key(item));
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
  };
  return box;
}
