// Which key fired where? The messages that were searched, with what was found in them marked.

import { h } from "../../dom.js";
import { listed, t } from "../../words.js";

const PATIENCE_MS = 250;
let worker = null;
let asked = 0;

/** Where a pattern matches, [from, to] in UTF-16, or null; also if it takes too long. */
function search(source, flags, text) {
  worker ??= new Worker(new URL("./pattern-worker.js", import.meta.url));
  const mine = worker;
  const id = ++asked;
  return new Promise((resolve) => {
    const done = (hit) => {
      clearTimeout(timer);
      mine.removeEventListener("message", listen);
      resolve(hit);
    };
    const listen = ({ data }) => { if (data.id === id) done(data.hit); };
    const timer = setTimeout(() => {
      mine.terminate();
      if (worker === mine) worker = null;
      done(null);
    }, PATIENCE_MS);
    mine.addEventListener("message", listen);
    mine.postMessage({ id, source, flags, text });
  });
}

const asPattern = (key) => /^\/(.+)\/([a-z]*)$/s.exec(key);

/** Where a key stands in a text, [from, to] in UTF-16. `at` counts characters, as the API does. */
async function spot(text, key, at) {
  if (at !== undefined) {
    const signs = [...text];
    const from = signs.slice(0, at).join("").length;
    return [from, from + signs.slice(at, at + [...key].length).join("").length];
  }
  const pattern = asPattern(key);
  if (pattern) return search(pattern[1], pattern[2], text);
  const from = text.toLowerCase().indexOf(key.toLowerCase());
  return from < 0 ? null : [from, from + key.length];
}

/** By number of message (0 is the newest): `[{from, to, why}]`, and of those found in the name only `why`. */
export async function hits(messages, whys) {
  const found = new Map();
  for (const why of whys) {
    const { key, message, at, in: where, secondary } = why.detail;
    if (!why.active || key === undefined) continue;
    const note = (place, range, by) => found.set(place, [...(found.get(place) ?? []), { from: range?.[0], to: range?.[1], why, key: by }]);
    const textAt = (place) => messages[messages.length - 1 - place]?.text;
    if (where === "message" && textAt(message) !== undefined) note(message, await spot(textAt(message), key, at), key);
    // Which other keys it took is told, and not where they stood: they are marked where the newest message has them.
    for (const other of [secondary ?? []].flat()) {
      for (const place of messages.keys()) {
        const range = await spot(textAt(place), other);
        if (!range) continue;
        note(place, range, other);
        break;
      }
    }
  }
  return found;
}

/** The text in pieces: plain, or marked with all that was found there. */
function marked(text, list, nameOf, show) {
  const edges = [...new Set([0, text.length, ...list.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  return edges.slice(0, -1).map((from, index) => {
    const to = edges[index + 1];
    const here = list.filter((hit) => hit.from <= from && hit.to >= to);
    const words = text.slice(from, to);
    if (here.length === 0) return words;
    const names = here.map(({ why, key }) => `${key} → ${nameOf(why)}`).join("\n");
    return h("button", { type: "button", class: "hit", title: names, "aria-label": t("lore.hit", { words, entries: listed([...new Set(here.map(({ why }) => nameOf(why)))]) }), onclick: () => show(here[0].why) }, words);
  });
}

/** `messages` oldest first, `{name, text}`. */
export function spoken(messages, found, nameOf, show) {
  return h("ol", { class: "spoken" }, messages.map(({ name, text }, index) => {
    const list = found.get(messages.length - 1 - index) ?? [];
    const inText = list.filter((hit) => hit.from !== undefined && hit.to > hit.from);
    const elsewhere = list.filter((hit) => !inText.includes(hit));
    return h("li", { class: list.length ? "" : "faint" }, name && h("b", {}, `${name}${t("lore.says")}`), marked(text, inText, nameOf, show),
      elsewhere.map(({ why, key }) => h("button", { type: "button", class: "hit", onclick: () => show(why) }, `${key} → ${nameOf(why)}`)));
  }));
}
