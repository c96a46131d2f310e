// What does a sentence of the server mean in Chinese? Where it is one of those that are known.

import { language } from "../words.js";
import { PLACES, SENTENCES } from "../words/server.js";

/** Between what happened and what to do. */
export const WITH_ADVICE = " — ";
/** A field before its warning: names of fields stay as they are. */
const FIELD = /^([\w.]+): (?=.)/;

/** The sentence in Chinese; null where the console speaks English, or does not know it. Of one with advice behind it, what is known of both. */
export function translated(text) {
  if (language() === "en") return null;
  const whole = known(String(text));
  if (whole !== null) return whole;
  const parts = String(text).split(WITH_ADVICE);
  const told = parts.map(known);
  return told.some((one) => one !== null) ? told.map((one, index) => one ?? parts[index]).join("；") : null;
}

function known(text) {
  let [rest, before] = [text, ""];
  for (const [place, words] of PLACES) {
    const found = place.exec(rest);
    if (!found) continue;
    before += found[0].replace(place, words);
    rest = rest.slice(found[0].length);
  }
  const field = FIELD.exec(rest);
  const ofField = field && sentence(rest.slice(field[0].length), SENTENCES);
  if (ofField) return `${before}${field[1]}：${ofField}`;
  const whole = sentence(rest, SENTENCES);
  return whole === null ? null : before + whole;
}

function sentence(text, known) {
  for (const [pattern, words, parts] of known) {
    const found = pattern.exec(text);
    if (!found) continue;
    const groups = found.map((group) => group ?? "");
    if (parts) groups[groups.length - 1] = sentence(groups.at(-1), parts) ?? groups.at(-1);
    return words.replace(/\$(\d)/g, (_, number) => groups[Number(number)] ?? "");
  }
  return null;
}
