// One file that was dropped: what it is, what must be asked, and what came of it.

import { freshId, h, replace } from "../../dom.js";
import { field } from "../dialog.js";
import { icon } from "../icon.js";
import { inWords, noted } from "../trouble.js";
import { number, t } from "../../words.js";
import { to } from "../../router.js";
import { bringBook, bringCard, bringChat, bringWorld, cardId, freeId } from "./bring.js";

const GLYPHS = { card: "people", book: "book", memories: "book", chat: "talk", world: "globe", unknown: "question" };

/**
 * `shelf` knows what is there (`cards`, `books`, `worlds`); `where()` makes sure of the world and gives its id. The element has
 * `kind`, `isOpen()`, `bring()`, `worldChanged(id, isThere)`, and calls `changed()` when it is done or left alone.
 */
export function arrival(found, shelf, where, changed) {
  const questions = h("div", { class: "fields" });
  const outcome = h("div", { class: "outcome", role: "status" });
  const actions = h("p", { class: "actions" });
  const asked = ask(found, shelf, questions);
  let isOpen = found.kind !== "unknown";
  let isBusy = false;

  const leave = () => {
    isOpen = false;
    element.remove();
    changed();
  };
  const bringing = h("button", { type: "button", class: "primary", onclick: () => element.bring() }, t("files.bring"));
  const element = h("article", { class: "arrival", dataset: { kind: found.kind } },
    found.kind === "card" && found.file.type === "image/png" ? thumbnail(found.file) : icon(GLYPHS[found.kind]),
    h("div", { class: "stack" },
      h("div", {},
        h("h3", {}, h("span", { class: "filename" }, found.file.name), " ", h("span", { class: isOpen ? "chip accent" : "chip warn" }, t(`files.kind.${found.kind}`))),
        h("p", { class: "faint" }, describe(found))),
      questions, outcome, actions));
  replace(actions, isOpen && bringing, h("button", { type: "button", class: "quiet", onclick: leave }, t("files.leave")));

  element.kind = found.kind;
  element.worldChanged = (world, isThere) => questions.worldChanged?.(world, isThere);
  element.isOpen = () => isOpen;
  element.bring = async () => {
    if (!isOpen || isBusy) return;
    isBusy = true;
    bringing.disabled = true;
    bringing.textContent = t("files.bringing");
    try {
      const needsWorld = found.kind !== "world";
      const world = needsWorld ? await where() : "";
      const came = await asked(world);
      isOpen = false;
      replace(questions);
      replace(actions, came.links);
      replace(outcome, h("p", { class: "came" }, came.text), came.warnings?.length > 0 && oddities(came.warnings));
      element.classList.add("done");
      changed(came);
    } catch (error) {
      replace(outcome, h("p", { class: "went-wrong" }, inWords(error)));
    } finally {
      isBusy = false;
      bringing.disabled = false;
      bringing.textContent = t("files.bring");
    }
  };
  return element;
}

/** The picture of a card, as it was dropped. */
function thumbnail(file) {
  const url = URL.createObjectURL(file);
  return h("span", { class: "portrait", "aria-hidden": "true" }, h("img", { src: url, alt: "", onload: () => URL.revokeObjectURL(url) }));
}

/** What it is, in a sentence. */
export function describe(found) {
  const { kind, name, stem, greetings, entries, user, character, looks } = found;
  if (kind === "unknown") return t(`files.looks.${looks}`);
  if (kind === "card") return t(entries ? "files.is.cardBook" : "files.is.card", { name: name || stem, greetings: number(greetings), entries: number(entries) });
  if (kind === "book") return t("files.is.book", { entries: number(entries) });
  if (kind === "chat" && user && character && user !== "unused") return t("files.is.chatOf", { user, character });
  return t(`files.is.${kind}`);
}

const oddities = (warnings) => h("details", {}, h("summary", {}, t("files.oddities", { count: number(warnings.length) })), h("ul", {}, warnings.map((one) => h("li", {}, noted(one)))));
const link = (href, words) => h("a", { class: "button", href }, words);

