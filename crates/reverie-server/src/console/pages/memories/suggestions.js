// What is worth raising now, and what will soon be out of reach?

import { all, at, get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { meter } from "../../parts/counts.js";
import { happened } from "../../parts/dates.js";
import { icon } from "../../parts/icon.js";
import { guarded } from "../../parts/toast.js";
import { t, term } from "../../words.js";
import { changeAndTell } from "./changing.js";
import { saying } from "./saying.js";

const MOST = 40;

export function suggestionsView(page) {
  const where = h("select", { onchange: guarded(() => draw()) }, h("option", { value: "" }, t("suggestions.anywhere")));
  const waiting = () => h("ul", { class: "suggestions plain" }, h("li", { class: "faint" }, t("list.loading")));
  const [raise, fading] = [waiting(), waiting()];
  const box = h("div", { class: "view scrolling" },
    h("p", { class: "bar" }, h("label", { class: "bar" }, h("span", {}, t("suggestions.where")), where)),
    h("div", { class: "split" },
      h("section", {}, h("h2", {}, t("suggestions.raise")), raise),
      h("section", {}, h("h2", {}, t("suggestions.fading")), fading)));
  let hasPlaces = false;

  async function draw() {
    if (!hasPlaces) {
      hasPlaces = true;
      const conversations = await all(at`/v1/worlds/${page.world}/conversations`, { newest_first: true }, { most: 200, signal: page.signal });
      const joined = conversations.filter((one) => one.participants.includes(page.character) || one.present.includes(page.character));
      where.append(...joined.map((one) => h("option", { value: one.id }, one.name ?? one.participants.map(page.name).join(page.comma))));
    }
    const { items } = await get(at`/v1/worlds/${page.world}/characters/${page.character}/suggestions`, { conversation: where.value, limit: MOST }, { signal: page.signal });
    const isFading = (one) => one.occasion === "fading";
    fill(raise, items.filter((one) => !isFading(one)), "suggestions.noneRaise");
    fill(fading, items.filter(isFading), "suggestions.noneFading");
  }

  function fill(list, items, none) {
    // Somebody may be on a button in here; the same list is not drawn twice.
    const text = JSON.stringify(items);
    if (list.dataset.shown === text) return;
    list.dataset.shown = text;
    replace(list, items.length > 0 ? items.map((one) => h("li", {}, card(one))) : h("li", { class: "faint" }, t(none)));
  }

  function card(one) {
    const text = saying(one);
    return h("article", { class: "card suggestion", dataset: { kind: one.kind } },
      h("button", { type: "button", class: "quiet suggestion-open", dataset: { memory: one.id }, onclick: () => page.open(one.id) }, h("span", { class: "memory-text" }, text.slice(0, 400))),
      h("p", { class: "chip-row" }, h("span", { class: "chip accent" }, term("occasion", one.occasion)), h("span", { class: "chip", dataset: { kind: one.kind } }, term("kind", one.kind)), h("span", { class: "faint small" }, happened(page.world, one))),
      h("div", { class: "bar" }, one.activity !== undefined && meter(t("memories.activity"), one.activity), h("span", { class: "grow" }),
        h("button", { type: "button", class: "quiet", "aria-label": t("suggestions.keepOf", { text: text.slice(0, 60) }), onclick: guarded(() => changeAndTell(page.world, one.id, { holder: page.character }, { pinned: true }, t("memory.doPin"), page.changed)) }, icon("pin"), t("suggestions.keep"))));
  }

  box.reload = draw;
  box.follow = draw;
  box.items = () => [];
  for (const name of ["refresh", "update", "drop"]) box[name] = () => {};
  box.focusRow = (id) => box.querySelector(`[data-memory="${CSS.escape(id)}"]`)?.focus();
  return box;
}
