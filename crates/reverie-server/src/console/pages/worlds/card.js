// One world among others: what it is, how much is in it, and the way to delete it.

import { at, download, get, LONG_PATIENCE_MS, remove } from "../../api.js";
import { h, replace } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { icon } from "../../parts/icon.js";
import { guarded, say } from "../../parts/toast.js";
import { whenSeen } from "../../parts/seen.js";
import { since } from "../../parts/since.js";
import { to } from "../../router.js";
import { worldsChanged } from "../../shell.js";
import { number, t, term } from "../../words.js";

export function worldCard(world, { signal, gone }) {
  const counts = h("p", { class: "faint small" }, "…");
  const card = h("article", { class: "card world-card" },
    h("h2", {}, h("a", { href: to`/worlds/${world.id}`, dataset: { control: "open" } }, world.id)),
    h("p", { class: "chip-row" },
      h("span", { class: "chip accent" }, term("preset", world.preset)),
      world.forked_from && h("span", { class: "chip" }, t("worlds.forkedFrom", { id: world.forked_from })),
      world.created && h("span", { class: "chip" }, since(world.created, (when) => t("worlds.made.at", { when })))),
    counts,
    h("p", { class: "actions" },
      h("button", { type: "button", class: "quiet", dataset: { control: "delete" }, "aria-label": t("worlds.deleteOf", { id: world.id }), onclick: () => askToDelete(world.id, gone) }, icon("trash"), t("worlds.delete"))));
  whenSeen(card, signal, async () => {
    const stats = await get(at`/v1/worlds/${world.id}/stats`, { limit: 1 }, { signal });
    replace(counts, t("worlds.counts", { characters: number(stats.characters), lines: number(stats.lines), memories: number(stats.memories) }));
  });
  return card;
}

/** Nothing brings a world back: its name must be typed, and an export is offered. */
function askToDelete(id, gone) {
  const input = h("input", { autocomplete: "off", autofocus: true });
  dialog(t("worlds.deleteTitle", { id }), [
    h("p", {}, t("worlds.deleteText")),
    h("p", {}, h("button", { type: "button", onclick: guarded(() => download(at`/v1/worlds/${id}/export`, {}, `${id}.jsonl`)) }, icon("download"), t("worlds.exportFirst"))),
    field(t("worlds.deleteType", { id }), input),
  ], {
    agree: t("worlds.deleteForGood"),
    danger: true,
    async submit(close) {
      if (input.value.trim() !== id) throw new Error(t("worlds.mismatch"));
      await remove(at`/v1/worlds/${id}`, undefined, { patience: LONG_PATIENCE_MS });
      close();
      say(t("worlds.deleted", { id }));
      worldsChanged();
      await gone();
    },
  });
}
