// How is an entry changed? Whatever is typed stays a draft, also while another entry is looked at or others change the book, until it
// is saved or thrown away.

import { h, replace } from "../../dom.js";
import { dialog } from "../../parts/dialog.js";
import { draftKey as keyOf, drafts as shelf } from "../../parts/drafts.js";
import { icon } from "../../parts/icon.js";
import { guarded, say } from "../../parts/toast.js";
import { noted } from "../../parts/trouble.js";
import { t } from "../../words.js";
import { control } from "./controls.js";
import { GROUPS, saysSomething, titleOf } from "./fields.js";
import { Conflict, same } from "./store.js";

/** By book and entry: `{base, fields}`. Kept while the console is open. */
const drafts = shelf();

export const draftOf = (book, entry) => drafts.get(keyOf(book, entry));
export const dropDraft = (book, entry) => drafts.delete(keyOf(book, entry));

const stored = (entry, name) => (name === "extra" || name === "extensions" ? entry[name] : entry.fields[name]);

/** What to send: members of `extra` and `extensions` that were taken out are taken out there. */
function patchOf(entry, fields) {
  const change = { ...fields };
  for (const name of ["extra", "extensions"]) {
    if (!(name in change)) continue;
    const gone = Object.keys(entry[name]).filter((member) => !(member in change[name])).map((member) => [member, null]);
    change[name] = { ...change[name], ...Object.fromEntries(gone) };
  }
  return change;
}

/** The values that these fields had before. */
const before = (entry, fields) => patchOf({ extra: fields.extra ?? {}, extensions: fields.extensions ?? {} },
  Object.fromEntries(Object.keys(fields).map((name) => [name, stored(entry, name) ?? null])));

/**
 * A form for one entry. `saved(entry)` hears of what was written, `touched()` of every draft; `act` has duplicate and remove.
 */
