// What is in this world? Who is there and what they know, the moments to come back to, and copies of all of it.

import { at, get } from "../api.js";
import { h, replace } from "../dom.js";
import { watch } from "../live.js";
import { happened } from "../parts/dates.js";
import { icon } from "../parts/icon.js";
import { whileSeen } from "../parts/seen.js";
import { learn, number, t, term } from "../words.js";
import words from "../words/worlds.js";
import { cast } from "./world/cast.js";
import { editCharacter } from "./world/character.js";
import { checkpoints } from "./world/checkpoints.js";
import { askToExport, askToFork } from "./world/copies.js";

learn(words);

export async function show(page, { world: id, revision, signal }) {
  const [world, stats] = await Promise.all([
    get(at`/v1/worlds/${id}`, undefined, { signal }),
    get(at`/v1/worlds/${id}/stats`, { limit: 1 }, { signal }),
  ]);
  const figures = h("dl", { class: "world-figures" });
  const people = cast(id, signal);
  const moments = checkpoints(id, signal, () => refresh());

  const refresh = whileSeen(signal, async (now) => {
    const [latest, fresh] = await Promise.all([now ?? get(at`/v1/worlds/${id}`, undefined, { signal }), get(at`/v1/worlds/${id}/stats`, { limit: 1 }, { signal })]);
    drawFigures(figures, latest, fresh);
    await Promise.all([people.reload(), moments.reload()]);
  });

  drawFigures(figures, world, stats);
  replace(page,
    h("div", { class: "head" },
      h("div", { class: "grow" }, h("h1", {}, id),
        h("p", { class: "chip-row" }, h("span", { class: "chip accent" }, term("preset", world.preset)),
          world.forked_from && h("span", { class: "chip" }, t("worlds.forkedFrom", { id: world.forked_from })),
          h("span", { class: "chip good live", title: t("world.liveTitle") }, t("world.live")))),
      h("p", { class: "actions" },
        h("button", { type: "button", onclick: () => askToFork(id) }, icon("branch"), t("copies.fork")),
        h("button", { type: "button", onclick: () => askToExport(id) }, icon("download"), t("copies.export")),
        h("button", { type: "button", class: "primary", onclick: () => editCharacter(id, null, () => people.reload()) }, icon("plus"), t("world.newCharacter")))),
    figures,
    h("section", { class: "world-section", "aria-labelledby": "cast-title" }, h("h2", { id: "cast-title" }, t("world.cast")), people),
    h("section", { class: "world-section", "aria-labelledby": "checkpoints-title" }, h("h2", { id: "checkpoints-title" }, t("checkpoints.title")), moments));
  await Promise.all([people.reload(), moments.reload()]);
  watch(id, signal, refresh, revision);
}

function drawFigures(figures, world, stats) {
  const told = [
    ["characters", stats.characters],
    ["conversations", stats.conversations],
    ["lines", stats.lines],
    ["memories", stats.memories],
    stats.rounds.closed > 0 && ["waiting", stats.rounds.closed],
    world.tick !== undefined && ["time", happened(world.id, { tick: world.tick })],
    ["revision", world.revision],
  ];
  replace(figures, told.filter(Boolean).map(([key, value]) => h("div", {}, h("dt", {}, t(`world.${key}`)), h("dd", {}, typeof value === "number" ? number(value) : value))));
}
