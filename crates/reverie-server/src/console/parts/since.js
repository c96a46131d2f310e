// How long ago? Told again while somebody looks, so that “just now” does not stand there for an hour.

import { h } from "../dom.js";
import { ago, moment } from "../words.js";

const EVERY_MS = 30_000;

/** A moment of the API from now; `say(text)` puts it into a sentence. */
export function since(value, say = (text) => text) {
  const element = h("time", { datetime: value, title: moment(value) });
  element.tell = () => {
    const text = say(ago(value));
    if (element.textContent !== text) element.textContent = text;
  };
  element.tell();
  return element;
}

function tellAll() {
  if (document.hidden) return;
  for (const element of document.querySelectorAll("time")) element.tell?.();
}
setInterval(tellAll, EVERY_MS);
addEventListener("visibilitychange", tellAll);