/** Fills in what must be asked, and gives back what is to be done then. */
function ask(found, shelf, questions) {
  if (found.kind === "card") return askCard(found, shelf, questions);
  if (found.kind === "book" || found.kind === "memories") return askBook(found, shelf, questions);
  if (found.kind === "world") return askWorld(found, shelf, questions);
  return async (world) => {
    const chat = await bringChat(found.file, { world });
    return {
      world,
      text: t("files.cameChat", { lines: number(chat.lines), fresh: number(chat.new_lines) }),
      warnings: chat.degraded,
      links: [link(to`/worlds/${world}/conversations/${chat.conversation}`, t("files.open.conversation")), link(to`/worlds/${world}`, t("files.open.cast"))],
    };
  };
}

/** A name in the library. It is asked for only where it is taken: to replace what has it, or to choose another one. */
function idField(id, taken) {
  const hint = h("span", { class: "hint" });
  const input = h("input", { type: "text", value: id, maxlength: 120, autocomplete: "off", oninput: () => tell() });
  const tell = () => { hint.textContent = taken.has(input.value.trim()) ? t("files.replaces", { id: input.value.trim() }) : ""; };
  tell();
  const element = taken.has(id) && h("label", { class: "field" }, h("span", { class: "label" }, t("files.asId")), input, hint);
  return { element, value: () => input.value.trim() || id };
}

function askCard(found, shelf, questions) {
  const name = found.name || found.stem;
  const known = h("datalist", { id: freshId("cast") });
  const who = h("input", { type: "text", value: name, maxlength: 100, autocomplete: "off", list: known.id });
  const whoField = field(t("files.who"), who, t("files.whoHint"));
  const id = idField(cardId(found, shelf.cards), shelf.cards);
  replace(questions, whoField, id.element, known);
  questions.worldChanged = async (world, isThere) => {
    whoField.hidden = !world;
    replace(known, (isThere ? await shelf.characters(world) : []).map((one) => h("option", { value: one.id }, one.display_name || one.id)));
  };
  return async (world) => {
    const character = who.value.trim() || name;
    const came = await bringCard(found.file, { id: id.value(), world, character });
    shelf.cards.set(came.card.id, came.card.name);
    const called = came.character?.display_name ?? came.card.name;
    return {
      world,
      character: came.character?.id,
      text: came.character ? t("files.cameCharacter", { name: called, world }) : t("files.cameCard", { name: called }),
      warnings: came.card.warnings,
      links: came.character
        ? [link(to`/worlds/${world}/characters/${character}`, t("files.open.character", { name: called })), came.card.book && link(to`/worlds/${world}/lore`, t("files.open.lore"))]
        : [],
    };
  };
}

function askBook(found, shelf, questions) {
  const everybody = found.kind === "book";
  const whom = h("select", {});
  const whomField = field(t("files.for"), whom);
  const id = idField(found.stem, shelf.books);
  const fillIn = (characters) => {
    const had = whom.value;
    replace(whom, everybody && h("option", { value: "" }, t("files.everybody")), characters.map((one) => h("option", { value: one.id, selected: one.id === had }, one.display_name || one.id)));
  };
  fillIn([]);
  replace(questions, whomField, id.element);
  questions.worldChanged = async (world, isThere) => {
    whomField.hidden = !world;
    fillIn(isThere ? await shelf.characters(world) : []);
  };
  return async (world) => {
    const came = await bringBook(found.file, { id: id.value(), world, character: whom.value || undefined });
    shelf.books.set(came.book.id, came.book.name);
    const values = { name: came.book.name, entries: number(came.book.entries), world };
    return {
      world,
      book: came.book.id,
      text: t(came.link ? "files.cameLink" : "files.cameBook", values),
      warnings: came.book.warnings,
      links: [link(world ? to`/worlds/${world}/lore` : "#/lore", t("files.open.lore"))],
    };
  };
}

function askWorld(found, shelf, questions) {
  const id = h("input", { type: "text", value: freeId(found.id ?? found.stem, shelf.worlds), maxlength: 100, autocomplete: "off" });
  replace(questions, field(t("files.worldId"), id));
  return async () => {
    const made = await bringWorld(found.file, { id: id.value.trim() });
    const world = made.id ?? id.value.trim();
    shelf.worlds.add(world);
    dispatchEvent(new Event("reverie:worlds"));
    return { world, text: t("files.cameWorld", { world }), links: [link(to`/worlds/${world}`, t("files.open.world"))] };
  };
}
