// The tree of a conversation: where it forks, and what each branch begins with.

import { at, get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { dialog } from "../../parts/dialog.js";
import { since } from "../../parts/since.js";
import { complain, guarded } from "../../parts/toast.js";
import { number, t } from "../../words.js";

const PAGE = 500;
const AT_ONCE = 40;

/**
 * Lines between two forks are one stretch: `{first, last, lines, children, isActive}`. So are those up to the head: what was said behind it
 * before somebody went back is a branch to go to, though nothing else was said in its place yet.
 */
function stretches(lines, active, head) {
  const children = new Map();
  for (const line of lines) {
    const parent = line.parent ?? "root";
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(line);
  }
  const build = (first) => {
    const one = { first, last: first, lines: 1, isActive: active.has(first.id), children: [] };
    for (let below = children.get(one.last.id); below?.length === 1 && one.last.id !== head; below = children.get(one.last.id)) {
      one.last = below[0];
      one.lines += 1;
    }
    one.children = children.get(one.last.id) ?? [];
    return one;
  };
  // Without calling itself: a conversation may fork a thousand times in a row.
  const roots = (children.get("root") ?? []).map(build);
  const queue = [...roots];
  while (queue.length) {
    const one = queue.shift();
    one.children = one.children.map(build);
    queue.push(...one.children);
  }
  return roots;
}

/** Those on the way to the head. */
function activeOf(lines, head) {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const active = new Set();
  for (let line = byId.get(head); line; line = byId.get(line.parent)) active.add(line.id);
  return active;
}

export function branchesDialog({ world, conversation, head, names, jump, choose, signal }) {
  const path = at`/v1/worlds/${world}/conversations/${conversation}/lines`;
  const content = h("div", { class: "branches" }, h("p", { class: "faint" }, t("list.loading")));
  const lines = [];
  let cursor;

  async function read() {
    for (let page = 0; page < AT_ONCE; page++) {
      const found = await get(path, { tree: true, limit: PAGE, cursor }, { signal });
      lines.push(...found.items);
      cursor = found.next;
      if (cursor === undefined) break;
    }
    draw();
  }

  const item = (one, depth) => h("li", { class: one.isActive ? "branch active" : "branch", style: { "--depth": String(Math.min(depth, 12)) } },
    h("div", { class: "branch-row" },
      h("span", { class: "branch-text" }, h("b", {}, one.first.display_name ?? (one.first.speaker ? names.name(one.first.speaker) : "")), " ", one.first.content.slice(0, 140)),
      h("span", { class: "faint small" }, one.lines === 1 ? t("talk.oneLine") : t("talk.lines", { lines: number(one.lines) }), one.last.time && [" · ", since(one.last.time)]),
      one.isActive
        ? h("button", { type: "button", class: "quiet", onclick: () => { box.close(); jump(one.first.id); } }, t("talk.showIt"))
        : h("button", { type: "button", onclick: guarded(async () => { box.close(); await choose(one.first); }) }, t("talk.goThere"))));

  /** From above to below, each with its depth: forks inside of forks move to the right. */
  function flat(roots) {
    const out = [];
    const todo = roots.map((one) => [one, 0]).reverse();
    while (todo.length) {
      const [one, depth] = todo.pop();
      out.push([one, depth]);
      todo.push(...one.children.map((child) => [child, depth + 1]).reverse());
    }
    return out;
  }

  function draw() {
    const all = flat(stretches(lines, activeOf(lines, head), head));
    const hasMore = lines.some((line) => line.parent === head);
    const forks = all.filter(([one]) => one.children.length > 1).length + (lines.filter((line) => !line.parent).length > 1 ? 1 : 0);
    replace(content,
      h("p", {}, t(["talk.noForks", "talk.oneFork"][forks] ?? "talk.forks", { forks: number(forks), lines: number(lines.length) }), hasMore && [" ", t("talk.behindHead")]),
      h("ol", { class: "branch-list" }, all.slice(0, 1000).map(([one, depth]) => item(one, depth))),
      cursor !== undefined && h("p", {}, h("button", { type: "button", onclick: guarded(read) }, t("talk.readOn"))));
  }

  const box = dialog(t("talk.branches"), content, { wide: true });
  read().catch(complain);
}
