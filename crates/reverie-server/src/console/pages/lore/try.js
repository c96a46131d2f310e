// What would the books say now? A text is typed or a conversation taken, and of every entry it is told why it comes or stays away.

import { all, at, get, post, send } from "../../api.js";
import { calm, h, replace } from "../../dom.js";
import { field } from "../../parts/dialog.js";
import { talkName } from "../../parts/talk-name.js";
import { virtualList } from "../../parts/virtual.js";
import { complain } from "../../parts/toast.js";
import { noted, serverWords } from "../../parts/trouble.js";
import { listed, number, t, term } from "../../words.js";
import { GENERATIONS, titleOf } from "./fields.js";
import { hits, spoken } from "./highlight.js";
import { sentence } from "./reasons.js";

const ROW = 60;
const SHOWN = 12;
/** What was typed, for as long as the console is open. */
const kept = { text: "" };

/** Each line is a message, `Name: words`; the last one is the newest. */
function messagesOf(text) {
  return text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
    const said = /^([^:：]{1,40})[:：]\s*(.+)$/.exec(line);
    return said ? { name: said[1].trim(), text: said[2] } : { name: "", text: line };
  });
}

function factsOf(text) {
  const value = (words) => (words === "true" ? true : words === "false" ? false : words !== "" && !Number.isNaN(Number(words)) ? Number(words) : words);
  return Object.fromEntries(text.split("\n").map((line) => line.split("=")).filter(([name, words]) => name?.trim() && words !== undefined).map(([name, ...words]) => [name.trim(), value(words.join("=").trim())]));
}

const listOf = (text) => text.split(/[,，\n]/).map((one) => one.trim()).filter(Boolean);

