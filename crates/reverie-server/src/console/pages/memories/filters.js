// What the person looks for: a search, filters, and what of them is set.

import { calm, freshId, h, replace } from "../../dom.js";
import { KINDS, LAYERS } from "../../parts/counts.js";
import { field } from "../../parts/dialog.js";
import { icon } from "../../parts/icon.js";
import { moment, number, t, term } from "../../words.js";
import { countFilters } from "./asking.js";

const TYPING_MS = 250;
const MOST_OFFERED = 200;

/** `page`: wanted(), facets(), people, name(id). `changed(wanted)` when it is another wish. The result has `redraw()` and `only(search)`. */
export function filterBar(page, changed) {
  const id = freshId("filters");
  const search = h("input", { type: "search", value: page.wanted().q, placeholder: t("filters.placeholder"), "aria-label": t("filters.search"), oninput: calm(TYPING_MS, () => want({ q: search.value })) });
  const by = h("select", { "aria-label": t("filters.by"), onchange: () => want({ by: by.value }) }, options([["mind", t("filters.mind")], ["words", t("filters.words")]], page.wanted().by || "mind"));
  const order = h("select", { "aria-label": t("filters.order"), onchange: () => want({ order: order.value }) }, options([["", ""], ["oldest", ""]], page.wanted().order));
  const panel = h("div", { class: "filter-panel card", id, hidden: true });
  const label = h("span");
  const toggle = h("button", { type: "button", "aria-expanded": "false", "aria-controls": id, onclick: () => {
    panel.hidden = !panel.hidden;
    toggle.setAttribute("aria-expanded", String(!panel.hidden));
    if (!panel.hidden) drawPanel();
  } }, icon("dials"), label);
  const chips = h("div", { class: "chip-row active-filters" });
  const box = h("div", { class: "filters" }, h("div", { class: "bar" }, icon("search"), search, by, order, toggle), panel, chips);

  function want(change) {
    const wanted = { ...page.wanted(), ...change };
    changed(wanted);
    drawChips();
  }

  function drawPanel() {
    const { stats, emotions, people } = page.facets();
    const toggles = (name, words, counts) => h("fieldset", { class: "choice-set inline" }, h("legend", {}, t(`filters.${name}`)),
      words.map((word) => h("button", {
        type: "button",
        "aria-pressed": String(page.wanted()[name].includes(word)),
        onclick: (event) => {
          const has = page.wanted()[name].includes(word);
          event.currentTarget.setAttribute("aria-pressed", String(!has));
          want({ [name]: has ? page.wanted()[name].filter((one) => one !== word) : [...page.wanted()[name], word] });
        },
      }, term(name, word), counts?.[word] !== undefined && h("span", { class: "faint" }, number(counts[word])))));
    const choose = (name, label, list) => {
      const now = [page.wanted()[name]].flat()[0] ?? "";
      const select = h("select", { onchange: () => want({ [name]: Array.isArray(page.wanted()[name]) ? (select.value ? [select.value] : []) : select.value }) },
        options([["", t("filters.any")], ...(now && !list.some(([value]) => value === now) ? [[now, now]] : []), ...list], now));
      return field(label, select);
    };
    const time = (name) => {
      const input = h("input", { type: "datetime-local", value: local(page.wanted()[name]), onchange: () => want({ [name]: input.value ? new Date(input.value).toISOString() : "" }) });
      return field(t(`filters.${name}`), input);
    };
    const tick = (name, label) => {
      const input = h("input", { type: "number", step: "1", value: page.wanted()[name], onchange: () => want({ [name]: input.value }) });
      return field(label, input);
    };
    const named = page.people.slice(0, MOST_OFFERED).map((one) => [one.id, page.name(one.id)]);
    replace(panel,
      h("div", { class: "bar" }, toggles("kind", KINDS, stats?.by_kind), toggles("layer", LAYERS, stats?.by_layer)),
      h("div", { class: "fields" },
        choose("emotion", t("filters.emotion"), emotions.map(([word, count]) => [word, `${word} (${number(count)})`])),
        choose("about", t("filters.about"), people.length > 0 ? people.map(([one, count]) => [one, `${page.name(one)} (${number(count)})`]) : named),
        choose("shared_with", t("filters.shared"), named.filter(([one]) => one !== page.character)),
        choose("pinned", t("filters.pin"), [["true", t("filters.onlyPinned")], ["false", t("filters.notPinned")]]),
        choose("dormant", t("filters.dormancy"), [["false", t("filters.awake")], ["true", t("filters.asleep")]]),
        time("from"), time("to"),
        page.hasTicks() && [tick("from_tick", t("filters.fromTick")), tick("to_tick", t("filters.toTick"))]));
  }

  function drawChips() {
    const wanted = page.wanted();
    const chip = (what, change) => h("button", { type: "button", class: "chip accent", "aria-label": t("filters.drop", { what }), onclick: () => { want(change); if (!panel.hidden) drawPanel(); } }, what, " ×");
    const many = (name, show) => wanted[name].map((word) => chip(show(word), { [name]: wanted[name].filter((one) => one !== word) }));
    const one = (name, show) => wanted[name] !== "" && chip(show(wanted[name]), { [name]: "" });
    const count = countFilters(wanted);
    order.disabled = wanted.q.trim() !== ""; // A search has an order of its own: the best first.
    label.textContent = count > 0 ? t("filters.titleN", { n: number(count) }) : t("filters.title");
    replace(chips,
      many("kind", (word) => term("kind", word)), many("layer", (word) => term("layer", word)), many("emotion", (word) => word),
      many("about", (who) => `${t("filters.about")} ${page.name(who)}`), one("shared_with", (who) => `${t("filters.shared")} ${page.name(who)}`),
      one("pinned", (value) => t(value === "true" ? "filters.onlyPinned" : "filters.notPinned")), one("dormant", (value) => t(value === "true" ? "filters.asleep" : "filters.awake")),
      one("from", (value) => `${t("filters.from")} ${moment(value)}`), one("to", (value) => `${t("filters.to")} ${moment(value)}`),
      one("from_tick", (value) => `${t("filters.fromTick")} ${number(value)}`), one("to_tick", (value) => `${t("filters.toTick")} ${number(value)}`));
  }

  /** The wish was changed elsewhere. What is being typed is left alone. */
  box.redraw = () => {
    if (document.activeElement !== search) search.value = page.wanted().q;
    [by.value, order.value] = [page.wanted().by || "mind", page.wanted().order];
    drawChips();
    if (!panel.hidden && !panel.contains(document.activeElement)) drawPanel();
  };
  /** A view may have no use for some of them. */
  box.offer = ({ canSearchMind, isByTime }) => {
    by.hidden = !canSearchMind;
    const [newest, oldest] = isByTime ? [t("filters.latest"), t("filters.earliest")] : [t("filters.newest"), t("filters.oldest")];
    [order.options[0].textContent, order.options[1].textContent] = [newest, oldest];
  };
  drawChips();
  return box;
}

const options = (list, now) => list.map(([value, label]) => h("option", { value, selected: value === now }, label));

/** For a field of this device's own time. */
function local(value) {
  if (!value) return "";
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? "" : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
