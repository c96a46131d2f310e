// Who is meant? The picture of the card, or the first letter of the name.

import { at, send } from "../api.js";
import { h, replace } from "../dom.js";

/** Object URLs by card, for as long as the console is open. Pictures need the token, so they cannot be plain addresses. */
const pictures = new Map();

function picture(card) {
  if (!pictures.has(card)) {
    // A card without a picture stays without one; what failed may succeed next time.
    const loaded = send("GET", at`/v1/cards/${card}/portrait`, { query: { optional: true } }).then(async (response) => (response.status === 204 ? null : URL.createObjectURL(await response.blob())), () => {
      pictures.delete(card);
      return null;
    });
    pictures.set(card, loaded);
  }
  return pictures.get(card);
}

/** `character`: as the API tells it, or an id. */
export function portrait(character, size) {
  const { id, display_name, card } = typeof character === "string" ? { id: character } : character;
  const name = display_name || id;
  const first = [...new Intl.Segmenter().segment(name)][0]?.segment ?? "?";
  const element = h("span", { class: size ? `portrait ${size}` : "portrait", "aria-hidden": "true" }, first.toUpperCase());
  if (card) picture(card).then((url) => url && replace(element, h("img", { src: url, alt: "" })));
  return element;
}

/** A card was replaced: its picture may be another one. */
export const forgetPicture = (card) => pictures.delete(card);