/** `book`: one opened book, or none: all that the world uses; `readers`: for whom alone it is. `open(book, entry)` shows an entry. */
export function tryOut({ world, book, characters, readers = [], signal, open }) {
  const people = characters.filter((one) => one.kind !== "narrator");
  const titles = new Map();
  let whys = [];
  let show = "all";
  let running = null;
  let documentOf = { revision: -1, text: "" };

  const keyOf = (name) => JSON.stringify([name.book ?? book?.id, name.entry]);
  const nameOf = (name) => titles.get(keyOf(name)) ?? name.entry;
  const learnTitles = () => { for (const entry of book?.entries ?? []) titles.set(keyOf({ book: book.id, entry: entry.id }), titleOf(entry)); };
  const learnTitle = async (why, element) => {
    if (titles.has(keyOf(why))) return;
    titles.set(keyOf(why), why.entry);
    try {
      titles.set(keyOf(why), titleOf(await get(at`/v1/books/${why.book}/entries/${why.entry}`, undefined, { signal })));
      element.textContent = nameOf(why);
    } catch { /* It goes by its id. */ }
  };

  const input = (attributes) => h("input", { type: "text", oninput: later, ...attributes });
  const later = () => { kept.text = text.value; runLater(); };
  const source = world ? h("select", { onchange: () => { tellSource(); run(); } }, h("option", { value: "" }, t("try.typed"))) : null;
  const alone = world && book ? h("select", { onchange: () => { tellSource(); run(); } }, h("option", { value: "world" }, t("try.asInWorld")), h("option", { value: "alone" }, t("try.alone"))) : null;
  const who = h("select", { onchange: () => run() }, people.map((one) => h("option", { value: one.id, selected: one.id === readers[0] }, one.display_name || one.id)));
  const forWhom = listed(readers.map((id) => people.find((one) => one.id === id)?.display_name || id));
  const text = h("textarea", { rows: 5, value: kept.text, placeholder: t("try.example"), oninput: later });
  const mood = input({});
  const topics = input({});
  const facts = h("textarea", { rows: 2, placeholder: "place=tavern\nquest.dragon=true", oninput: later });
  const generation = h("select", { onchange: () => run() }, GENERATIONS.map((one) => h("option", { value: one }, term("lore.generation", one))));
  const depth = h("input", { type: "number", min: 1, max: 1000, value: 2, oninput: later });
  const checks = ["recursive", "whole_words", "case_sensitive", "fold_script"].map((name) => [name, h("input", { type: "checkbox", onchange: () => run() })]);
  const isWorld = () => Boolean(world) && alone?.value !== "alone";

  const worldFields = h("div", { class: "fields" }, world && field(t("try.who"), who, readers.length > 0 && t("try.onlyFor", { names: forWhom })));
  const aloneFields = h("div", { class: "fields" }, field(t("try.depth"), depth), checks.map(([name, box]) => h("label", { class: "check" }, box, h("span", {}, t(`try.${name}`)))));
  const hint = h("p", { class: "hint" });
  function tellSource() {
    worldFields.hidden = !isWorld();
    aloneFields.hidden = isWorld();
    hint.textContent = source?.value ? t("try.hintConversation") : t("try.hintTyped");
  }

  const summary = h("p", { role: "status", "aria-live": "polite" });
  const heard = h("div", {});
  const troubles = h("div", {});
  const filterBox = h("div", { class: "bar", role: "group", "aria-label": t("try.filter") }, ["all", "active", "silent"].map((name) => h("button", { type: "button", dataset: { name }, "aria-pressed": name === show ? "true" : "false", onclick: () => {
    show = name;
    for (const button of filterBox.children) button.setAttribute("aria-pressed", button.dataset.name === show ? "true" : "false");
    list.reload();
  } }, t(`try.show.${name}`))));
  const list = virtualList({ label: t("try.verdicts"), rowHeight: ROW, row, key: keyOf, load: async () => ({ items: whys.filter((why) => show === "all" || why.active === (show === "active")) }),
    empty: () => h("p", { class: "empty" }, t("try.nothing")) });

  function row(why) {
    const name = h("span", { class: "entry-title" }, nameOf(why));
    learnTitle(why, name);
    return h("div", {}, h("button", { type: "button", class: why.active ? "why-row active" : "why-row", dataset: { entry: why.entry, book: why.book }, onclick: () => open(why.book, why.entry) },
      h("span", { class: why.active ? "chip good" : "chip" }, why.active ? t("try.active") : t("try.silent")),
      h("span", { class: "grow" }, name, h("span", { class: "reason faint" }, sentence(why, nameOf))),
      !book && h("span", { class: "chip" }, why.book)));
  }

  const jump = (why) => {
    const index = list.items().findIndex((one) => one.book === why.book && one.entry === why.entry);
    if (index < 0) return open(why.book, why.entry);
    list.scrollTop = Math.max(0, index * ROW - 40);
    list.refresh();
    return list.querySelector(`[data-entry="${CSS.escape(why.entry)}"]`)?.focus();
  };

  /** What is searched, and who answers: the world's own books and settings, or this book by itself. */
  async function ask(stop) {
    const typed = messagesOf(text.value);
    const more = { mood: listOf(mood.value), facts: factsOf(facts.value), generation: generation.value };
    const conversation = source?.value;
    let before = [];
    if (conversation) {
      const as = isWorld() ? who.value : undefined;
      const lines = (await get(at`/v1/worlds/${world}/conversations/${conversation}/lines`, { newest: true, limit: SHOWN, as }, { signal: stop })).items.reverse();
      before = lines.filter((line) => !line.hidden && line.shown !== false && line.attribute !== "system").map((line) => ({ name: line.display_name ?? line.speaker ?? "", text: line.content }));
    }
    const messages = [...before, ...(conversation ? typed.slice(-1) : typed)];
    if (!isWorld()) {
      if (documentOf.revision !== book.about.revision) documentOf = { revision: book.about.revision, text: await (await send("GET", `${book.path}/document`, { signal: stop })).text() };
      const settings = { depth: Number(depth.value) || 2, ...Object.fromEntries(checks.map(([name, box]) => [name, box.checked])) };
      const rest = JSON.stringify({ messages, settings, explain: true, topics: listOf(topics.value), ...more }).slice(1);
      const body = `{"books":[{"id":${JSON.stringify(book.id)},"document":${documentOf.text}}],${rest}`;
      const answer = await (await send("POST", "/v1/lore/scan", { body, type: "application/json", signal: stop })).json();
      return { answer, messages };
    }
    const newest = typed.at(-1);
    const self = people.find((one) => one.id === who.value);
    const line = ({ name, text: content }) => ({ attribute: name && [self?.display_name, self?.id].includes(name) ? "assistant" : "user", display_name: name || undefined, content });
    const cue = { character: who.value, ...more, lore: { topics: listOf(topics.value) } };
    if (conversation) cue.conversation = conversation;
    else cue.history = typed.slice(0, -1).map(line);
    if (newest) cue.message = newest.name ? { content: newest.text, speaker: { display_name: newest.name } } : newest.text;
    return { answer: await post(at`/v1/worlds/${world}/lore/preview`, cue, { signal: stop }), messages };
  }

  async function run() {
    running?.abort();
    running = new AbortController();
    const stop = AbortSignal.any([running.signal, signal]);
    if (isWorld() && !who.value) {
      summary.textContent = t("try.nobody");
      return;
    }
    try {
      const { answer, messages } = await ask(stop);
      learnTitles();
      for (const one of answer.active) titles.set(keyOf(one), one.comment || nameOf(one));
      whys = answer.why.filter((why) => !book || why.book === book.id).sort((a, b) => Number(b.active) - Number(a.active));
      const active = whys.filter((why) => why.active).length;
      summary.textContent = t("try.summary", { active: number(active), all: number(whys.length), tokens: number(answer.budget.tokens) }) + (answer.budget.is_over ? ` ${t("try.over")}` : "");
      replace(troubles, [...answer.problems, ...(answer.degraded ?? [])].length > 0 && h("ul", { class: "warnings" },
        answer.problems.map((one) => h("li", {}, one.entry && `${nameOf(one)}${t("lore.says")}`, serverWords(one.message))), (answer.degraded ?? []).map((one) => h("li", {}, noted(one)))));
      const found = await hits(messages, whys);
      if (stop.aborted) return;
      replace(heard, messages.length > 0 && spoken(messages, found, nameOf, jump));
      await list.reload({ keepPlace: true });
    } catch (error) {
      if (!stop.aborted) complain(error);
    }
  }
  const runLater = calm(350, () => { if (!signal.aborted) run(); });

  if (source) all(at`/v1/worlds/${world}/conversations`, {}, { most: 300, signal }).then((found) => {
    const nameFor = (one) => talkName(one, (id) => people.find((other) => other.id === id)?.display_name || id);
    source.append(...found.map((one) => h("option", { value: one.id }, t("try.conversation", { name: nameFor(one) }))));
  }, complain);
  tellSource();

  const element = h("div", { class: "try" },
    h("form", { class: "card try-in", onsubmit: (event) => { event.preventDefault(); run(); } },
      h("h2", {}, t("try.title")),
      alone && field(t("try.how"), alone), source && field(t("try.source"), source), worldFields, aloneFields,
      field(t("try.text"), text), hint,
      h("details", {}, h("summary", {}, t("try.more")), h("div", { class: "fields" }, field(t("try.mood"), mood), field(t("try.topics"), topics), field(t("try.facts"), facts), field(t("try.generation"), generation)))),
    h("div", { class: "try-out" }, summary, heard, troubles, filterBox, list));
  return { element, run };
}
