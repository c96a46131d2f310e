// Which worlds are there? All of them; making one, bringing one in, letting one go.

import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { catchFiles, dropZone } from "../parts/drop.js";
import { icon } from "../parts/icon.js";
import { pagedCards } from "../parts/paged.js";
import { empty } from "../parts/states.js";
import { learn, t } from "../words.js";
import words from "../words/worlds.js";
import { worldCard } from "./worlds/card.js";
import { importWorlds } from "./worlds/importing.js";
import { makeWorld } from "./worlds/making.js";

learn(words);

const PAGE = 48;
const LOOK_AGAIN_MS = 5000;

export async function show(page, { signal }) {
  const make = () => h("button", { type: "button", class: "primary", onclick: () => makeWorld() }, icon("plus"), t("worlds.new"));
  const cards = pagedCards({
    load: (cursor) => get("/v1/worlds", { limit: PAGE, cursor }, { signal }),
    card: (world) => worldCard(world, { signal, gone: () => cards.reload() }),
    empty: () => empty(t("worlds.none"), t("worlds.noneText"), make()),
  });
  const take = (files) => importWorlds(files, () => cards.reload());
  replace(page,
    h("div", { class: "head" }, h("div", { class: "grow" }, h("h1", {}, t("worlds.title"))), make()),
    h("p", { class: "faint" }, t("worlds.intro")),
    cards,
    dropZone(t("worlds.drop"), take, { hint: t("worlds.dropHint"), accept: ".jsonl,.json,.txt,.save" }));
  catchFiles(page, take);
  await cards.reload();
  follow(cards, signal);
}

/** Clients make worlds at any time. */
function follow(cards, signal) {
  const timer = setInterval(() => {
    if (!document.hidden) cards.reload().catch(() => {}); // The page itself says what is wrong when it is asked for something.
  }, LOOK_AGAIN_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}
