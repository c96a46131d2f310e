// What does a world's calendar call a tick? Many are asked for together, and each once per page, in the language of the console.

import { at, get } from "../api.js";
import { h } from "../dom.js";
import { day, days, language, moment, number, t } from "../words.js";

/** More the server does not word at once. */
const MOST = 500;
const TOGETHER_MS = 10;

/** By world and language: what is known, and what is asked for. */
const known = new Map();
// On the next page the calendar may be another one.
addEventListener("hashchange", () => known.clear());

function shelfOf(world) {
  const key = JSON.stringify([world, language()]);
  if (!known.has(key)) known.set(key, { world, language: language() === "en" ? "en" : "zh", dates: new Map(), asked: new Map(), asking: null });
  return known.get(key);
}

async function ask(shelf) {
  await new Promise((resolve) => { setTimeout(resolve, TOGETHER_MS); });
  shelf.asking = null;
  const ticks = [...shelf.asked.keys()].filter((tick) => !shelf.dates.has(tick));
  for (let from = 0; from < ticks.length; from += MOST) {
    const some = ticks.slice(from, from + MOST);
    try {
      const { dates } = await get(at`/v1/worlds/${shelf.world}/dates`, { tick: some, language: shelf.language });
      for (const one of dates) shelf.dates.set(one.tick, one);
    } catch {
      // Then they go by their numbers. What is wrong the page says.
    }
  }
  for (const tick of ticks) shelf.asked.delete(tick);
}

/** Asks for what is not known yet; done when all of it is, or cannot be. */
export async function learnDates(world, ticks) {
  const shelf = shelfOf(world);
  const missing = ticks.filter((tick) => tick !== undefined && !shelf.dates.has(tick));
  for (const tick of missing) {
    if (shelf.asked.has(tick)) continue;
    shelf.asking ??= ask(shelf);
    shelf.asked.set(tick, shelf.asking);
  }
  await Promise.all(missing.map((tick) => shelf.asked.get(tick)));
}

/** `{date, day}` of a tick, as far as the calendar has words for it and they are here. */
export const dateOf = (world, tick) => shelfOf(world).dates.get(tick) ?? {};

const byNumber = (tick) => t("time.tick", { tick: number(tick) });

/** A tick in words that are here; else its number. */
export const tickWords = (world, tick) => dateOf(world, tick).date ?? byNumber(tick);

/** An element with what `words()` says of ticks, and says anew as soon as their dates are here. */
export function telling(world, ticks, words) {
  const element = h("span", { class: "date" });
  const tell = () => {
    const text = words();
    if (element.textContent === text) return;
    element.textContent = text;
    // Hosts know their ticks: they are told to whoever asks.
    element.title = [...new Set(ticks)].map(byNumber).join(" – ");
  };
  tell();
  const shelf = shelfOf(world);
  if (ticks.some((tick) => !shelf.dates.has(tick))) learnDates(world, ticks).then(tell);
  return element;
}

/** When something happened: by the world's calendar where it has ticks, else by the clock on the wall; from when until when, if it took its time. */
export function happened(world, { tick, time, since }) {
  if (tick !== undefined) {
    const from = since?.tick;
    return from === undefined ? telling(world, [tick], () => tickWords(world, tick)) : telling(world, [from, tick], () => stretch(world, from, tick));
  }
  if (!time) return "";
  return since?.time ? wallDays(since.time, time) : moment(time);
}

function stretch(world, from, to) {
  const words = (tick) => dateOf(world, tick).day ?? byNumber(tick);
  return words(from) === words(to) ? words(to) : `${words(from)} – ${words(to)}`;
}

function wallDays(from, to) {
  const [first, last] = [from, to].map((value) => {
    const date = new Date(value);
    return [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  });
  return String(first) === String(last) ? day(...last) : days(first, last);
}

/** On which day, in words; nothing where that cannot be told. Of ticks only those that are here. */
export function dayOf(world, { tick, time }) {
  const game = tick !== undefined && dateOf(world, tick).day;
  if (game) return game;
  return time ? wallDays(time, time) : "";
}
