// From when until when? Two thumbs over how much there is at each time.

import { calm, h, replace, svg } from "../../dom.js";
import { learnDates, tickWords } from "../../parts/dates.js";
import { language, t } from "../../words.js";

const STEPS = 500;
const BARS = 60;
const RESTS_MS = 80;
const NEARLY = 1e-6;
const DAY_MS = 86_400_000;

/**
 * `when(point)` is a number on the axis, undefined without a time. The element has `isIn(point)`, `range()` (as the API wants it,
 * null while everything is in) and `redraw(points)`. `moved()` while a thumb goes, `settled()` after. `kept`: a range to begin with.
 */
export function timeSlider(points, { world, moved, settled, kept }) {
  // Game time if all have it, as it is what the story is told in; else the clock on the wall.
  const byTick = points.length > 0 && points.every((point) => point.tick !== undefined);
  const when = byTick ? (point) => point.tick : (point) => (point.time === undefined ? undefined : Date.parse(point.time));
  const times = points.map(when).filter((time) => Number.isFinite(time));
  const first = times.reduce((least, time) => Math.min(least, time), Infinity);
  const last = times.reduce((most, time) => Math.max(most, time), -Infinity);
  const element = h("div", { class: "time-slider", role: "group", "aria-label": t("map.time") });
  let low = 0;
  let high = STEPS;
  const timeAt = (step) => first + ((last - first) * step) / STEPS;
  const format = new Intl.DateTimeFormat(language(), last - first < 2 * DAY_MS ? { dateStyle: "medium", timeStyle: "short" } : { dateStyle: "medium" });
  const words = (time) => (byTick ? tickWords(world, Math.round(time)) : format.format(time));

  element.isIn = (point) => {
    if (low === 0 && high === STEPS) return true;
    const time = when(point);
    return time !== undefined && time >= timeAt(low) && time <= timeAt(high);
  };
  // Whole ticks and milliseconds that are in: those of a range that comes back from the address are the same.
  element.range = () => {
    if (low === 0 && high === STEPS) return null;
    const [from, to] = [Math.ceil(timeAt(low)), Math.floor(timeAt(high)) + 1];
    if (byTick) return { from_tick: from, to_tick: to };
    return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  };
  element.redraw = () => {};
  if (!(last > first)) {
    element.hidden = true;
    return element;
  }

  const [begin, end] = byTick ? [kept?.from_tick, kept?.to_tick] : [Date.parse(kept?.from), Date.parse(kept?.to)];
  const stepOf = (time) => ((time - first) / (last - first)) * STEPS;
  if (Number.isFinite(begin)) low = Math.max(0, Math.min(STEPS - 1, Math.floor(stepOf(begin) + NEARLY)));
  if (Number.isFinite(end)) high = Math.max(low + 1, Math.min(STEPS, Math.ceil(stepOf(end - 1) - NEARLY)));

  const output = h("output", { class: "small faint" });
  const bars = svg("svg", { class: "bars", viewBox: `0 0 ${BARS} 20`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const thumb = (label, value) => h("input", { type: "range", min: 0, max: STEPS, value, "aria-label": label });
  const from = thumb(t("map.from"), low);
  const to = thumb(t("map.to"), high);

  /** Dates of a thumb that moves are asked for when it rests. */
  const date = calm(RESTS_MS, async () => {
    await learnDates(world, [low, high].map((step) => Math.round(timeAt(step))));
    tellRange();
  });
  function tellRange() {
    output.textContent = `${words(timeAt(low))} – ${words(timeAt(high))}`;
    from.setAttribute("aria-valuetext", words(timeAt(low)));
    to.setAttribute("aria-valuetext", words(timeAt(high)));
  }
  function tell() {
    tellRange();
    if (byTick) date();
    for (const [index, bar] of [...bars.children].entries()) {
      const at = ((index + 0.5) / BARS) * STEPS;
      bar.setAttribute("class", at >= low && at <= high ? "in" : "");
    }
  }
  const input = (isFrom) => () => {
    // The thumbs push nothing: each stops at the other.
    if (isFrom) from.value = low = Math.min(Number(from.value), high - 1);
    else to.value = high = Math.max(Number(to.value), low + 1);
    tell();
    moved();
  };
  from.addEventListener("input", input(true));
  to.addEventListener("input", input(false));
  for (const one of [from, to]) one.addEventListener("change", () => settled());

  element.redraw = (all) => {
    const counts = new Array(BARS).fill(0);
    for (const point of all) {
      const time = when(point);
      if (Number.isFinite(time)) counts[Math.max(0, Math.min(BARS - 1, Math.floor(((time - first) / (last - first)) * BARS)))] += 1;
    }
    const most = Math.max(...counts, 1);
    replace(bars, counts.map((count, index) => {
      const height = (count / most) * 20;
      return svg("rect", { x: index + 0.1, width: 0.8, y: 20 - height, height });
    }));
    tell();
  };
  replace(element, h("span", { class: "label" }, t("map.time")), h("div", { class: "track" }, bars, from, to), output,
    h("button", { type: "button", class: "quiet", onclick: () => { [low, high] = [0, STEPS]; [from.value, to.value] = [0, STEPS]; tell(); moved(); settled(); } }, t("map.allTime")));
  element.redraw(points);
  return element;
}
