// What is a file that somebody dropped? Its content tells, its name does not. Only what must be known to ask the right questions is
// looked at here; the server reads it properly.

import { entryOf, isArchive } from "./archive.js";
import { fromBase64, isPng, textsOf } from "./picture.js";

const MOST_BYTES = 256 << 20;
const SAVE = "reverie-save/";

/**
 * `{kind, name, …}`: `card` (name, greetings, hasBook), `book` (name, entries), `memories` (a memory.json: a book for one character),
 * `chat` (user, character), `world` (id, or null if it cannot be told), or `unknown` (looks: a word for what it seems to be).
 */
export async function recognise(file) {
  const stem = file.name.replace(/\.[^.]+$/, "") || file.name;
  const found = file.size > MOST_BYTES ? { kind: "unknown", looks: "large" } : await look(file);
  return { file, stem, ...found };
}

async function look(file) {
  const head = new Uint8Array(await file.slice(0, 65_536).arrayBuffer());
  if (head.length === 0) return unknown("empty");
  if (isPng(head)) return inPicture(await textsOf(await whole(file)));
  const isZip = head[0] === 0x50 && head[1] === 0x4b;
  const isJpeg = head[0] === 0xff && head[1] === 0xd8;
  if (isZip || isJpeg) return inArchive(await whole(file), isZip ? "archive" : "picture");
  const begin = new TextDecoder().decode(head).replace(/^\uFEFF/, "").trimStart();
  if (begin.startsWith(SAVE)) return { kind: "world", id: await idOfSave(file) };
  if (begin.startsWith("%PDF")) return unknown("pdf");
  if (!/^[{[]/.test(begin)) return unknown(begin.includes("\u0000") ? "binary" : "text");
  const first = parsed(begin.split("\n", 1)[0]);
  if (first) {
    const byLine = ofLine(first);
    if (byLine) return byLine;
  }
  return ofJson(parsed((await file.text()).replace(/^\uFEFF/, "")));
}

const whole = async (file) => new Uint8Array(await file.arrayBuffer());
const unknown = (looks) => ({ kind: "unknown", looks });

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Formats with one object a line are known by their first one. */
function ofLine(first) {
  if (first.type === "world" && "version" in first) return { kind: "world", id: typeof first.id === "string" ? first.id : null };
  const isHeader = !("mes" in first) && ("chat_metadata" in first || ("user_name" in first && "character_name" in first));
  const isMessage = "mes" in first && ("name" in first || "is_user" in first);
  if (isHeader || isMessage) return { kind: "chat", user: text(first.user_name), character: text(first.character_name) };
  return null;
}

const text = (value) => (typeof value === "string" ? value : "");

function inPicture(texts) {
  for (const keyword of ["ccv3", "chara", "naidata"]) {
    if (!texts.has(keyword)) continue;
    let value = null;
    try {
      value = parsed(fromBase64(texts.get(keyword)));
    } catch {
      value = parsed(texts.get(keyword));
    }
    if (value) return ofJson(value);
  }
  return unknown("picture");
}

async function inArchive(bytes, looks) {
  if (!isArchive(bytes)) return unknown(looks);
  const card = await entryOf(bytes, "card.json").catch(() => null);
  const value = card && parsed(new TextDecoder().decode(card));
  return value ? ofJson(value) : unknown(looks);
}

const SAYS = ["description", "personality", "first_mes", "mes_example", "scenario", "char_persona", "char_greeting", "world_scenario", "example_dialogue"];
const OF_ENTRIES = ["key", "keys", "keywords", "uid", "secondkey", "insertorder", "alwaysActive", "contextConfig", "displayName"];
const OF_MEMORIES = ["episodic", "semantic", "traits", "goals"];

function ofJson(value) {
  if (value === null || typeof value !== "object") return unknown("json");
  if (Array.isArray(value)) return isEntries(value) ? book("", value.length) : unknown("json");
  const byLine = ofLine(value);
  if (byLine) return byLine;
  const spec = text(value.spec);
  const inside = value.data && typeof value.data === "object" && !Array.isArray(value.data) ? value.data : null;
  if (spec === "lorebook_v3" && inside) return book(text(inside.name), count(inside.entries));
  if (inside && (spec.startsWith("chara_card") || "name" in inside)) return card(inside);
  const isBook = "entries" in value || "lorebookVersion" in value || (value.type === "risu" && Array.isArray(value.data));
  if (!isBook && ("name" in value || "char_name" in value) && SAYS.some((field) => field in value)) return card(value);
  if (isBook) return book(text(value.name), count(value.entries ?? value.data));
  if (OF_MEMORIES.some((field) => Array.isArray(value[field]))) return { kind: "memories", name: text(value.name) };
  return unknown("json");
}

const count = (entries) => (entries && typeof entries === "object" ? Object.keys(entries).length : 0);
const book = (name, entries) => ({ kind: "book", name, entries });
const isEntries = (entries) => entries.some((entry) => entry && typeof entry === "object" && !("attribute" in entry) && OF_ENTRIES.some((field) => field in entry));

function card(fields) {
  const greetings = [text(fields.first_mes ?? fields.char_greeting), ...[fields.alternate_greetings ?? []].flat()].filter(Boolean);
  return { kind: "card", name: text(fields.name) || text(fields.char_name), greetings: greetings.length, entries: count(fields.character_book?.entries) };
}

/** A save is packed; its first line, with the world's id, is at the beginning of what is packed. */
async function idOfSave(file) {
  try {
    const packed = (await file.slice(0, 65_536).text()).replace(/^[^:]*:/, "").replace(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(packed.slice(0, packed.length - (packed.length % 4))), (letter) => letter.charCodeAt(0));
    const stream = new DecompressionStream("deflate");
    const writer = stream.writable.getWriter();
    writer.write(bytes).catch(() => {}); // Cut off on purpose: what comes out before the end is enough.
    writer.close().catch(() => {});
    const reader = stream.readable.getReader();
    let begin = "";
    const decoder = new TextDecoder();
    while (!begin.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) break;
      begin += decoder.decode(value, { stream: true });
    }
    reader.cancel().catch(() => {});
    return parsed(begin.split("\n", 1)[0])?.id ?? null;
  } catch {
    return null;
  }
}
