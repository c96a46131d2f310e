// Lore: the library of world books, what a world uses of it, one book with its entries, and what they would say now.

import { h, replace } from "../dom.js";
import { to } from "../router.js";
import { names } from "../shell.js";
import { learn, t } from "../words.js";
import reasons from "../words/lore-reasons.js";
import fields from "../words/lore-fields.js";
import words from "../words/lore.js";
import { showBook } from "./lore/book.js";
import { showHome } from "./lore/home.js";
import { tryOut } from "./lore/try.js";

learn(words);
learn(fields);
learn(reasons);

export async function show(page, { world, query, signal }) {
  page.classList.add("lore");
  const { characters, name } = world ? await names(world, signal) : { characters: [], name: (id) => id };
  const context = { world, characters, nameOf: name, query, signal };
  if (query.get("book")) return showBook(page, { ...context, id: query.get("book") });
  if (world && query.get("tab") === "try") return showTry(page, context);
  return showHome(page, context);
}

/** All books of the world at once. */
function showTry(page, { world, characters, signal }) {
  page.classList.add("full");
  const home = to`/worlds/${world}/lore`;
  const panel = tryOut({ world, characters, signal, open: (book, entry) => { location.hash = `${home.slice(1)}?book=${encodeURIComponent(book)}&entry=${encodeURIComponent(entry)}`; } });
  replace(page, h("div", { class: "head" }, h("div", { class: "grow" }, h("p", { class: "crumb" }, h("a", { href: home }, t("lore.title"))), h("h1", {}, t("lore.tryAll")))), panel.element);
  panel.run();
}
