// Who is there, what each one knows, and how much of it is within reach?

import { at, get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { KINDS, kindBar, layerBars, meter } from "../../parts/counts.js";
import { icon } from "../../parts/icon.js";
import { pagedCards } from "../../parts/paged.js";
import { portrait } from "../../parts/portrait.js";
import { whenSeen } from "../../parts/seen.js";
import { empty } from "../../parts/states.js";
import { to } from "../../router.js";
import { number, t, term } from "../../words.js";
import { saying } from "../memories/saying.js";
import { editCharacter } from "./character.js";

const PAGE = 24;
const KNOWN = 3;

export function cast(world, signal) {
  const cards = pagedCards({
    className: "cards cast",
    key: ({ character }) => character.id,
    card: ({ character, stats }) => castCard(world, character, stats, signal, () => cards.reload()),
    empty: () => empty(t("world.noCast"), t("world.noCastText"),
      h("a", { class: "button", href: "#/" }, t("world.toStart")),
      h("button", { type: "button", class: "primary", onclick: () => editCharacter(world, null, () => cards.reload()) }, t("world.newCharacter"))),
    async load(cursor) {
      const page = await get(at`/v1/worlds/${world}/characters`, { limit: PAGE, cursor }, { signal });
      if (page.items.length === 0) return page;
      // Both lists are in the order of ids.
      const stats = await get(at`/v1/worlds/${world}/stats`, { limit: PAGE, cursor }, { signal });
      const byId = new Map(stats.by_character.items.map((one) => [one.character, one]));
      return { items: page.items.map((character) => ({ character, stats: byId.get(character.id) })), next: page.next };
    },
  });
  return cards;
}

function castCard(world, character, stats, signal, changed) {
  const name = character.display_name || character.id;
  const address = to`/worlds/${world}/characters/${character.id}`;
  const known = h("div", { class: "known" });
  const card = h("article", { class: "card cast-card" },
    h("div", { class: "who" }, portrait(character),
      h("div", { class: "grow" }, h("h3", {}, h("a", { href: address, dataset: { control: "name" } }, name)),
        h("p", { class: "chip-row" }, name !== character.id && h("code", { class: "faint" }, character.id), character.kind === "narrator" && h("span", { class: "chip" }, t("world.narrator")))),
      h("button", { type: "button", class: "quiet icon-only", dataset: { control: "edit" }, title: t("world.edit"), "aria-label": t("world.editOf", { name }), onclick: () => editCharacter(world, character, changed) }, icon("edit"))),
    stats && stats.memories > 0 ? figures(stats) : character.kind === "narrator" ? null : h("p", { class: "faint small" }, t("world.noMemories")),
    known,
    h("p", { class: "actions" },
      h("a", { class: "button quiet", href: address, dataset: { control: "memories" } }, icon("moon"), t("world.memoriesCount", { n: number((stats?.memories ?? 0) - (stats?.repeats ?? 0)) })),
      character.kind !== "narrator" && h("a", { class: "button quiet", dataset: { control: "why" }, href: `${to`/worlds/${world}/why`}?character=${encodeURIComponent(character.id)}`, "aria-label": t("world.whyOf", { name }) }, icon("question"), t("world.why"))));
  if (stats?.memories > 0) whenSeen(card, signal, () => tellWhatIsKnown(world, character, known, signal));
  return card;
}

function figures(stats) {
  const asleep = Object.values(stats.dormant).reduce((sum, count) => sum + count, 0);
  const awake = stats.memories - asleep;
  const told = t("world.awake", { n: number(awake), all: number(stats.memories) });
  return h("div", { class: "cast-figures" },
    kindBar(stats.by_kind),
    layerBars(stats.by_layer),
    h("div", { class: "awake" }, meter(told, awake / stats.memories), h("p", { class: "small faint" }, [told, stats.repeats > 0 && t("world.repeats", { n: number(stats.repeats) }), stats.pinned > 0 && t("world.pinned", { n: number(stats.pinned) })].filter(Boolean).join(" · "))));
}

/** Facts, traits and goals say it best; whoever has none is known by what it lived through lately. */
async function tellWhatIsKnown(world, character, known, signal) {
  const path = at`/v1/worlds/${world}/characters/${character.id}/memories`;
  const lasting = await get(path, { kind: KINDS.filter((kind) => kind !== "episodic"), newest: true, limit: KNOWN }, { signal });
  const memories = lasting.items.length > 0 ? lasting.items : (await get(path, { layer: ["active", "situational"], newest: true, limit: 1 }, { signal })).items;
  if (memories.length === 0) return;
  replace(known,
    h("h4", {}, t(lasting.items.length > 0 ? "world.knows" : "world.lately")),
    h("ul", {}, memories.map((memory) => h("li", {},
      h("a", { href: `${to`/worlds/${world}/characters/${character.id}`}?memory=${memory.id}`, title: memory.text }, saying(memory)),
      memory.kind !== "episodic" && [" ", h("span", { class: "chip", dataset: { kind: memory.kind } }, term("kind", memory.kind))]))));
}
