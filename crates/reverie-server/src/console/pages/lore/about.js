// What a book says about itself, besides its entries: its name, and how it is searched.

import { send } from "../../api.js";
import { h } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { say } from "../../parts/toast.js";
import { t } from "../../words.js";
import { holdsEntries, memberOf, withMember } from "./raw.js";

const FIELDS = ["name", "description", "scan_depth", "token_budget", "recursive_scanning"];

/** Where a format has it; those that have no place for it keep it among their extensions. */
function pathOf(format, name) {
  if (format === "risu" || format === "novelai") return ["extensions", "reverie", name];
  if (format === "lorebook_v3") return ["data", name];
  if (format === "agnai") return [name.replace(/_(\w)/, (_, letter) => letter.toUpperCase())];
  return [name];
}

function control(name, value) {
  if (name === "description") return h("textarea", { rows: 3, value: value ?? "" });
  if (name === "recursive_scanning") return h("select", {}, [["", t("lore.asWorld")], ["true", t("lore.yes")], ["false", t("lore.no")]].map(([one, words]) => h("option", { value: one, selected: String(value ?? "") === one }, words)));
  if (name === "name") return h("input", { type: "text", value: value ?? "" });
  return h("input", { type: "number", min: 0, step: 1, value: value ?? "", placeholder: t("lore.asWorld") });
}

function read(name, text) {
  if (name === "name" || name === "description") return text;
  if (text === "") return null;
  return name === "recursive_scanning" ? text === "true" : Number(text);
}

/** The file of the book changes only where it says these things. `changed()` hears of it. */
export async function aboutDialog(book, changed) {
  const text = await (await send("GET", `${book.path}/document`)).text();
  const { format } = book.about;
  if (!holdsEntries(text, format)) throw new Error(t("lore.cannotChange"));
  const before = Object.fromEntries(FIELDS.map((name) => [name, memberOf(text, pathOf(format, name))]));
  const controls = Object.fromEntries(FIELDS.map((name) => [name, control(name, before[name])]));
  const write = async (next) => {
    await send("PUT", book.path, { body: next, type: "application/json", query: { expected_revision: book.about.revision } });
    await book.reset();
    await changed();
  };
  dialog(t("lore.about"), FIELDS.map((name) => field(t(`lore.about.${name}`), controls[name])), { agree: t("lore.save"), submit: async (close) => {
    let next = text;
    for (const name of FIELDS) {
      const value = read(name, controls[name].value);
      if (value === (before[name] ?? (typeof value === "string" ? "" : null))) continue;
      next = withMember(next, pathOf(format, name), JSON.stringify(value), true);
    }
    if (next !== text) await write(next);
    close();
    if (next !== text) say(t("lore.saved"), { undo: () => write(text) });
  } });
}
