// Entries of world books by their names, leading to where they are written.

import { at, get } from "../../api.js";
import { h } from "../../dom.js";
import { to } from "../../router.js";

/** Names by book and entry, for as long as the console is open. */
const known = new Map();

function nameOf({ book, entry }) {
  const key = `${book}\n${entry}`;
  if (!known.has(key)) known.set(key, get(at`/v1/books/${book}/entries/${entry}`).then(({ fields }) => String(fields?.comment || fields?.key?.join(", ") || ""), () => ""));
  return known.get(key);
}

/** Links, with commas between them. */
export function entryLinks(entries, world) {
  return entries.map((one, index) => {
    const link = h("a", { href: `${to`/worlds/${world}/lore`}?${new URLSearchParams(one)}` }, `${one.book} › ${one.entry}`);
    nameOf(one).then((name) => { if (name) link.textContent = `${one.book} › ${name}`; });
    return [index > 0 && ", ", link];
  });
}
