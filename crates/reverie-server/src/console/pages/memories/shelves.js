// Four shelves, as memories sink: from what was just said to whole eras. What sleeps lies below, apart.

import { get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { LAYERS, meter } from "../../parts/counts.js";
import { happened } from "../../parts/dates.js";
import { icon } from "../../parts/icon.js";
import { virtualList } from "../../parts/virtual.js";
import { number, share, t, term } from "../../words.js";
import { nothingWanted } from "./asking.js";
import { saying } from "./saying.js";

const PAGE = 50;
const ROW_HEIGHT = 112;

export function shelvesView(page) {
  const shelves = LAYERS.map((layer) => shelf(page, layer));
  const lasting = h("p", { class: "faint lasting" });
  const box = h("div", { class: "view shelves-view" }, h("div", { class: "shelves" }, shelves), lasting);

  function drawLasting() {
    const kinds = page.stats()?.by_kind ?? {};
    const count = (kinds.semantic ?? 0) + (kinds.trait ?? 0) + (kinds.goal ?? 0);
    replace(lasting, count > 0 && [t("shelves.lasting", { n: number(count) }), " ", h("button", { type: "button", class: "quiet", onclick: () => page.want({ ...nothingWanted(), kind: ["semantic", "trait", "goal"] }, "list") }, t("shelves.showLasting"))]);
  }

  box.reload = async (how) => {
    drawLasting();
    await Promise.all(shelves.map((one) => one.reload(how)));
    // What says the same as something on another shelf is known when both were read.
    box.refresh();
  };
  box.follow = () => box.reload({ keepPlace: true, isNews: true });
  box.items = () => shelves.flatMap((one) => one.items());
  box.refresh = () => shelves.forEach((one) => one.refresh());
  // What changed is another place on a shelf, perhaps on another one: they are read again anyway.
  for (const name of ["update", "drop"]) box[name] = () => {};
  box.focusRow = (id) => box.querySelector(`[data-memory="${CSS.escape(id)}"]`)?.focus();
  return box;
}

function shelf(page, layer) {
  const name = term("layer", layer);
  const rows = (label, dormant) => virtualList({
    label,
    rowHeight: ROW_HEIGHT,
    load: (cursor) => get(page.path, { layer, dormant, newest: true, limit: PAGE, cursor }, { signal: page.signal }),
    row: (memory) => spine(memory, page),
    loaded: () => tell(),
    empty: () => h("p", { class: "faint hollow" }, t("shelves.empty")),
  });
  const awake = rows(name, "false");
  let asleep = null;
  const count = h("span", { class: "faint" });
  const asleepCount = h("span", { class: "faint" });

  /** Both together are counted by the server; how many of them are awake is known when all of those are read, or nothing sleeps. */
  function tell() {
    const stats = page.stats();
    const all = stats ? (stats.by_layer?.[layer] ?? 0) : undefined;
    const nothingSleeps = stats && Object.values(stats.dormant ?? {}).every((n) => n === 0);
    const here = awake.isWhole() ? awake.items().length : nothingSleeps ? all : undefined;
    count.textContent = here === undefined ? "" : number(here);
    asleepCount.textContent = here === undefined || all === undefined ? "" : number(Math.max(0, all - here));
  }
  // Asked for when somebody looks: there may be many.
  const dormant = h("details", { class: "dormant", ontoggle: () => {
    if (!dormant.open || asleep) return;
    asleep = rows(t("shelves.dormantOf", { layer: name }), "true");
    dormant.append(asleep);
  } }, h("summary", {}, icon("moon"), t("shelves.dormant"), " ", asleepCount), h("p", { class: "hint" }, t("shelves.dormantText")));
  const box = h("section", { class: "shelf", dataset: { layer }, "aria-label": name },
    h("div", { class: "shelf-head" }, h("h2", {}, name, " ", count), h("p", { class: "hint" }, t(`shelves.${layer}`))), awake, dormant);
  const lists = () => [awake, asleep].filter(Boolean);
  box.reload = async (how) => {
    tell();
    // Whoever has come far stays there; the place of a shelf is its newest end.
    await Promise.all(lists().map((one) => (how?.keepPlace && one.items().length > 4 * PAGE ? null : one.reload(how))));
  };
  box.items = () => lists().flatMap((one) => one.items());
  box.refresh = () => lists().forEach((one) => one.refresh());
  return box;
}

function spine(memory, page) {
  const isOpen = page.openId() === memory.id;
  const text = saying(memory).slice(0, 300);
  const isSame = page.items().some((one) => memory.from.includes(one.id) && saying(one).slice(0, 300) === text);
  return h("div", { class: "spine-row" },
    h("button", { type: "button", class: ["spine", isOpen && "open", isSame && "same"].filter(Boolean).join(" "), dataset: { control: "open", memory: memory.id }, "aria-current": isOpen ? "true" : null, onclick: () => page.open(memory.id) },
      memory.from.length > 0 && h("span", { class: "hint" }, isSame ? t("shelves.same") : t("memories.sums", { n: number(memory.from.length) })),
      h("span", { class: "memory-text" }, text),
      h("span", { class: "memory-meta" },
        memory.pinned && h("span", { class: "pinned", role: "img", "aria-label": t("memories.pinned") }, icon("pin")),
        h("span", { class: "memory-when" }, happened(page.world, memory)),
        memory.dormant && h("span", { class: "chip warn" }, term("dormant", memory.dormant)),
        memory.activity !== undefined && h("span", { class: "spine-activity" }, share(memory.activity))),
      memory.activity !== undefined && meter(t("memories.activity"), memory.activity, memory.dormant ? "asleep" : "")));
}
