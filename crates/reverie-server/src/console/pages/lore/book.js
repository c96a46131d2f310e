// One book: its entries with an editor beside them, a try-out, and what concerns the whole.

import { at, get, put, remove, send } from "../../api.js";
import { calm, h, replace } from "../../dom.js";
import { confirm } from "../../parts/dialog.js";
import { icon } from "../../parts/icon.js";
import { empty } from "../../parts/states.js";
import { complain, guarded, say } from "../../parts/toast.js";
import { go, remember, to } from "../../router.js";
import { number, t, term } from "../../words.js";
import { aboutDialog } from "./about.js";
import { exportDialog } from "./bring.js";
import { draftOf, editor } from "./editor.js";
import { entryCount, titleOf } from "./fields.js";
import { entryList } from "./rows.js";
import { contentOf, openBook } from "./store.js";
import { tryOut } from "./try.js";

const LOOK_MS = 2500;

/** For whom alone the world has this book; nobody named: for all, or for none. */
function readersOf(links, id) {
  const own = links.filter((link) => link.book === id);
  return own.every((link) => link.character !== undefined) ? own.map((link) => link.character) : [];
}

export async function showBook(page, { world, id, characters, query, signal }) {
  page.classList.add("full");
  const book = await openBook(id, signal);
  const links = world ? (await get(at`/v1/worlds/${world}/lore`, undefined, { signal })).books : [];
  const home = world ? to`/worlds/${world}/lore` : "#/lore";
  let wanted = "";

  const count = h("span", { class: "faint" });
  const title = h("h1", {});
  const tellCount = () => {
    title.textContent = book.about.name || id;
    count.textContent = entryCount(book.about.entries);
  };
  tellCount();

  const fits = () => {
    if (!wanted) return null;
    const words = wanted.toLowerCase();
    return ({ id: entry, fields }) => [entry, fields.comment, fields.content, ...[fields.key, fields.keysecondary].flat()].some((text) => String(text ?? "").toLowerCase().includes(words));
  };

  const rows = entryList({ book, fits, choose: (entry) => open(entry), toggle, move,
    empty: () => (wanted ? h("p", { class: "empty" }, t("lore.nothingFits")) : empty(t("lore.noEntries"), t("lore.noEntriesText"), h("button", { type: "button", class: "primary", onclick: guarded(create) }, t("lore.newEntry")))) });
  const form = editor({ book, characters: characters.map((one) => one.display_name || one.id), saved: changed, touched: calm(150, () => rows.list.refresh()), duplicate, remove: drop,
    close: () => open(null) });

  const entries = h("div", { class: "lore-entries" },
    h("div", { class: "entries-side" },
      h("div", { class: "bar" },
        h("input", { type: "search", class: "grow", "aria-label": t("lore.filter"), placeholder: t("lore.filter"), oninput: calm(200, (event) => { wanted = event.target.value.trim(); rows.list.reload(); }) }),
        h("button", { type: "button", onclick: guarded(create) }, icon("plus"), t("lore.newEntry"))),
      h("p", { class: "hint" }, t("lore.orderHint")),
      rows.element),
    form.element);

  let tab = query.get("tab") === "try" ? "try" : "entries";
  let tryPanel = null;
  const body = h("div", { class: "book-body", role: "tabpanel", id: "book-panel" });
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": t("lore.book") }, ["entries", "try"].map((name) =>
    h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "book-panel", dataset: { tab: name }, onclick: () => showTab(name),
      onkeydown: (event) => { if (event.key === "ArrowLeft" || event.key === "ArrowRight") { showTab(tab === "try" ? "entries" : "try"); tabs.querySelector("[aria-selected=true]").focus(); } } }, t(`lore.tab.${name}`))));

  function showTab(name) {
    tab = name;
    for (const button of tabs.children) {
      const isThis = button.dataset.tab === name;
      button.setAttribute("aria-selected", isThis ? "true" : "false");
      button.tabIndex = isThis ? 0 : -1;
    }
    body.setAttribute("aria-labelledby", `tab-${name}`);
    if (name === "try") tryPanel ??= tryOut({ world, book, characters, readers: readersOf(links, id), signal, open: (_, entry) => { showTab("entries"); openId(entry); } });
    replace(body, name === "try" ? tryPanel.element : entries);
    if (name === "try") tryPanel.run();
    note();
  }

  /** The address is this page's only while it is shown: an undo may come later. */
  const note = () => signal.aborted || remember({ book: id, entry: form.current()?.id, tab: tab === "try" ? "try" : undefined });

  function open(entry, { scroll } = {}) {
    form.open(entry);
    form.element.scrollTop = 0;
    entries.classList.toggle("editing", Boolean(entry));
    rows.choose(entry?.id ?? null, { scroll });
    note();
  }

  const openId = guarded(async (entry) => open(book.entries.find((one) => one.id === entry) ?? await get(`${book.path}${at`/entries/${entry}`}`, undefined, { signal }), { scroll: true }));

  function changed(entry) {
    rows.list.update((one) => one.id === entry.id, entry);
    tellCount();
  }

  async function again() {
    tellCount();
    await rows.list.reload({ keepPlace: true });
    const now = form.current();
    const fresh = now && book.entries.find((one) => one.id === now.id);
    // What is being typed stays; what others wrote is met when it is saved.
    if (fresh && !draftOf(id, now.id) && !form.element.contains(document.activeElement)) form.open(fresh, { keepPlace: true });
  }

  async function create() {
    const entry = await book.add({ comment: "", key: [], content: "" });
    tellCount();
    await rows.list.reload({ keepPlace: true });
    while (!rows.list.items().some((one) => one.id === entry.id) && !wanted && rows.list.items().length < book.entries.length) await growList();
    open(entry, { scroll: true });
    form.element.querySelector("input[type=text]")?.focus();
  }

  /** The list reads on when its end is seen. */
  async function growList() {
    const had = rows.list.items().length;
    rows.list.scrollTop = rows.list.scrollHeight;
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (rows.list.items().length === had) rows.list.refresh();
  }

  /** As far as the book can be put into an order; else new entries stand at its end. */
  async function arrange(order) {
    try {
      await book.arrange(order);
    } catch (error) {
      if (error.status !== undefined) throw error;
    }
  }

  async function duplicate(entry) {
    const content = contentOf(entry);
    const copy = await book.add({ ...content, comment: t("lore.copyOf", { title: titleOf(entry) }) });
    const ids = book.entries.map((one) => one.id).filter((one) => one !== copy.id);
    ids.splice(ids.indexOf(entry.id) + 1, 0, copy.id);
    await arrange(ids);
    tellCount();
    await rows.list.reload({ keepPlace: true });
    open(book.entries.find((one) => one.id === copy.id), { scroll: true });
    say(t("lore.duplicated"), { undo: () => erase(copy.id) });
  }

  async function erase(entry) {
    const ids = await book.drop(entry);
    if (form.current()?.id === entry) open(null);
    await again();
    return ids;
  }

  async function drop(entry) {
    const ids = await erase(entry.id);
    say(t("lore.entryDeleted", { entry: titleOf(entry) }), { undo: async () => {
      const back = await book.add(contentOf(entry), entry.id);
      const now = new Set((await book.all()).map((one) => one.id));
      const others = [...now].filter((one) => !ids.includes(one));
      await arrange([...ids.filter((one) => now.has(one)), ...others]);
      await again();
      open(book.entries.find((one) => one.id === back.id) ?? back, { scroll: true });
    } });
  }

  async function toggle(entry) {
    try {
      const result = await book.edit(entry.id, { disable: entry.fields.disable !== true }, entry);
      changed(result);
      if (form.current()?.id === entry.id && !draftOf(id, entry.id)) form.open(result, { keepPlace: true });
    } finally {
      rows.list.refresh();
    }
  }

  async function move(entry, place) {
    const order = (await book.all()).map((one) => one.id).filter((one) => one !== entry);
    order.splice(place, 0, entry);
    const before = await book.arrange(order);
    say(t("lore.moved"), { about: JSON.stringify(["order", id]), undo: async () => { await book.arrange(before); await again(); } });
  }

  async function removeBook() {
    const name = book.about.name || id;
    const isSure = await confirm(t("lore.deleteBook"), t("lore.deleteBookText", { book: name, entries: number(book.about.entries) }), { agree: t("lore.deleteBook"), danger: true });
    if (!isSure) return;
    const text = await (await send("GET", `${book.path}/document`)).text();
    await remove(book.path);
    say(t("lore.bookDeleted", { book: name }), { undo: async () => {
      await send("PUT", book.path, { body: text, type: "application/json", query: { expected_revision: 0 } });
      go(location.hash.includes("/lore") ? `${home}?book=${encodeURIComponent(id)}` : location.hash);
    } });
    go(home);
  }

  // Only where the world does not use it yet, for whomever.
  const use = h("button", { type: "button", hidden: !world || links.some((link) => link.book === id), onclick: guarded(async () => {
    await put(at`/v1/worlds/${world}/lore/${id}`, { rank: Math.max(-1, ...links.map((link) => link.rank)) + 1 });
    use.hidden = true;
    say(t("lore.linked"), { undo: async () => { await remove(at`/v1/worlds/${world}/lore/${id}`); use.hidden = false; } });
  }) }, icon("plus"), t("lore.useHere"));

  replace(page,
    h("div", { class: "head" },
      h("div", { class: "grow" }, h("p", { class: "crumb" }, h("a", { href: home }, t("lore.title"))), title,
        h("p", { class: "hint" }, h("span", { class: "chip" }, term("format", book.about.format)), " ", count)),
      h("div", { class: "actions" },
        use, h("button", { type: "button", onclick: guarded(() => aboutDialog(book, again)) }, icon("dials"), t("lore.about")),
        h("button", { type: "button", onclick: guarded(() => exportDialog(book.about)) }, icon("download"), t("lore.export")),
        h("button", { type: "button", class: "quiet", onclick: guarded(removeBook) }, icon("trash"), t("lore.deleteBook")))),
    tabs, body);
  showTab(tab);
  await rows.list.reload();
  if (query.get("entry")) openId(query.get("entry"));

  // Books belong to no world: their own revision tells whether somebody else works on them.
  const timer = setInterval(async () => {
    if (document.hidden || book.busy || signal.aborted) return;
    try {
      if (!(await book.isBehind()) || book.busy) return;
      await book.reset();
      await again();
    } catch (error) {
      if (error.status === 404) complain(error), clearInterval(timer);
    }
  }, LOOK_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}
