// When did how much of it happen? Bars over time; choosing one looks closer, and the list below follows, in the order of the same clock.

import { at, get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { learnDates, tickWords } from "../../parts/dates.js";
import { KINDS } from "../../parts/counts.js";
import { complain } from "../../parts/toast.js";
import { listed, moment, number, t, term } from "../../words.js";
import { toQuery } from "./asking.js";
import { memoryList } from "./list.js";

const HEIGHT = 96;

export function timelineView(page) {
  let clock = "time";
  const list = memoryList(page, { order: () => clock });
  const hint = h("p", { class: "hint grow" });
  const bars = h("div", { class: "timeline-bars", role: "toolbar", "aria-label": t("timeline.title"), onkeydown: walk });
  const ends = h("div", { class: "timeline-ends small faint" });
  const whole = h("button", { type: "button", class: "quiet", onclick: () => page.want({ ...page.wanted(), from: "", to: "", from_tick: "", to_tick: "" }) }, t("timeline.whole"));
  const card = h("section", { class: "timeline card", "aria-label": t("timeline.title") }, h("div", { class: "bar" }, hint, whole), bars, ends);
  const box = h("div", { class: "view" }, card, list);

  async function draw() {
    const wanted = page.wanted();
    // Who remembers nothing is told so below, once.
    card.hidden = page.stats()?.memories === 0;
    whole.hidden = !(wanted.from || wanted.to || wanted.from_tick || wanted.to_tick);
    const { q, by, newest, ...query } = toQuery(wanted); // Bars are for what the filters let through; a search has an order, and no time.
    const buckets = box.clientWidth > 0 && box.clientWidth < 500 ? 30 : 60;
    let timeline;
    try {
      timeline = await get(at`/v1/worlds/${page.world}/characters/${page.character}/timeline`, { ...query, buckets }, { signal: page.signal });
    } catch (error) {
      if (page.signal.aborted) return;
      replace(bars, h("p", { class: "faint" }, t("timeline.missing")));
      replace(ends);
      if (error.status !== 404) complain(error);
      return;
    }
    clock = timeline.by;
    if (clock === "tick") await learnDates(page.world, timeline.buckets.flatMap((bucket) => [bucket.from, lastOf(timeline.by, bucket)]));
    if (timeline.buckets.every((bucket) => bucket.memories === 0)) {
      replace(bars, h("p", { class: "faint" }, t("timeline.none")));
      replace(ends);
      return;
    }
    hint.textContent = [t("timeline.hint"), timeline.undated > 0 && t("timeline.undated", { n: number(timeline.undated) }), q && t("timeline.search")].filter(Boolean).join(" ");
    const said = (value) => (timeline.by === "tick" ? tickWords(page.world, value) : moment(value));
    const most = Math.max(...timeline.buckets.map((bucket) => bucket.memories));
    const focusAt = [...bars.children].indexOf(document.activeElement);
    replace(bars, timeline.buckets.map((bucket, index) => bar(bucket, index, most, { from: said(bucket.from), to: said(lastOf(timeline.by, bucket)) }, () => look(timeline.by, bucket))));
    if (focusAt >= 0) bars.children[Math.min(focusAt, bars.children.length - 1)]?.focus();
    replace(ends, h("span", {}, said(timeline.buckets[0].from)), h("span", {}, said(lastOf(timeline.by, timeline.buckets.at(-1)))));
  }

  function look(by, bucket) {
    page.want({ ...page.wanted(), ...(by === "tick" ? { from_tick: String(bucket.from), to_tick: String(bucket.to) } : { from: bucket.from, to: bucket.to }) });
  }

  box.reload = async (how) => {
    // By which clock is known when the bars are.
    await draw();
    await list.reload(how);
  };
  box.follow = async () => {
    await draw();
    await list.follow();
  };
  for (const name of ["items", "refresh", "update", "drop", "focusRow"]) box[name] = (...values) => list[name](...values);
  return box;
}

/** Its last moment: `to` is the first one behind it. */
const lastOf = (by, { to }) => (by === "tick" ? to - 1 : new Date(Date.parse(to) - 1).toISOString());

function bar(bucket, index, most, ends, choose) {
  const label = t("timeline.bar", { n: number(bucket.memories), ...ends });
  const told = listed(KINDS.filter((kind) => bucket.by_kind?.[kind]).map((kind) => `${term("kind", kind)} ${number(bucket.by_kind[kind])}`));
  return h("button", { type: "button", tabIndex: index === 0 ? 0 : -1, "aria-label": label, title: told ? `${label} (${told})` : label, "aria-disabled": bucket.memories === 0 ? "true" : null, onclick: () => bucket.memories > 0 && choose() },
    KINDS.filter((kind) => bucket.by_kind?.[kind]).map((kind) => h("span", { dataset: { kind }, style: { height: `${Math.max(2, (HEIGHT * bucket.by_kind[kind]) / most)}px` } })));
}

/** One stop for the tab key; arrows go through the bars. */
function walk(event) {
  const all = [...event.currentTarget.children];
  const now = all.indexOf(document.activeElement);
  const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: all.length - 1 }[event.key];
  if (next === undefined || !all[next]) return;
  event.preventDefault();
  all[now].tabIndex = -1;
  all[next].tabIndex = 0;
  all[next].focus();
}
