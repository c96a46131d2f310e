// What else could have been said here, and where does each branch lead?

import { at, get, put } from "../../api.js";
import { h, replace } from "../../dom.js";
import { guarded, say } from "../../parts/toast.js";
import { number, t } from "../../words.js";

const AT_ONCE = 3;
const TREE_PAGE = 500;
const MOST_PAGES = 40;

/** Where each version was left, further down, for as long as the console is open: whoever comes back to it comes back there. */
const left = new Map();

/** Versions of lines are asked for when they are seen, a few at a time. */
export function swipes({ world, conversation, signal, head, moved }) {
  const path = at`/v1/worlds/${world}/conversations/${conversation}`;
  const known = new Map();
  const waiting = [];
  let running = 0;

  const parentOf = (line) => line.parent ?? "root";

  function children(parent) {
    if (!known.has(parent)) {
      const asked = get(`${path}/lines`, { children_of: parent, limit: 100 }, { signal }).then((page) => page.items, (error) => {
        known.delete(parent);
        throw error;
      });
      known.set(parent, asked);
    }
    return known.get(parent);
  }

  async function work() {
    if (running >= AT_ONCE) return;
    running += 1;
    while (waiting.length) {
      const { line, element } = waiting.pop();
      if (!element.isConnected || signal.aborted) continue;
      try {
        draw(line, await children(parentOf(line)), element);
      } catch { /* The line stands without its versions; the page tells of failures where it reads lines. */ }
    }
    running -= 1;
  }

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      waiting.push({ line: lineOf.get(target), element: target });
    }
    work();
  }, { rootMargin: "100px" });
  signal.addEventListener("abort", () => seen.disconnect());
  const lineOf = new WeakMap();

  function draw(line, versions, element) {
    const index = versions.findIndex((one) => one.id === line.id);
    if (versions.length < 2 || index < 0) return replace(element);
    const to = (by) => guarded(() => choose(versions[index + by], line));
    const step = (by, sign, words) => h("button", { type: "button", class: "quiet icon-only", disabled: !versions[index + by], "aria-label": words, title: versions[index + by]?.content.slice(0, 200) ?? words, onclick: to(by) }, sign);
    return replace(element, step(-1, "‹", t("talk.previousVersion")), h("span", {}, t("talk.versionOf", { number: number(index + 1), all: number(versions.length) })), step(1, "›", t("talk.nextVersion")));
  }

  const place = (id) => JSON.stringify([path, id]);
  /** The path led through a version up to a line, and does so no more. */
  const leave = (version, at) => at && left.set(place(version), at);

  /** The newest line that follows from this one. */
  async function tipOf(id) {
    const below = new Set([id]);
    let tip = id;
    let cursor = id;
    for (let page = 0; cursor !== undefined && page < MOST_PAGES; page++) {
      const found = await get(`${path}/lines`, { tree: true, limit: TREE_PAGE, cursor }, { signal });
      for (const line of found.items) {
        if (!below.has(line.parent)) continue;
        below.add(line.id);
        tip = line.id;
      }
      cursor = found.next;
    }
    return tip;
  }

  /** Stands on a line; the way back is offered. `shown`: the line that should be in view. */
  async function stand(line, shown, words) {
    const before = head() ?? null;
    await put(`${path}/head`, { line, expected_head: before });
    known.clear();
    await moved(shown);
    say(words, { about: JSON.stringify(["head", path]), undo: async () => {
      await put(`${path}/head`, { line: before });
      known.clear();
      await moved();
    } });
  }

  async function choose(version, instead) {
    const from = left.get(place(version.id)) ?? version.id;
    const before = head();
    try {
      await stand(await tipOf(from), { id: version.id, instead: instead?.id }, t("talk.switched"));
    } catch (error) {
      // What it was left at may have been deleted since.
      if (from === version.id || error.status !== 404) throw error;
      left.delete(place(version.id));
      return choose(version, instead);
    }
    if (instead) leave(instead.id, before);
    return undefined;
  }

  return {
    want(line, element) {
      lineOf.set(element, line);
      seen.observe(element);
    },
    forget: (parent) => (parent === undefined ? known.clear() : known.delete(parent ?? "root")),
    choose,
    leave,
    backTo: (line) => stand(line.id, { id: line.id }, t("talk.wentBack")),
  };
}
