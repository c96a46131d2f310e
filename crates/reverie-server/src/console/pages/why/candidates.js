// Every memory that came to mind: how near it is by each way of finding, what became of it, and why.

import { h, replace } from "../../dom.js";
import { to } from "../../router.js";
import { listed, number, t, term } from "../../words.js";
import { LEGS } from "../settings/catalogue.js";

const AT_ONCE = 20;
const short = (value) => number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/**
 * `before`: what came to mind without a trial, to tell what a trial changes. `value(key)`: the setting that counts.
 * `state` keeps which ones are shown from one answer to the next.
 */
export function candidatesView({ answer, before, value, world, cast, character, state }) {
  const all = answer.considered ?? [];
  const list = h("ol", { class: "candidates" });
  const moreBox = h("p", { class: "actions" });
  const ranks = new Map((before?.considered ?? []).map(({ id, rank, fate }) => [id, { rank, fate }]));
  const texts = new Map(all.map((one) => [one.id, one.text]));
  const inAll = answer.considered_in_all ?? all.length;
  const counts = { all: inAll, kept: answer.memories.length, dropped: inAll - answer.memories.length };

  const tabs = ["all", "kept", "dropped"].map((name) => h("button", { type: "button", onclick: () => { state.filter = name; state.shown = AT_ONCE; draw(); } }, t(`why.show.${name}`), h("span", { class: "why-count" }, number(counts[name]))));

  function draw() {
    tabs.forEach((tab, index) => tab.setAttribute("aria-pressed", String(["all", "kept", "dropped"][index] === state.filter)));
    const wanted = all.filter((one) => state.filter === "all" || (one.fate === "kept") === (state.filter === "kept"));
    replace(list, wanted.slice(0, state.shown).map((one) => candidate(one, { ranks, texts, value, world, cast, character, isTrial: before !== answer, state })));
    const rest = wanted.length - state.shown;
    const untold = state.filter === "kept" ? 0 : inAll - all.length;
    replace(moreBox, rest <= 0 && untold > 0 && h("span", { class: "hint" }, t("why.untold", { n: number(untold) })), rest > 0 && h("button", { type: "button", onclick: () => { state.shown += 50; draw(); } }, t("why.more", { n: number(Math.min(50, rest)) })));
  }
  state.filter ??= "all";
  state.shown ??= AT_ONCE;
  state.open ??= new Set();
  draw();

  const nothing = value("recall.enabled") ? t("why.nothing", { name: cast.name(character) }) : t("why.off");
  return h("section", { class: "card" },
    h("h2", {}, t("why.came")),
    h("p", { class: "hint" }, t("why.cameHint")),
    all.length ? [h("div", { class: "bar filter", role: "group", "aria-label": t("why.filter") }, tabs), list, moreBox] : h("p", {}, nothing));
}

function candidate(one, { ranks, texts, value, world, cast, character, isTrial, state }) {
  const isKept = one.fate === "kept";
  const weight = value(`recall.weight.${one.kind}`);
  const threshold = value("recall.threshold");
  // What the threshold is held against: the only number that is called near here.
  const relevance = one.nearness * weight;
  const known = one.known_by.filter((id) => id !== character);
  const text = h("button", { type: "button", class: "quiet why-text", "aria-expanded": String(state.open.has(one.id)), onclick: () => {
    const isOpen = !state.open.delete(one.id);
    if (isOpen) state.open.add(one.id);
    text.setAttribute("aria-expanded", String(isOpen));
    rest.hidden = !isOpen;
  } }, one.text);
  const rest = h("div", { class: "rest", hidden: !state.open.has(one.id) },
    h("p", { class: "hint" }, [t("why.memory", { id: one.id }), t("why.times", { near: short(one.nearness), weight: short(weight), value: short(relevance) }), one.score > 0 && orders(one, weight)].filter(Boolean).join(" · "), " · ",
      h("a", { href: `${to`/worlds/${world}/characters/${one.known_by[0] ?? character}`}?memory=${encodeURIComponent(one.id)}` }, t("why.open"))),
    one.related?.map((other) => h("p", { class: "hint" }, t("why.related", {
      what: texts.has(other.id) ? `“${texts.get(other.id).replaceAll("\n", " ").slice(0, 40)}…”` : t("why.memory", { id: other.id }),
      by: listed(other.by.map((link) => t(`link.${link}`))),
    }))));

  return h("li", { class: isKept ? "candidate kept" : "candidate", dataset: { id: one.id, fate: one.fate } },
    h("div", { class: "bar" },
      h("span", { class: "rank" }, number(one.rank)),
      h("span", { class: isKept ? "chip good" : "chip" }, term("fate", one.fate)),
      h("span", { class: "chip", dataset: { kind: one.kind } }, term("kind", one.kind)),
      one.constant && h("span", { class: "chip accent" }, t("why.constant")),
      isTrial && moved(one, ranks.get(one.id)),
      known.length > 0 && h("span", { class: "hint" }, t("why.knownBy", { names: listed(known.map(cast.name)) })),
      h("span", { class: "score", title: t("why.scoreTitle") }, t("why.score", { n: short(one.score) }))),
    text,
    h("p", { class: "fate" }, reason(one, relevance, threshold, value, cast)),
    h("div", { class: "near" },
      h("span", { class: "meter", role: "img", "aria-label": t("why.thresholdMark", { value: short(relevance), threshold: short(threshold) }), title: t("why.thresholdMark", { value: short(relevance), threshold: short(threshold) }) },
        h("span", { style: { width: `${Math.min(1, relevance) * 100}%` } }), h("i", { style: { left: `${threshold * 100}%` } })),
      h("span", { class: "small" }, t("why.nearness", { n: short(relevance) }))),
    h("dl", { class: "why-legs" }, LEGS.map((leg) => h("div", {},
      h("dt", {}, t(`leg.${leg}`)),
      h("dd", {}, h("span", { class: "meter" }, h("span", { style: { width: `${Math.min(1, one.parts[leg]) * 100}%` } })), h("span", { class: "small" }, short(one.parts[leg])))))),
    rest);
}

/** The score, taken apart: what it is beside the others is what is left of it without its kind and its age. */
function orders(one, weight) {
  const alone = weight * one.time_factor;
  return alone > 0 && t("why.orders", { score: short(one.score), beside: short(one.score / alone), weight: short(weight), time: short(one.time_factor) });
}

/** What the trial did to it. */
function moved(one, was) {
  const wasKept = was?.fate === "kept";
  if ((one.fate === "kept") !== wasKept) return h("span", { class: wasKept ? "chip bad" : "chip good" }, t(wasKept ? "why.leaves" : "why.entered"));
  if (!was || was.rank === one.rank) return null;
  const up = was.rank - one.rank;
  return h("span", { class: "chip" }, up > 0 ? `▲ ${t("why.up", { n: up })}` : `▼ ${t("why.down", { n: -up })}`);
}

function reason(one, relevance, threshold, value, cast) {
  if (one.fate === "kept" && one.constant) return t("why.fate.keptConstant");
  if (one.lacked_by) return t("why.fate.audienceLacks", { names: listed(one.lacked_by.map(cast.name)) });
  return t(`why.fate.${one.fate}`, { alike: one.alike, most: number(value(`recall.most.${one.kind}`)), value: short(relevance), threshold: short(threshold) });
}
