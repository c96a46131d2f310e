// What does the page know of a book? Its entries page by page in the author's order, and the revision that every change must meet.

import { ApiError, at, get, patch, put, remove, send } from "../../api.js";
import { reordered } from "./raw.js";
import { t } from "../../words.js";

const PAGE = 200;

/** Somebody else changed the same entry meanwhile. */
export class Conflict extends Error {
  constructor(theirs) {
    super(t("lore.conflict"));
    this.theirs = theirs;
  }
}

const isConflict = (error) => error instanceof ApiError && error.status === 409;
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const said = (entry, name) => (name === "extra" || name === "extensions" ? entry[name] : entry.fields[name]) ?? null;

/** What an entry says, as `PUT` takes it; its id is in the address. */
export function contentOf({ fields, extensions, extra }) {
  const { uid: _, ...rest } = fields;
  return { ...rest, extensions, extra };
}

/** `signal` ends only looking: what is written, and what taking it back needs to read, goes on when the page is left. */
export async function openBook(id, signal) {
  const path = at`/v1/books/${id}`;
  const book = { id, path, about: await get(path, undefined, { signal }), entries: [], isWhole: false };
  let next;
  let generation = 0;
  let reading = null;

  const readPage = () => {
    const mine = generation;
    reading ??= get(`${path}/entries`, { limit: PAGE, cursor: next }).then((page) => {
      if (mine !== generation) return;
      book.entries.push(...page.items);
      next = page.next;
      book.isWhole = next === undefined;
    }).finally(() => { if (mine === generation) reading = null; });
    return reading;
  };

  /** For a virtual list: entries that fit, from a place on. */
  book.load = async (from = 0, fits = () => true) => {
    const items = [];
    let index = from;
    for (;;) {
      for (; index < book.entries.length && items.length < PAGE; index++) if (fits(book.entries[index])) items.push(book.entries[index]);
      if (items.length >= PAGE || book.isWhole) break;
      await readPage();
    }
    return { items, next: book.isWhole && index >= book.entries.length ? undefined : index };
  };

  book.all = async () => {
    while (!book.isWhole) await readPage();
    return book.entries;
  };

  book.reset = async () => {
    generation += 1;
    [book.entries, next, book.isWhole, reading] = [[], undefined, false, null];
    book.about = await get(path);
  };

  /** True if somebody else changed the book since. */
  book.isBehind = async () => (await get(path, undefined, { signal })).revision !== book.about.revision;

  const place = (entry) => book.entries.findIndex((one) => one.id === entry);

  /** After a change of ours: the revision is one further, unless others were there too; then all is read again. */
  async function counted() {
    const before = book.about.revision;
    const about = await get(path);
    const isOurs = about.revision <= before + 1;
    book.about = about;
    if (!isOurs) await book.reset();
    return isOurs;
  }

  /**
   * Changes some fields of an entry that was read as `base`. Others may have changed the book meanwhile, and other fields of the
   * entry; if they changed the same ones, it is a Conflict.
   */
  book.edit = async (entry, fields, base) => {
    const address = `${path}${at`/entries/${entry}`}`;
    const meet = (theirs) => {
      if (Object.keys(fields).some((name) => !same(said(theirs, name), said(base, name)))) throw new Conflict(theirs);
    };
    const write = () => patch(address, fields, { query: { expected_revision: book.about.revision } });
    let result;
    try {
      meet(book.entries[place(entry)] ?? await get(address));
      result = await write();
    } catch (error) {
      if (!isConflict(error)) throw error;
      const [about, theirs] = await Promise.all([get(path), get(address)]);
      book.about = about;
      if (place(entry) >= 0) book.entries[place(entry)] = theirs;
      meet(theirs);
      result = await write();
    }
    await counted();
    const index = place(entry);
    if (index >= 0) book.entries[index] = result;
    return result;
  };

  /** A new entry, at the end; `id` if it should be a certain one. */
  book.add = async (content, id) => {
    const entries = await book.all();
    const isNumbered = !["risu", "agnai", "novelai"].includes(book.about.format);
    const highest = entries.reduce((most, one) => (/^\d{1,15}$/.test(one.id) ? Math.max(most, Number(one.id)) : most), -1);
    const name = id ?? (isNumbered ? String(highest + 1) : `entry-${Math.random().toString(36).slice(2, 10)}`);
    const made = await put(`${path}${at`/entries/${name}`}`, content, { query: { expected_revision: book.about.revision } });
    if (await counted()) book.entries.push(made);
    return made;
  };

  book.drop = async (entry) => {
    const ids = (await book.all()).map((one) => one.id);
    await remove(`${path}${at`/entries/${entry}`}`, { expected_revision: book.about.revision });
    if (await counted()) book.entries.splice(place(entry), 1);
    return ids;
  };

  /** All entries in this order: the whole book is written anew, which is refused if it was changed since it was read. */
  book.arrange = async (order) => {
    const now = (await book.all()).map((one) => one.id);
    const text = await (await send("GET", `${path}/document`)).text();
    const next = reordered(text, book.about.format, now, order);
    if (next === null) throw new Error(t("lore.cannotReorder"));
    await send("PUT", path, { body: next, type: "application/json", query: { expected_revision: book.about.revision } });
    const known = new Map(book.entries.map((one) => [one.id, one]));
    if (await counted()) book.entries = order.map((id) => known.get(id));
    return now;
  };

  // While we change it ourselves, its revision says nothing about others.
  book.busy = 0;
  for (const name of ["edit", "add", "drop", "arrange"]) {
    const act = book[name];
    book[name] = async (...values) => {
      book.busy += 1;
      try {
        return await act(...values);
      } finally {
        book.busy -= 1;
      }
    };
  }
  return book;
}
