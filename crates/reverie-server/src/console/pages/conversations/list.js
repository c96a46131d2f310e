// The conversations of a world: those in which something was said last come first, a page at a time.

import { at, get } from "../../api.js";
import { calm, h } from "../../dom.js";
import { icon } from "../../parts/icon.js";
import { virtualList } from "../../parts/virtual.js";
import { portrait } from "../../parts/portrait.js";
import { to } from "../../router.js";
import { ago, t } from "../../words.js";
import { titleOf } from "./talk.js";

const ROW = 72;
const PAGE = 100;
/** Where the list stood when another conversation was opened. */
let scrolled = { world: null, top: 0 };

/** Last lines by id; they are asked for when their row is seen. */
const last = new Map();

export function conversationList({ world, names, chosen, signal, begin, empty }) {
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
    if (line) element.replaceChildren(h("span", { class: "last-words" }, `${line.display_name ?? ""}${t("talk.says")}${line.content}`), h("span", { class: "small" }, line.time ? ago(line.time) : ""));
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

  // While a chat goes on, not at every line.
  let timer = 0;
  const again = () => {
    timer ||= setTimeout(async () => {
      timer = 0;
      if (signal.aborted) return;
      if (list.items().length <= PAGE) return list.reload({ keepPlace: true });
      // Of a long list only the beginning is read again: that is where news are.
      const [before, page] = [wanted, await load().catch(() => null)];
      if (page && before === wanted && !signal.aborted) list.lead(page.items);
    }, 1500);
  };
  return { element, again, isEmpty: () => list.items().length === 0 && wanted === "", load: async () => {
    const top = scrolled.world === world ? scrolled.top : 0;
    await list.reload();
    if (top) requestAnimationFrame(() => { list.scrollTop = top; });
  } };
}