export function editor({ book, characters, saved, touched, duplicate, remove, close }) {
  const root = h("section", { class: "entry-editor", "aria-label": t("lore.editor") });
  let entry = null;

  const status = h("span", { class: "hint", role: "status" });
  const save = h("button", { type: "submit", class: "primary" }, t("lore.save"));
  const discard = h("button", { type: "button", class: "quiet", onclick: () => { dropDraft(book.id, entry.id); touched(); open(entry); } }, t("lore.discard"));

  const read = (name) => {
    const draft = draftOf(book.id, entry.id)?.fields;
    return draft && name in draft ? draft[name] : stored(entry, name);
  };

  function changed(name, value) {
    const key = keyOf(book.id, entry.id);
    const draft = drafts.get(key) ?? { base: entry, fields: {} };
    const own = stored(entry, name);
    if (same(value ?? null, own ?? null) || (value === "" && own === undefined) || (Array.isArray(value) && value.length === 0 && own === undefined)) delete draft.fields[name];
    else draft.fields[name] = value;
    if (Object.keys(draft.fields).length) drafts.set(key, draft);
    else drafts.delete(key);
    tell();
    touched();
  }

  function tell() {
    const isDraft = Boolean(draftOf(book.id, entry.id));
    save.disabled = !isDraft;
    discard.hidden = !isDraft;
    status.textContent = isDraft ? t("lore.unsaved") : "";
  }

  async function write(base = entry) {
    root.querySelector(".chips input:focus")?.blur(); // A key that is still being typed counts.
    const draft = draftOf(book.id, entry.id);
    if (!draft) return;
    const id = entry.id;
    const change = patchOf(base, draft.fields);
    try {
      const result = await book.edit(id, change, base);
      dropDraft(book.id, id);
      saved(result);
      if (entry?.id === id) open(result, { keepPlace: true });
      say(t("lore.saved"), { undo: async () => {
        const old = await book.edit(id, before(base, draft.fields), result);
        saved(old);
        if (entry?.id === id) open(old, { keepPlace: true });
      } });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      settle(error.theirs, draft);
    }
  }

  /** Somebody else wrote this entry meanwhile: whose words count? */
  function settle(theirs, draft) {
    const show = (value) => h("pre", {}, typeof value === "string" ? value : JSON.stringify(value ?? null));
    const names = Object.keys(draft.fields);
    const box = dialog(t("lore.conflictTitle"), [
      h("p", {}, t("lore.conflict")),
      h("div", { class: "scroll-x" }, h("table", {}, h("thead", {}, h("tr", {}, ["lore.field", "lore.mine", "lore.theirs"].map((key) => h("th", {}, t(key))))),
        h("tbody", {}, names.map((name) => h("tr", {}, h("td", {}, t(`lorefield.${name}`)), h("td", {}, show(draft.fields[name])), h("td", {}, show(stored(theirs, name)))))))),
      h("p", {}, h("button", { type: "button", onclick: () => { dropDraft(book.id, theirs.id); saved(theirs); open(theirs); box.close(); } }, t("lore.takeTheirs"))),
    ], { agree: t("lore.takeMine"), wide: true, submit: async (done) => {
      entry = theirs;
      done(); // The draft stays, whatever comes of it.
      await write(theirs);
    } });
  }

  function group({ name, fields }) {
    const content = h("div", { class: "fields" }, fields.map((field) => control(field, read, changed, { characters })));
    if (name === "common") return content;
    const said = fields.filter((field) => saysSomething(entry, field)).length;
    return h("details", { open: said > 0 && name !== "other", dataset: { group: name } }, h("summary", {}, t(`lore.group.${name}`), said > 0 && h("span", { class: "chip accent" }, String(said))), content);
  }

  /** Shows an entry; with `keepPlace` the form stays where the person is in it. */
  function open(next, { keepPlace } = {}) {
    const focus = keepPlace && root.contains(document.activeElement) ? document.activeElement.closest("[data-field]")?.dataset.field : null;
    const opened = keepPlace ? [...root.querySelectorAll("details[open]")].map((one) => one.dataset.group) : [];
    const scroll = keepPlace ? root.scrollTop : 0;
    entry = next;
    if (!entry) return replace(root, h("p", { class: "faint choose" }, t("lore.chooseEntry")));
    const enabled = h("input", { type: "checkbox", role: "switch", "aria-label": t("lore.enabled"), checked: read("disable") !== true, onchange: () => changed("disable", !enabled.checked) });
    replace(root, h("form", { onsubmit: guarded(async (event) => { event.preventDefault(); await write(); }),
      onkeydown: (event) => { if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); document.activeElement?.dispatchEvent(new Event("change", { bubbles: true })); save.click(); } } },
      h("div", { class: "editor-head" },
        h("button", { type: "button", class: "quiet back", onclick: close }, t("lore.backToList")),
        h("h2", {}, titleOf(entry)),
        h("label", { class: "check" }, enabled, h("span", {}, t("lore.enabled"))),
        h("button", { type: "button", class: "quiet icon-only", title: t("lore.duplicate"), "aria-label": t("lore.duplicate"), onclick: guarded(() => duplicate(entry)) }, icon("copy")),
        h("button", { type: "button", class: "quiet icon-only", title: t("lore.deleteEntry"), "aria-label": t("lore.deleteEntry"), onclick: guarded(() => remove(entry)) }, icon("trash"))),
      entry.warnings.length > 0 && h("ul", { class: "warnings" }, entry.warnings.map((one) => h("li", {}, noted(one)))),
      GROUPS.map(group),
      h("p", { class: "hint mono" }, `${t("lore.id")} ${entry.id}`),
      h("div", { class: "editor-foot" }, save, discard, status)));
    for (const details of root.querySelectorAll("details")) if (opened.includes(details.dataset.group)) details.open = true;
    root.scrollTop = scroll;
    if (focus) root.querySelector(`[data-field="${CSS.escape(focus)}"]`)?.querySelector("input, select, textarea")?.focus({ preventScroll: true });
    tell();
    return root;
  }

  open(null);
  return { element: root, open, current: () => entry };
}
