// How is a book put into another order without touching what its entries say? Its file is cut into pieces and put together again as
// text: names that look like numbers would be sorted, and large numbers rounded, by whoever reads them into objects.

const SPACE = " \n\r\t";

const skip = (text, from) => {
  while (SPACE.includes(text[from]) && from < text.length) from += 1;
  return from;
};

/** The quote that ends a text; one behind an odd number of backslashes is a part of it. */
function quoteAfter(text, from) {
  for (let index = text.indexOf('"', from + 1); index >= 0; index = text.indexOf('"', index + 1)) {
    let slashes = 0;
    while (text[index - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return index;
  }
  return text.length;
}

/** Where the value ends that begins here. The text is known to be JSON. */
function endOf(text, from) {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    const sign = text[index];
    if (sign === '"') {
      index = quoteAfter(text, index);
      if (depth === 0) return index + 1;
    } else if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") {
      if (depth === 0) return index;
      depth -= 1;
      if (depth === 0) return index + 1;
    } else if (depth === 0 && (sign === "," || SPACE.includes(sign))) return index;
  }
  return text.length;
}

/** The members of an object or list as they are written: `{from, to, name?, value}`. */
export function pieces(text) {
  const parts = [];
  let index = skip(text, 0);
  const isObject = text[index] === "{";
  if (!isObject && text[index] !== "[") return null;
  index = skip(text, index + 1);
  while (index < text.length && text[index] !== "}" && text[index] !== "]") {
    let name = null;
    if (isObject) {
      const end = endOf(text, index);
      name = text.slice(index, end);
      index = skip(text, skip(text, end) + 1);
    }
    const end = endOf(text, index);
    parts.push({ name, from: index, to: end, value: text.slice(index, end) });
    index = skip(text, end);
    if (text[index] === ",") index = skip(text, index + 1);
  }
  return { isObject, parts };
}

const written = ({ isObject, parts }) =>
  isObject ? `{${parts.map((part) => `${part.name}:${part.value}`).join(",")}}` : `[${parts.map((part) => part.value).join(",")}]`;

const find = (found, name) => found?.isObject ? found.parts.find((part) => JSON.parse(part.name) === name) : undefined;

/** The text with another value at the end of a path; what is missing on the way is made only if `make` says so. */
export function withMember(text, [name, ...rest], value, make) {
  const found = pieces(text);
  if (!found?.isObject) return text;
  const part = find(found, name);
  if (part) part.value = rest.length ? withMember(part.value, rest, value, make) : value;
  else if (make) found.parts.push({ name: JSON.stringify(name), value: rest.length ? withMember("{}", rest, value, make) : value });
  else return text;
  return written(found);
}

/** What stands at the end of a path; undefined if nothing does. */
export function memberOf(text, [name, ...rest]) {
  const part = find(pieces(text), name);
  if (!part) return undefined;
  return rest.length ? memberOf(part.value, rest) : JSON.parse(part.value);
}

const PATHS = { risu: ["data"], lorebook_v3: ["data", "entries"] };
/** Whether the entries are where the format has them: a book that was made of other records may come back as those. */
export const holdsEntries = (text, format) => memberOf(text, PATHS[format] ?? ["entries"]) !== undefined;

/** Formats whose ids are numbers. */
const NUMBERED = ["sillytavern", "character_book_v2", "character_book_v3"];

function named(value, id, format) {
  const entry = JSON.parse(value);
  if (entry.uid !== undefined || entry.id !== undefined) return value;
  const own = NUMBERED.includes(format) && /^\d{1,15}$/.test(id) ? id : JSON.stringify(id);
  return withMember(value, [format === "sillytavern" ? "uid" : "id"], own, true);
}

/**
 * The book with its entries in another order, or null if its entries are not found where its format has them. `now`: the ids as
 * they stand, `order`: as they should. Entries keep their ids, and where their tool numbers them for showing, they are numbered anew.
 */
export function reordered(text, format, now, order) {
  const path = PATHS[format] ?? ["entries"];
  const walk = (value, [name, ...rest]) => {
    const found = pieces(value);
    if (!found) return null;
    if (name !== undefined && found.isObject) {
      const part = find(found, name);
      const inner = part && walk(part.value, rest);
      if (!inner) return null;
      part.value = inner;
      return written(found);
    }
    if (found.parts.length !== now.length) return null;
    // In a list without ids an entry is called by its place; moved, it would be another one.
    if (!found.isObject) found.parts.forEach((part, index) => { part.value = named(part.value, now[index], format); });
    const places = new Map(now.map((id, index) => [id, found.parts[index]]));
    found.parts = order.map((id) => places.get(id));
    if (found.parts.includes(undefined)) return null;
    found.parts.forEach((part, index) => {
      part.value = withMember(part.value, format === "sillytavern" ? ["displayIndex"] : ["extensions", "display_index"], String(index), format === "sillytavern");
    });
    return written(found);
  };
  return walk(text, path);
}
