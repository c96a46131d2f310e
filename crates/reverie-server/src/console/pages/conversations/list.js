// The conversations of a world: those in which something was said last come first, a page at a time.

import { at, get } from "../../api.js";
import { calm, h } from "../../dom.js";
import { icon } from "../../parts/icon.js";
import { virtualList } from "../../parts/virtual.js";
import { portrait } from "../../parts/portrait.js";
import { since } from "../../parts/since.js";
import { to } from "../../router.js";
import { t } from "../../words.js";
import { titleOf } from "./talk.js";

const ROW = 72;
const PAGE = 100;
const CALM_MS = 1500;
const WHEN_FAILING_MS = 5000;
/** Where the list stood when another conversation was opened. */
let scrolled = { world: null, top: 0 };

/** Last lines by id; they are asked for when their row is seen. */
const last = new Map();

/** `read()` is told whenever the list was read. */
export function conversationList({ world, names, chosen, signal, begin, empty, read }) {
  const path = at`/v1/worlds/${world}/conversations`;
  let wanted = "";

  const fits = (one) => !wanted || [one.id, titleOf(one, names), ...one.participants.map(names.name)].some((text) => text.toLowerCase().includes(wanted));

  async function load(cursor) {
    const page = await get(path, { limit: PAGE, cursor, newest_first: true }, { signal });
    const items = page.items.filter(fits);
    // A page of which nothing fits is no reason to stop.
    return items.length === 0 && page.next !== undefined ? load(page.next) : { items, next: page.next };
  }

  async function tellLast(one, element) {
    if (one.head === undefined) return;
    const key = JSON.stringify([world, one.head]);
    if (!last.has(key)) last.set(key, get(at`/v1/worlds/${world}/lines/${one.head}`, undefined, { signal }).catch(() => { last.delete(key); return null; }));
    const line = await last.get(key);
    if (line) element.replaceChildren(h("span", { class: "last-words" }, `${line.display_name ?? ""}${t("talk.says")}${line.content}`), h("span", { class: "small" }, line.time && since(line.time)));
  }

  function row(one) {
    const words = h("span", { class: "last faint small" }, one.head === undefined ? t("talk.silent") : " ");
    const first = one.participants.find((id) => names.byId.get(id)?.persona) ?? one.participants[0] ?? titleOf(one, names);
    tellLast(one, words);
    return h("div", {}, h("a", { class: one.id === chosen ? "talk-row chosen" : "talk-row", href: to`/worlds/${world}/conversations/${one.id}`, "aria-current": one.id === chosen ? "page" : null },
      portrait(names.byId.get(first) ?? first, "small"),
      h("span", { class: "grow" }, h("span", { class: "talk-name" }, titleOf(one, names)), one.name && h("span", { class: "faint small people" }, one.participants.map(names.name).join(t("talk.comma"))), words)));
  }

  const list = virtualList({ label: t("talk.all"), rowHeight: ROW, load, row, empty });
  list.addEventListener("scroll", () => { scrolled = { world, top: list.scrollTop }; });
  const element = h("nav", { class: "talk-list", "aria-label": t("talk.all") },
    h("div", { class: "talk-find" }, h("input", { type: "search", "aria-label": t("talk.find"), placeholder: t("talk.find"), oninput: calm(200, (event) => { wanted = event.target.value.trim().toLowerCase(); list.reload(); }) }),
      begin && h("button", { type: "button", class: "icon-only", "aria-label": t("talk.new"), title: t("talk.new"), onclick: begin }, icon("plus"))), list);

  // While a chat goes on, not at every line. What could not be read is read later.
  let timer = 0;
  const again = (delay = CALM_MS) => {
    timer ||= setTimeout(() => {
      timer = 0;
      news().catch(() => signal.aborted || again(WHEN_FAILING_MS));
    }, delay);
  };
  async function news() {
    if (signal.aborted) return;
    if (list.items().length <= PAGE) {
      await list.reload({ keepPlace: true, isNews: true });
      read?.();
      return;
    }
    // Of a long list only the beginning is read again: that is where news are.
    const before = wanted;
    const page = await load();
    if (before === wanted && !signal.aborted) list.lead(page.items);
  }
  return { element, again, isEmpty: () => list.items().length === 0 && wanted === "", load: async () => {
    const top = scrolled.world === world ? scrolled.top : 0;
    await list.reload();
    read?.();
    if (top) requestAnimationFrame(() => { list.scrollTop = top; });
  } };
}
