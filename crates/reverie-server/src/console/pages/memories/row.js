// One memory in a list.

import { h } from "../../dom.js";
import { meter } from "../../parts/counts.js";
import { happened } from "../../parts/dates.js";
import { icon } from "../../parts/icon.js";
import { number, share, t, term } from "../../words.js";
import { memoryDraft } from "./editor.js";
import { saying } from "./saying.js";

const MOST_PEOPLE = 3;
const MOST_TEXT = 400; // Two lines are seen.
const GAP = 4;

const ROW_HEIGHT = 88;
const NARROW_ROW_HEIGHT = 124; // What stands in one line elsewhere breaks.
export const narrow = matchMedia("(max-width: 52rem)");

export const rowHeight = () => (narrow.matches ? NARROW_ROW_HEIGHT : ROW_HEIGHT);

/** What has no room in its line is left out whole; how many those are stands at its end. */
const fitting = new ResizeObserver((seen) => {
  for (const meta of new Set(seen.map(({ target }) => target.closest(".memory-meta")))) if (meta?.clientWidth > 0) fit(meta);
});

function fit(meta) {
  const all = [...meta.children].filter((one) => !one.classList.contains("more"));
  const isLast = (one) => one.offsetTop + one.offsetHeight >= meta.clientHeight - 12;
  const hasRoom = (one, right) => one.offsetTop + one.offsetHeight <= meta.clientHeight + 2 && (!isLast(one) || one.offsetLeft + one.offsetWidth <= right);
  const without = (right) => all.filter((one) => !hasRoom(one, right));
  meta.querySelector(":scope > .more")?.remove();
  let cut = without(meta.clientWidth);
  if (cut.length > 0) {
    const more = meta.appendChild(h("span", { class: "chip more" }, `+${number(cut.length)}`));
    cut = without(meta.clientWidth - more.offsetWidth - GAP);
    more.textContent = `+${number(cut.length)}`;
  }
  for (const one of all) one.classList.toggle("cut", cut.includes(one));
}

export function memoryRow(memory, index, page) {
  const text = saying(memory).slice(0, MOST_TEXT);
  const isOpen = page.openId() === memory.id;
  const box = h("input", {
    type: "checkbox",
    dataset: { control: "select" },
    checked: page.selection.has(memory.id),
    "aria-label": t("memories.select", { text: text.slice(0, 60) }),
    onchange: () => page.selection.toggle(memory, box.checked),
  });
  const meta = h("span", { class: "memory-meta" }, marks(memory, page));
  // Of a date the words may come later.
  for (const one of [meta, meta.querySelector(".memory-when")]) fitting.observe(one);
  return h("div", { class: isOpen ? "memory open" : "memory", dataset: { kind: memory.kind, index } },
    h("label", { class: "memory-select" }, box),
    h("button", { type: "button", class: "memory-open", dataset: { control: "open" }, "aria-current": isOpen ? "true" : null, onclick: () => page.open(memory.id) },
      h("span", { class: "memory-text" }, text),
      meta),
    h("div", { class: "memory-side" },
      memory.pinned && h("span", { class: "pinned", role: "img", "aria-label": t("memories.pinned"), title: t("memories.pinned") }, icon("pin")),
      memory.activity !== undefined && memory.layer && meter(t("memories.activity"), memory.activity, memory.dormant ? "asleep" : "")));
}

function marks(memory, page) {
  const others = memory.about.filter((id) => id !== page.character);
  const names = others.slice(0, MOST_PEOPLE).map(page.name);
  return [
    h("span", { class: "chip", dataset: { kind: memory.kind } }, term("kind", memory.kind)),
    h("span", { class: "memory-when" }, happened(page.world, memory)),
    memory.layer && h("span", { class: "chip" }, term("layer", memory.layer)),
    memory.dormant && h("span", { class: "chip warn" }, term("dormant", memory.dormant)),
    memory.score !== undefined && h("span", { class: "chip accent" }, t("memories.score", { score: memory.score <= 1 ? share(memory.score) : number(memory.score, { maximumFractionDigits: 1 }) })),
    memory.from.length > 0 && h("span", { class: "chip" }, t("memories.sums", { n: number(memory.from.length) })),
    names.length > 0 && h("span", { class: "memory-people" }, names.join(page.comma) + (others.length > MOST_PEOPLE ? ` +${others.length - MOST_PEOPLE}` : "")),
    memory.emotions.slice(0, 2).map((emotion) => h("span", { class: "chip" }, emotion)),
    memoryDraft(page.world, { id: memory.id, holder: page.character }) && h("span", { class: "chip warn" }, t("memories.unsaved")),
    memory.own_text !== undefined && h("span", { class: "chip" }, t("memories.reworded")),
    memory.forgotten === false && memory.live === false && h("span", { class: "chip warn" }, t("memories.notLive")),
  ];
}
