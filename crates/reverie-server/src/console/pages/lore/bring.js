// How do books come in and go out? Files of any tool are dropped; what a format cannot say is told before a file is saved.

import { ApiError, at, download, get, put, send } from "../../api.js";
import { h, replace } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { complain } from "../../parts/toast.js";
import { inWords, noted } from "../../parts/trouble.js";
import { to } from "../../router.js";
import { t, term } from "../../words.js";
import { entryCount } from "./fields.js";

export const FORMATS = ["sillytavern", "character_book_v2", "character_book_v3", "lorebook_v3", "risu", "agnai", "novelai"];

const stem = (file) => file.name.replace(/\.[^.]+$/, "").trim() || "book";

/** Puts a file as a book; never over one that is there, unless the person says so. */
async function bring(file, id, over) {
  const query = over ? undefined : { expected_revision: 0 };
  try {
    const response = await send("PUT", at`/v1/books/${id}`, { body: file, query });
    return { book: await response.json() };
  } catch (error) {
    if (error instanceof ApiError && error.status === 409 && !over) return { isTaken: true };
    // A card is no book, but there may be one on it; the server says where it belongs.
    if (!(error instanceof ApiError) || !error.hint?.includes("/v1/cards/")) throw error;
    const card = await (await send("PUT", at`/v1/cards/${id}`, { body: file })).json();
    if (!card.book) throw new Error(t("lore.cardWithoutBook", { card: card.name }));
    const book = await get(at`/v1/books/${card.book}`);
    return { book: { ...book, warnings: card.warnings }, card };
  }
}

/** Asks what to do with a file whose name is taken: an id, or null. */
function askForName(id) {
  return new Promise((resolve) => {
    const input = h("input", { type: "text", value: `${id} 2`, required: true });
    const box = dialog(t("lore.taken", { book: id }), [
      h("p", {}, t("lore.takenText")),
      field(t("lore.otherName"), input),
      h("p", {}, h("button", { type: "button", onclick: () => { resolve({ id, over: true }); box.close(); } }, t("lore.replaceIt"))),
    ], { agree: t("lore.keepBoth"), submit: (close) => { resolve({ id: input.value.trim() }); close(); } });
    box.addEventListener("close", () => resolve(null));
  });
}

/** Takes files into the library and, if there is one, into a world; tells what was odd. Gives the books. */
export async function takeFiles(files, world) {
  const told = [];
  const books = [];
  const links = world ? (await get(at`/v1/worlds/${world}/lore`)).books : [];
  let rank = Math.max(-1, ...links.map((link) => link.rank));
  for (const file of files) {
    try {
      let way = { id: stem(file) };
      let result = await bring(file, way.id);
      while (result.isTaken) {
        way = await askForName(way.id);
        if (!way?.id) break;
        result = await bring(file, way.id, way.over);
      }
      if (!result.book) continue;
      books.push(result.book);
      if (world && !links.some((link) => link.book === result.book.id)) await put(at`/v1/worlds/${world}/lore/${result.book.id}`, { rank: ++rank });
      told.push(h("section", {}, h("h3", {}, result.book.name || result.book.id),
        h("p", {}, h("span", { class: "chip" }, term("format", result.book.format)), " ", entryCount(result.book.entries), " ",
          h("a", { href: `${world ? to`/worlds/${world}/lore` : "#/lore"}?book=${encodeURIComponent(result.book.id)}`, onclick: (event) => event.target.closest("dialog").close() }, t("lore.open"))),
        result.card && h("p", { class: "hint" }, t("lore.cameWithCard", { card: result.card.name })),
        result.book.warnings.length > 0 && [h("p", { class: "hint" }, t("lore.warnings")), h("ul", { class: "warnings" }, result.book.warnings.map((one) => h("li", {}, noted(one))))]));
    } catch (error) {
      if (files.length === 1) throw error;
      told.push(h("section", {}, h("h3", {}, file.name), h("p", { class: "refused" }, inWords(error))));
    }
  }
  if (told.length) dialog(world ? t("lore.takenInWorld") : t("lore.takenIn"), told);
  return books;
}

/** Saves a book as a file, in its own format or another. */
export function exportDialog(about) {
  const report = h("div", { "aria-live": "polite" });
  const select = h("select", { onchange: () => look() }, FORMATS.map((format) => h("option", { value: format, selected: format === about.format }, format === about.format ? t("lore.ownFormat", { format: term("format", format) }) : term("format", format))));
  async function look() {
    const format = select.value;
    replace(report, h("p", { class: "faint" }, t("list.loading")));
    try {
      const { warnings } = await get(at`/v1/books/${about.id}/document`, { format, report: true });
      if (select.value !== format) return;
      replace(report, warnings.length === 0
        ? h("p", {}, h("span", { class: "chip good" }, t("lore.saysAll")))
        : [h("p", {}, t("lore.cannotSay")), h("ul", { class: "warnings" }, warnings.map((one) => h("li", {}, noted(one))))]);
    } catch (error) {
      replace(report);
      complain(error);
    }
  }
  dialog(t("lore.exportOf", { book: about.name || about.id }), [field(t("lore.format"), select), report], { agree: t("lore.download"), submit: async (close) => {
    await download(at`/v1/books/${about.id}/document`, { format: select.value }, `${about.name || about.id}.json`);
    close();
  } });
  look();
}

