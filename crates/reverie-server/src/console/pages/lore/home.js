// The library, and what a world takes from it.

import { at, get, put } from "../../api.js";
import { h, replace } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { catchFiles, dropZone } from "../../parts/drop.js";
import { icon } from "../../parts/icon.js";
import { guarded } from "../../parts/toast.js";
import { virtualList } from "../../parts/virtual.js";
import { go, to } from "../../router.js";
import { t, term } from "../../words.js";
import { entryCount } from "./fields.js";
import { takeFiles } from "./bring.js";
import { stack } from "./stack.js";

const ROW = 64;

export async function showHome(page, { world, characters, nameOf, signal }) {
  const home = world ? to`/worlds/${world}/lore` : "#/lore";
  const known = new Map();
  const bookName = (id) => known.get(id)?.name || id;

  const list = virtualList({
    label: t("lore.library"),
    rowHeight: ROW,
    load: async (cursor) => {
      const found = await get("/v1/books", { limit: 100, cursor }, { signal });
      for (const book of found.items) known.set(book.id, book);
      return found;
    },
    empty: () => h("p", { class: "empty" }, t("lore.libraryEmpty")),
    row: (book) => h("div", {}, h("a", { class: "book-row", href: `${home}?book=${encodeURIComponent(book.id)}` }, icon("book"),
      h("span", { class: "grow" }, h("span", { class: "book-name" }, book.name || book.id), h("span", { class: "faint small book-name" }, entryCount(book.entries), book.name && book.name !== book.id && ` · ${book.id}`)),
      h("span", { class: "chip" }, term("format", book.format)))),
  });
  const used = world ? stack({ world, bookName, nameOf, characters, signal }) : null;

  const take = async (files) => {
    const books = await takeFiles(files, world);
    if (books.length === 0) return;
    await list.reload();
    await used?.load();
  };

  const create = guarded(async () => {
    const name = h("input", { type: "text", required: true, autofocus: true });
    dialog(t("lore.newBook"), field(t("lore.bookName"), name), { agree: t("lore.create"), submit: async (close) => {
      const id = name.value.trim();
      await put(at`/v1/books/${id}`, { name: id }, { query: { expected_revision: 0 } });
      if (world) await put(at`/v1/worlds/${world}/lore/${id}`, {});
      close();
      go(`${home}?book=${encodeURIComponent(id)}`);
    } });
  });

  replace(page,
    h("div", { class: "head" }, h("div", { class: "grow" }, h("h1", {}, world ? t("lore.title") : t("lore.library")), h("p", { class: "hint" }, world ? t("lore.intro") : t("lore.introLibrary"))),
      world && h("a", { class: "button", href: `${home}?tab=try` }, icon("spark"), t("lore.tryAll")),
      h("button", { type: "button", class: "primary", onclick: create }, icon("plus"), t("lore.newBook"))),
    h("div", { class: world ? "split" : "" },
      used,
      h("section", { class: "library", "aria-labelledby": "library-title" },
        world && h("h2", { id: "library-title" }, t("lore.library")), !world && h("h2", { id: "library-title", class: "visually-hidden" }, t("lore.library")),
        list,
        dropZone(t("lore.dropHere"), take, { hint: world ? t("lore.dropHintWorld") : t("lore.dropHint") }))));
  catchFiles(page, take);
  await list.reload();
  await used?.load();
}
