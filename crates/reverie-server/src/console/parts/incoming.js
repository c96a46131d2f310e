// A place to drop files of any kind: they are recognised, what must be asked is asked, and they come in.

import { all, at } from "../api.js";
import { h, replace } from "../dom.js";
import { dropZone } from "./drop.js";
import { arrival } from "./files/arrival.js";
import { known } from "./files/bring.js";
import { recognise } from "./files/recognise.js";
import { worldChoice } from "./world-choice.js";
import { learn, number, t } from "../words.js";
import words from "../words/files.js";

learn(words);

/** Characters to choose from, where a book is for one of them. */
const MOST_CHARACTERS = 500;

/** `world`: the one that is chosen at first. `came(what)` hears of everything that came in. */
export function incoming({ world, came, signal } = {}) {
  const list = h("div", { class: "arrivals" });
  const together = h("div", { class: "together" });
  const zone = dropZone(t("files.drop"), take, { hint: `${t("files.choose")} · ${t("files.hint")}` });
  const element = h("div", { class: "incoming stack" }, zone, together, list);
  /** Who is in which world; whoever just came is among them, so it is read anew after each import. */
  const casts = new Map();
  let shelf = null;
  let choice = null;

  async function look() {
    const [cards, books, worlds] = await Promise.all([known("cards", signal), known("books", signal), all("/v1/worlds", {}, { most: 500, signal })]);
    const characters = (id) => {
      if (!casts.has(id)) casts.set(id, all(at`/v1/worlds/${id}/characters`, {}, { most: MOST_CHARACTERS, signal }).catch(() => []));
      return casts.get(id);
    };
    shelf = { cards, books, worlds: new Set(worlds.map((one) => one.id)), characters };
    choice = await worldChoice({ world, label: t("files.into"), optional: t("files.library"), changed: tellWorld, signal });
  }

  const open = () => [...list.children].filter((one) => one.isOpen());

  function tellWorld() {
    const id = choice.chosen();
    for (const one of list.children) one.worldChanged(id, shelf.worlds.has(id));
  }

  function draw() {
    const waiting = open();
    const needWorld = waiting.some((one) => one.kind !== "world");
    replace(together, needWorld && choice,
      waiting.length > 1 && h("button", { type: "button", class: "primary", onclick: bringAll }, t("files.bringAll", { count: number(waiting.length) })));
  }

  async function bringAll() {
    for (const one of open()) await one.bring();
    // The button is gone with what it was for.
    const [next] = [...element.querySelectorAll(".together button, .arrival a, .arrival button")];
    if (next && document.activeElement === document.body) next.focus();
  }

  async function where(kind) {
    // Lines need a world; a card or a book may stay in the library.
    if (!choice.chosen() && kind === "chat") {
      choice.querySelector("select").focus();
      throw new Error(t("files.into"));
    }
    return choice.ready();
  }

  async function take(files) {
    if (!shelf) await look();
    const before = list.firstElementChild;
    for (const file of files) {
      const found = await recognise(file);
      if (["card", "book", "memories"].includes(found.kind)) choice.suggest(found.name || found.stem);
      else if (found.kind === "chat") choice.suggest(found.character && found.character !== "unused" ? found.character : found.stem);
      list.insertBefore(arrival(found, shelf, () => where(found.kind), (what) => {
        if (what) {
          if (what.world) shelf.worlds.add(what.world);
          casts.clear();
          tellWorld();
          came?.(what);
        }
        draw();
      }), before?.isConnected ? before : null);
    }
    draw();
    tellWorld();
    list.firstElementChild?.querySelector("button.primary")?.focus();
  }

  element.take = take;
  return element;
}
