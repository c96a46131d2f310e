// A conversation of any length, of which only what is near is in the page. It grows in both directions; lines have the height that
// they need, so what is far away is kept as an empty block of the height that it had.

import { h } from "../../dom.js";
import { complain } from "../../parts/toast.js";

const BLOCK = 30;
const NEAR_PX = 1000;
const KEPT_AROUND_PX = 2500;
const END_PX = 60;
const REST_MS = 5000;

/**
 * `load({older, newer})` gives `{lines, more}` of the path: before a line, behind one, or (neither) the newest, oldest first.
 * `draw(line, before, after)` gives an element; `before` and `after` are its neighbours, as far as they are known.
 */
export function stream({ label, load, draw, moved }) {
  let blocks = [];
  let hasOlder = true;
  let hasNewer = false;
  let sticks = true;
  let generation = 0;
  let busy = null;
  let restsUntil = 0; // After a failure it is not asked again at once.
  let place = null; // What to do as soon as the page has a size.

  const rows = h("div", { class: "stream-rows", role: "list", "aria-label": label });
  const root = h("div", { class: "stream", tabindex: "0", role: "group", "aria-label": label, onscroll: () => { sticks = isAtEnd(); near(); moved?.(); } }, rows);

  const watcher = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting, rootBounds } of seen) {
      if (root.clientHeight === 0 || !rootBounds?.height) continue; // Nothing has a height before the page is shown.
      const block = blocks.find((one) => one.element === target);
      if (!block || block.isFull === isIntersecting) continue;
      if (isIntersecting) fill(block);
      else if (!target.contains(document.activeElement)) empty(block);
    }
  }, { root, rootMargin: `${KEPT_AROUND_PX}px 0px` });

  const lines = () => blocks.flatMap((block) => block.lines);
  const isAtEnd = () => !hasNewer && root.scrollHeight - root.scrollTop - root.clientHeight < END_PX;
  const toEnd = () => { root.scrollTop = root.scrollHeight; };

  function fill(block) {
    block.isFull = true;
    block.element.style.height = "";
    const known = lines();
    const first = known.indexOf(block.lines[0]);
    block.element.replaceChildren(...block.lines.map((line, index) => {
      const element = draw(line, known.slice(Math.max(0, first + index - 12), first + index), known.slice(first + index + 1, first + index + 13));
      element.setAttribute("role", "listitem");
      element.dataset.line = line.id;
      return element;
    }));
  }

  function empty(block) {
    block.element.style.height = `${block.element.offsetHeight}px`;
    block.isFull = false;
    block.element.replaceChildren();
  }

  function make(some) {
    const block = { lines: some, element: h("div", { class: "stream-block", role: "presentation" }), isFull: false };
    watcher.observe(block.element);
    return block;
  }

  function cut(some) {
    const made = [];
    for (let index = 0; index < some.length; index += BLOCK) made.push(make(some.slice(index, index + BLOCK)));
    return made;
  }

  function clear() {
    watcher.disconnect();
    blocks = [];
    rows.replaceChildren();
  }

  function prepend(some) {
    const fromEnd = root.scrollHeight - root.scrollTop;
    const wasFirst = blocks[0];
    const made = cut(some);
    blocks.unshift(...made);
    rows.prepend(...made.map((block) => block.element));
    made.forEach(fill);
    // Whether a day begins with it is known now that something stands before it; whoever reads or scrolls it is left alone.
    if (wasFirst?.isFull && some.length > 0) {
      const day = draw(wasFirst.lines[0], some.slice(-12), wasFirst.lines.slice(1, 13)).querySelector(".day-mark");
      if (day && !wasFirst.element.querySelector(":scope > :first-child > .day-mark")) wasFirst.element.firstElementChild.prepend(day);
    }
    root.scrollTop = root.scrollHeight - fromEnd;
  }

  function append(some) {
    const last = blocks.at(-1);
    const room = last ? Math.max(0, BLOCK - last.lines.length) : 0;
    if (room > 0) {
      last.lines.push(...some.slice(0, room));
      if (last.isFull) fill(last);
    }
    const made = cut(some.slice(room));
    blocks.push(...made);
    rows.append(...made.map((block) => block.element));
    made.forEach(fill);
    if (sticks && !hasNewer) toEnd();
  }

  async function grow(isOlder) {
    if (busy || !blocks.length || (isOlder ? !hasOlder : !hasNewer)) return;
    const mine = generation;
    const known = lines();
    busy = load(isOlder ? { older: known[0].id } : { newer: known.at(-1).id });
    try {
      const page = await busy;
      if (mine !== generation) return;
      if (isOlder) {
        hasOlder = page.more;
        prepend(page.lines);
      } else {
        hasNewer = page.more;
        append(page.lines);
      }
    } catch (error) {
      if (mine === generation) {
        complain(error);
        restsUntil = Date.now() + REST_MS;
        setTimeout(near, REST_MS + 1);
      }
    } finally {
      if (mine === generation) busy = null;
    }
    near();
  }

  function near() {
    if (root.clientHeight === 0 || !root.isConnected || Date.now() < restsUntil) return;
    if (root.scrollTop < NEAR_PX) grow(true);
    if (root.scrollHeight - root.scrollTop - root.clientHeight < NEAR_PX) grow(false);
  }

  const elementOf = (id) => root.querySelector(`[data-line="${CSS.escape(id)}"]`);

  function flash(id, top) {
    const block = blocks.find((one) => one.lines.some((line) => line.id === id));
    if (!block) return false;
    if (!block.isFull) fill(block);
    const element = elementOf(id);
    const now = element.getBoundingClientRect().top - root.getBoundingClientRect().top;
    root.scrollTop += now - (top ?? root.clientHeight / 4);
    sticks = isAtEnd();
    if (top === undefined) {
      element.classList.add("found");
      element.querySelector("button, a")?.focus({ preventScroll: true });
      setTimeout(() => element.classList.remove("found"), 2500);
    }
    return true;
  }

  const settle = (action) => {
    if (root.clientHeight > 0) action();
    else place = action;
  };

  root.lines = lines;
  root.isAtEnd = isAtEnd;
  /** There is more behind what is here than was brought: it is read when somebody comes near. */
  root.cutOff = () => { hasNewer = true; };
  root.atNewest = () => !hasNewer;
  root.toEnd = toEnd;
  root.elementOf = elementOf;

  /** From the end. */
  root.openEnd = async () => {
    const mine = ++generation;
    busy = null;
    const page = await load({});
    if (mine !== generation) return;
    clear();
    [hasOlder, hasNewer, sticks] = [page.more, false, true];
    append(page.lines);
    settle(() => { toEnd(); near(); });
  };

  /** Around a line; false if it is not on the path. `top`: where it should stand, in pixels from above. */
  root.openAt = async (id, top) => {
    if (lines().some((line) => line.id === id) && top === undefined) {
      settle(() => flash(id));
      return true;
    }
    const mine = ++generation;
    busy = null;
    const before = await load({ older: String(Number(id) + 1) });
    if (mine !== generation) return true;
    if (before.lines.at(-1)?.id !== id) return false;
    const after = await load({ newer: id });
    if (mine !== generation) return true;
    clear();
    [hasOlder, hasNewer, sticks] = [before.more, after.more, false];
    append([...before.lines, ...after.lines]);
    settle(() => { flash(id, top); near(); });
    return true;
  };

  /** From the first line on. */
  root.openStart = async () => {
    const mine = ++generation;
    busy = null;
    const page = await load({ newer: undefined, fromStart: true });
    if (mine !== generation) return;
    clear();
    [hasOlder, hasNewer, sticks] = [false, page.more, false];
    append(page.lines);
    settle(() => { root.scrollTop = 0; near(); });
  };

  /**
   * What a part of the path looks like now, oldest first: changed lines are drawn anew, what is gone goes, what is new at the end comes.
   * False if the two have nothing in common: then it must be opened anew.
   */
  root.reconcile = (fresh, { isTail }) => {
    const known = lines();
    const byId = new Map(fresh.map((line) => [line.id, line]));
    const from = known.findIndex((line) => byId.has(line.id));
    if (from < 0) return known.length === 0 && fresh.length === 0;
    const start = fresh.findIndex((line) => line.id === known[from].id);
    const lastKnown = isTail ? known.length - 1 : known.findLastIndex((line) => byId.has(line.id));
    const end = isTail ? fresh.length : fresh.findLastIndex((line) => line.id === known[lastKnown].id) + 1;
    const old = known.slice(from, lastKnown + 1);
    const now = fresh.slice(start, end);
    if (JSON.stringify(old) === JSON.stringify(now)) return true;
    let common = 0;
    while (common < Math.min(old.length, now.length) && old[common].id === now[common].id) common += 1;
    for (let index = 0; index < common; index++) if (JSON.stringify(old[index]) !== JSON.stringify(now[index])) root.change(now[index]);
    if (common === old.length && isTail) {
      append(now.slice(common));
      return true;
    }
    if (common === old.length && common === now.length) return true;
    // Something in the middle is gone or another: what stands behind it is put in anew.
    const keep = known.slice(0, from + common);
    const rest = [...now.slice(common), ...known.slice(lastKnown + 1)];
    const scroll = root.scrollTop;
    const atEnd = sticks;
    for (const block of [...blocks]) {
      const left = block.lines.filter((line) => keep.some((one) => one.id === line.id));
      if (left.length === block.lines.length) continue;
      block.lines = left;
      if (left.length) fill(block);
      else {
        watcher.unobserve(block.element);
        block.element.remove();
        blocks = blocks.filter((one) => one !== block);
      }
    }
    sticks = false;
    append(rest);
    root.scrollTop = scroll;
    sticks = atEnd;
    if (atEnd && !hasNewer) toEnd();
    return true;
  };

  /** One line is another now. */
  root.change = (line) => {
    for (const block of blocks) {
      const index = block.lines.findIndex((one) => one.id === line.id);
      if (index < 0) continue;
      block.lines[index] = line;
      if (!block.isFull) return;
      const focus = document.activeElement?.closest?.(`[data-line="${CSS.escape(line.id)}"]`) ? document.activeElement.getAttribute("aria-label") : null;
      const bottom = root.scrollHeight - root.scrollTop;
      fill(block);
      if (sticks) root.scrollTop = root.scrollHeight - bottom;
      if (focus) elementOf(line.id)?.querySelector(`[aria-label="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    }
  };

  /** Lines that are seen now, oldest first. */
  root.seen = () => {
    const box = root.getBoundingClientRect();
    return blocks.filter((block) => block.isFull && block.element.getBoundingClientRect().bottom > box.top && block.element.getBoundingClientRect().top < box.bottom)
      .flatMap((block) => block.lines.filter((line) => {
        const place = elementOf(line.id)?.getBoundingClientRect();
        return place && place.bottom > box.top && place.top < box.bottom;
      }));
  };

  new ResizeObserver(() => {
    if (root.clientHeight === 0) return;
    const action = place;
    place = null;
    if (action) action();
    else if (sticks) toEnd();
    near();
  }).observe(root);
  return root;
}
