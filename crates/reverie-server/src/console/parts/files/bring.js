// How does a recognised file become part of what the server keeps?

import { all, at, post, put, send } from "../../api.js";
import { language } from "../../words.js";
import { forgetPicture } from "../portrait.js";

/** Of a library that holds more, ids are taken as they come: the server replaces what has the same one. */
const MOST_KNOWN = 2000;
/** Whole worlds and long chats take their time. */
const patience = 600_000;

/** What is in the library, as a map from id to name. */
export async function known(shelf, signal) {
  const documents = await all(`/v1/${shelf}`, {}, { most: MOST_KNOWN, signal });
  return new Map(documents.map((one) => [one.id, one.name]));
}

/** A card is called like its file; if another character's card is, its name stands behind that. */
export function cardId(arrival, cards) {
  const name = cards.get(arrival.stem);
  return name === undefined || name === arrival.name || !arrival.name ? arrival.stem : `${arrival.stem}~${arrival.name}`;
}

/** An id that nobody has yet. */
export function freeId(wanted, taken) {
  let id = wanted;
  for (let number = 2; taken.has(id); number++) id = `${wanted}-${number}`;
  return id;
}

const putFile = async (path, file, type) => (await send("PUT", path, { body: file, type })).json();

/** `world` and `character` may be missing: then the card stays in the library. */
export async function bringCard(file, { id, world, character }) {
  const card = await putFile(at`/v1/cards/${id}`, file, file.type || "application/octet-stream");
  forgetPicture(id);
  const made = world && character ? await put(at`/v1/worlds/${world}/characters/${character}/card`, { card: id }) : null;
  return { card, character: made };
}

/** `character` and `conversation` say for whom; neither: for everybody in the world. */
export async function bringBook(file, { id, world, character, conversation }) {
  const book = await putFile(at`/v1/books/${id}`, file, file.type || "application/json");
  const link = world ? await put(at`/v1/worlds/${world}/lore/${id}`, { character, conversation }) : null;
  return { book, link };
}

/** Dates that name no zone are those of the person who brings it. */
export async function bringChat(file, { world }) {
  const response = await send("POST", at`/v1/worlds/${world}/chats`, { query: { file: file.name, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }, body: file, type: "application/x-ndjson", patience });
  return response.json();
}

/** A new world; `id` may be missing: then it is called as it was. */
export async function bringWorld(file, { id }) {
  const response = await send("POST", "/v1/import", { query: { world: id }, body: file, type: "text/plain", patience });
  const answer = await response.text();
  return answer ? JSON.parse(answer) : { id };
}

/** Makes a world that is not there yet, whose prompts speak the language of the person who makes it. */
export const makeWorld = (id, preset) => put(at`/v1/worlds/${id}`, { preset, settings: language() === "en" ? { language: "en" } : {} });

/** Turns what was said last into memories now, not in some minutes. */
export async function remember(world, signal) {
  let answer;
  do answer = await post(at`/v1/worlds/${world}/digest`, { now: true, slice_ms: 2000 }, { signal });
  while (answer.more && !signal?.aborted && answer.failed.length === 0);
  return answer;
}
