// Which books does a world use, for whom, and which of them goes first?

import { all, at, get, put, remove } from "../../api.js";
import { h, replace } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { icon } from "../../parts/icon.js";
import { whileSeen } from "../../parts/seen.js";
import { guarded, say } from "../../parts/toast.js";
import { to } from "../../router.js";
import { t } from "../../words.js";

const scopeOf = ({ character, conversation }) => (character ? { character } : conversation ? { conversation } : {});
const keyOf = (link) => JSON.stringify([link.book, scopeOf(link)]);

/** `books()` knows the library by id; `nameOf` characters, `titleOf` conversations. */
export function stack({ world, bookName, nameOf, characters, signal }) {
  const path = at`/v1/worlds/${world}/lore`;
  const root = h("section", { class: "card stack-card", "aria-labelledby": "stack-title" });
  const word = h("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  let links = [];
  let dragged = null;

  const one = (link) => `${path}${at`/${link.book}`}`;
  const write = (link, rank) => put(one(link), { ...scopeOf(link), rank });

  const load = whileSeen(signal, async () => {
    links = (await get(path, undefined, { signal })).books.sort((a, b) => a.rank - b.rank);
    draw();
  });

  /** Ranks by place; only those that change are written. */
  async function arrange(order) {
    const before = links.map((link) => [link, link.rank]);
    for (const [index, link] of order.entries()) if (link.rank !== index) await write(link, index);
    await load();
    return before;
  }

  const move = guarded(async (link, by) => {
    const from = links.findIndex((other) => keyOf(other) === keyOf(link));
    const goal = from + by;
    if (from < 0 || goal < 0 || goal >= links.length) return;
    const order = [...links];
    order.splice(goal, 0, ...order.splice(from, 1));
    const before = await arrange(order);
    word.textContent = t("lore.atPlace", { place: goal + 1, all: links.length });
    root.querySelector(`[data-key="${CSS.escape(keyOf(link))}"] [data-by="${by < 0 ? -1 : 1}"]`)?.focus();
    say(t("lore.moved"), { undo: async () => { for (const [old, rank] of before) await write(old, rank); await load(); } });
  });

  const drop = guarded(async (link) => {
    await remove(one(link), scopeOf(link));
    await load();
    say(t("lore.unlinked", { book: bookName(link.book) }), { undo: async () => { await write(link, link.rank); await load(); } });
  });

  function whom(link) {
    if (link.character) return h("span", { class: "chip accent" }, icon("people"), t("lore.forCharacter", { name: nameOf(link.character) }));
    if (link.conversation) return h("span", { class: "chip accent" }, icon("talk"), t("lore.inConversation", { name: link.conversation }));
    return h("span", { class: "chip" }, t("lore.forEverybody"));
  }

  function row(link, index) {
    const name = bookName(link.book);
    return h("li", { class: "stack-row", draggable: "true", dataset: { key: keyOf(link) },
      ondragstart: (event) => { dragged = link; event.dataTransfer.effectAllowed = "move"; event.dataTransfer.setData("text/plain", name); },
      ondragover: (event) => { if (dragged) { event.preventDefault(); event.currentTarget.classList.add("over"); } },
      ondragleave: (event) => event.currentTarget.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        event.currentTarget.classList.remove("over");
        if (dragged) move(dragged, index - links.findIndex((other) => keyOf(other) === keyOf(dragged)));
        dragged = null;
      },
      ondragend: () => { dragged = null; } },
      h("span", { class: "grip faint" }, icon("grip")),
      h("span", { class: "grow" }, link.missing ? h("span", {}, name) : h("a", { href: `${to`/worlds/${world}/lore`}?book=${encodeURIComponent(link.book)}` }, name), " ",
        link.missing && h("span", { class: "chip bad" }, t("lore.missing"))),
      whom(link),
      h("span", { class: "actions" },
        [[-1, "↑", "lore.up"], [1, "↓", "lore.down"]].map(([by, sign, key]) => h("button", { type: "button", class: "quiet icon-only", disabled: by < 0 ? index === 0 : index === links.length - 1, dataset: { by: String(by) },
          "aria-label": t(key, { book: name }), title: t(key, { book: name }), onclick: () => move(link, by) }, sign)),
        h("button", { type: "button", class: "quiet icon-only", "aria-label": t("lore.unlink", { book: name }), title: t("lore.unlink", { book: name }), onclick: () => drop(link) }, icon("close"))));
  }

  function draw() {
    replace(root, word, h("div", { class: "bar" }, h("h2", { class: "grow", id: "stack-title" }, t("lore.stack")), h("button", { type: "button", onclick: guarded(add) }, icon("plus"), t("lore.addBook"))),
      links.length ? [h("p", { class: "hint" }, t("lore.stackText")), h("ol", { class: "stack-list" }, links.map(row))] : h("p", { class: "faint" }, t("lore.stackEmpty")));
  }

  /** For whom a book is added. */
  async function add() {
    const [books, conversations] = await Promise.all([all("/v1/books", {}, { most: 500, signal }), all(at`/v1/worlds/${world}/conversations`, {}, { most: 200, signal })]);
    if (books.length === 0) return say(t("lore.libraryEmptyFirst"));
    const book = h("select", {}, books.map((one) => h("option", { value: one.id }, one.name || one.id)));
    const who = h("select", {}, h("option", { value: "{}" }, t("lore.forEverybody")),
      characters.filter((one) => one.kind !== "narrator").map((one) => h("option", { value: JSON.stringify({ character: one.id }) }, t("lore.forCharacter", { name: nameOf(one.id) }))),
      conversations.map((one) => h("option", { value: JSON.stringify({ conversation: one.id }) }, t("lore.inConversation", { name: one.name || one.participants.map(nameOf).join(t("lore.comma")) || one.id }))));
    return dialog(t("lore.addBook"), [field(t("lore.book"), book), field(t("lore.forWhom"), who)], { agree: t("lore.addIt"), submit: async (close) => {
      const link = { book: book.value, ...JSON.parse(who.value) };
      await write(link, links.length ? links.at(-1).rank + 1 : 0);
      close();
      await load();
      say(t("lore.linked"), { undo: async () => { await remove(one(link), scopeOf(link)); await load(); } });
    } });
  }

  root.load = load;
  draw();
  return root;
}
