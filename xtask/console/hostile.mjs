// What characters, cards and books say is text. Markup, scripts, links, braces, letters that turn the direction around, words without an
// end: wherever they stand, nothing of it runs, and it is shown as it was written.

import { cardPicture, drop } from "./parts/files.mjs";
import { pagesOf, sideways, visit } from "./parts/look.mjs";

const run = (who) => `window.__ran='${who}'`;
const LONG = "Wort".repeat(300);
const WORLD = `flow-hostile <script>${run("world")}</script>`;
const CHARACTER = `c"><img src=x onerror=${run("character")}>`;
const NAME = `{{user}} <b onmouseover=${run("name")}>\u202eEvil\u2066 \${${run("braces")}}`;
const PERSONA = `</textarea><script>${run("persona")}</script> {{char}} <style>body{display:none}</style>`;
const OTHER = `o'/..%2f?#&<iframe srcdoc="<script>parent.${run("other")}</script>">`;
const SENT = `<script>${run("memory")}</script><img src=x onerror=${run("memory")}> [link](javascript:${run("link")}) \u0001\u0007\u001b[31m\u0085 the kettle`;
/** The server keeps no such control characters. */
const MEMORY = SENT.replace(/[\u0001-\u001f]/g, "\ufffd");
const EMOTION = `<svg onload=${run("emotion")}>`;
const KEYWORD = `<a href="javascript:${run("keyword")}">kettle</a>`;
const BOOK = `book<object data=javascript:${run("book")}>`;
const BOOK_NAME = `<h1 onclick=${run("bookname")}>Lore\u202e</h1>`;
const KEY = "<kettle>";
const COMMENT = `<img src=x onerror=${run("comment")}>`;
const CONTENT = `</textarea></script><script>${run("content")}</script> {{#each memories}}{{/each}}`;
const TALK = `<iframe src="javascript:${run("talk")}"></iframe>`;
const LINE = `"><script>${run("line")}</script><details open ontoggle=${run("line")}> javascript:${run("line")}`;
const ACTION = `<video onerror=${run("action")}><source></video>`;
const CHECKPOINT = `'-${run("checkpoint")}-'<input autofocus onfocus=${run("checkpoint")}>\u202e`;
const CARD_NAME = `<svg/onload=${run("card")}>`;
const FILE = `<img src=x onerror=${run("file")}>.png`;

const part = encodeURIComponent;

async function prepare(api) {
  const path = `/v1/worlds/${part(WORLD)}`;
  await api("PUT", path, { settings: { language: "en", recall: { template: `{{#each memories}}<script>${run("template")}</script>{{text}}{{/each}}` } } });
  await api("PUT", `${path}/characters/${part(CHARACTER)}`, { display_name: NAME, persona: PERSONA, tags: [EMOTION] });
  await api("PUT", `${path}/characters/${part(OTHER)}`, { display_name: LONG.slice(0, 400) });
  const { id: talk } = await api("POST", `${path}/conversations`, { id: `talk-${TALK}`.slice(0, 100), name: TALK, participants: [CHARACTER, OTHER] });
  const lines = `${path}/conversations/${part(talk)}/lines`;
  const { lines: [said] } = await api("POST", lines, { lines: [{ speaker: CHARACTER, attribute: "assistant", content: LINE, emotion: EMOTION, action: ACTION, tts: LINE }] });
  await api("POST", lines, { swipe_of: said.id, lines: [{ speaker: CHARACTER, attribute: "assistant", content: `second ${LINE}`, emotion: EMOTION, action: ACTION }] });
  await api("POST", lines, { lines: [{ speaker: OTHER, attribute: "user", content: LONG }] });
  await api("POST", `${path}/digest`, { now: true, slice_ms: 5000 });
  await api("POST", `${path}/events`, { text: `event ${SENT}`, witnesses: [CHARACTER, OTHER] });
  const { id: memory } = await api("POST", `${path}/characters/${part(CHARACTER)}/memories`, { text: SENT, kind: "semantic", about: [OTHER], emotions: [EMOTION], keywords: [KEYWORD] });
  await api("PATCH", `${path}/memories/${memory}`, { text: `reworded ${SENT}` });
  await api("POST", `${path}/characters/${part(CHARACTER)}/memories`, { text: LONG, kind: "goal" });
  const { id: gone } = await api("POST", `${path}/characters/${part(CHARACTER)}/memories`, { text: `gone ${SENT}`, kind: "trait" });
  await api("DELETE", `${path}/memories/${gone}`);
  const entry = (uid, fields) => ({ uid, key: [KEY, `/${EMOTION.slice(1, 4)}/i`], keysecondary: [KEYWORD], comment: COMMENT, content: CONTENT, order: 1, position: 0, disable: false, selective: false, ...fields });
  await api("PUT", `/v1/books/${part(BOOK)}`, { name: BOOK_NAME, entries: { 0: entry(0), 1: entry(1, { comment: LONG, key: [LONG.slice(0, 300)], content: LONG }) } });
  await api("PUT", `${path}/lore/${part(BOOK)}`, { character: CHARACTER });
  await api("PUT", `${path}/checkpoints/${part(CHECKPOINT)}`);
  return { path, talk, memory, line: said.id };
}

/** All that can be read: on the page, in fields, in names for readers of the screen. */
const readable = (page) => page.evaluate(() => {
  const fields = [...document.querySelectorAll("input, textarea")].map((one) => one.value);
  const names = [...document.querySelectorAll("[aria-label], [title]")].flatMap((one) => [one.getAttribute("aria-label"), one.title]);
  return [document.body.textContent, document.title, ...fields, ...names].join("\n").replace(/[\u2068\u2069]/g, "");
});

/** What of it became more than text. */
const alive = (page) => page.evaluate(() => {
  const found = [];
  if (window.__ran !== undefined) found.push(`ran: ${window.__ran}`);
  for (const one of document.querySelectorAll("*")) {
    if (["IFRAME", "OBJECT", "EMBED", "VIDEO", "STYLE", "BASE", "FRAME", "SOURCE"].includes(one.tagName)) found.push(one.tagName);
    if (one.tagName === "SCRIPT" && !one.src.startsWith(`${location.origin}/console/`)) found.push("a script");
    if (one.tagName === "IMG" && !one.src.startsWith("blob:")) found.push(`a picture from ${one.getAttribute("src")}`);
    for (const { name, value } of one.attributes) {
      if (/^on/i.test(name)) found.push(`${one.tagName} ${name}`);
      if (["href", "src", "action", "formaction", "srcdoc", "xlink:href"].includes(name) && /^\s*(javascript|data|vbscript):/i.test(value)) found.push(`${name} ${value}`);
    }
  }
  return found.join(", ");
});

export default async function ({ page, base, api, check }) {
  const dialogs = [];
  const windows = [];
  page.on("dialog", (dialog) => { dialogs.push(dialog.message()); dialog.dismiss(); });
  page.on("popup", (other) => windows.push(other.url()));
  const { path, talk, memory, line } = await prepare(api);
  const inWorld = `#/worlds/${part(WORLD)}`;
  const memories = `${inWorld}/characters/${part(CHARACTER)}`;

  const look = async (name, ...texts) => {
    const seen = await readable(page);
    const missing = texts.filter((text) => !seen.includes(text));
    check(`${name}: it is read as it was written (${missing.join(" | ")})`, missing.length === 0);
    const found = await alive(page);
    check(`${name}: it is nothing but text (${found})`, found === "");
    const by = await sideways(page);
    check(`${name}: a word without an end does not push the page aside (${by} px)`, by <= 0);
  };
  const wait = (text) => page.getByText(text, { exact: false }).first().waitFor({ state: "attached" });

  // Every page, wide and narrow.
  const says = {
    start: [WORLD],
    worlds: [WORLD],
    world: [WORLD, NAME, CHARACTER, CHECKPOINT, MEMORY],
    memories: [NAME, MEMORY, EMOTION],
    timeline: [MEMORY],
    shelves: ["event <script>"],
    suggestions: [LONG.slice(0, 300)],
    bin: [`gone ${MEMORY}`],
    conversations: [TALK, NAME],
    conversation: [TALK, NAME, `second ${LINE}`, ACTION, EMOTION, LONG],
    why: [NAME, MEMORY, PERSONA.slice(0, 40)],
    lore: [BOOK_NAME, NAME],
    library: [BOOK_NAME],
    book: [BOOK_NAME, COMMENT, KEY],
    try: [],
    map: [NAME],
    "map-list": [MEMORY.slice(0, 60)],
    sharing: [NAME],
    settings: [NAME, `<script>${run("template")}</script>`],
    health: [],
  };
  const all = pagesOf({ world: WORLD, character: CHARACTER, conversation: talk, book: BOOK });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [name, address] of all) {
      await visit(page, base, name === "why" ? `${address}&message=kettle` : address);
      const texts = says[name];
      if (texts.length) await page.waitForFunction((wanted) => {
        const fields = [...document.querySelectorAll("input, textarea")].map((one) => one.value);
        const seen = [document.body.textContent, ...fields].join("\n").replace(/[\u2068\u2069]/g, "");
        return wanted.every((text) => seen.includes(text));
      }, texts, { timeout: 8000 }).catch(() => {});
      await look(`${name}, ${width} px`, ...texts);
    }
  }

  // What opens on a page.
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await visit(page, base, `${memories}?memory=${memory}`);
    await wait(`reworded: reworded ${MEMORY.slice(0, 20)}`);
    await look(`a memory, ${width} px`, `reworded ${MEMORY}`, KEYWORD, EMOTION);
  }
  await page.getByRole("complementary").getByRole("button", { name: "Edit" }).click();
  await look("a memory that is edited", `reworded ${MEMORY}`);
  await page.getByRole("complementary").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Filters" }).click();
  await look("filters", EMOTION, LONG.slice(0, 400));

  await visit(page, base, `${inWorld}/lore?book=${part(BOOK)}&entry=0`);
  await page.getByRole("region", { name: "Entry" }).getByLabel("Content").waitFor();
  await look("an entry", KEY, KEYWORD, COMMENT, CONTENT);
  await page.getByRole("tab", { name: "Try out" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill(`${KEY} ${LINE}`);
  await page.locator(".hit").first().waitFor();
  await look("the try-out", KEY, LINE, COMMENT);

  await visit(page, base, `${inWorld}/conversations/${part(talk)}?line=${line}`);
  await page.getByText("This line is not on the active path").waitFor();
  await look("a line on another branch", LINE.slice(0, 40));
  await page.getByRole("button", { name: "Branches" }).click();
  await page.getByText("One fork in").waitFor();
  await look("branches", LINE.slice(0, 30));
  await page.keyboard.press("Escape");
  const second = page.locator(".line", { hasText: `second ${LINE}`.slice(0, 40) });
  await second.hover();
  await second.getByRole("button", { name: "Memories made of this line" }).click();
  await page.getByRole("dialog").waitFor();
  await look("memories of a line");
  await page.keyboard.press("Escape");
  await second.getByRole("button", { name: "Edit" }).click();
  await look("a line that is edited", `second ${LINE}`, ACTION);
  await page.keyboard.press("Escape");
  await second.getByRole("button", { name: "Delete" }).click();
  await look("a line that is about to be deleted", "second");
  await page.keyboard.press("Escape");

  await visit(page, base, inWorld);
  await page.getByRole("button", { name: /^Restore .?'-window/ }).click();
  await look("going back to a checkpoint", CHECKPOINT);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Delete .?'-window/ }).click();
  const title = page.getByRole("dialog").getByRole("heading");
  const inOrder = await title.evaluate((one) => {
    const text = one.firstChild;
    const place = (from) => { const range = document.createRange(); range.setStart(text, from); range.setEnd(text, from + 1); return range.getBoundingClientRect(); };
    const [begin, end] = [place(0), place(text.length - 1)];
    const last = place(text.length - 4);
    return end.top > last.top || end.left > last.left || end.top > begin.top;
  });
  check("letters that turn the direction turn nothing but themselves", inOrder);
  await look("deleting a checkpoint", CHECKPOINT);
  await page.keyboard.press("Escape");
  await page.locator(".cast-card", { hasText: CHARACTER }).locator("[data-control=edit]").click();
  await look("a character that is edited", NAME, PERSONA, EMOTION);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.locator(".toast").first().waitFor();
  await look("a word at the edge", NAME);
  check("saving changes nothing of it", (await api("GET", `${path}/characters/${part(CHARACTER)}`)).persona === PERSONA);

  await visit(page, base, "#/worlds");
  await page.locator(".world-card", { hasText: WORLD }).getByRole("button", { name: /^Delete/ }).click();
  await look("deleting a world", WORLD);
  await page.keyboard.press("Escape");

  // By drop: a card whose name, words and file are markup.
  await visit(page, base, "#/");
  await drop(page, ".drop", [FILE, cardPicture({ name: CARD_NAME, description: PERSONA, first_mes: LINE, creator_notes: MEMORY, character_book: { name: BOOK_NAME, entries: [{ keys: [KEY], content: CONTENT, extensions: {}, enabled: true, insertion_order: 1 }] } }), "image/png"]);
  const bring = page.getByRole("region", { name: "Bring what you have" });
  await bring.getByText("The card of").waitFor();
  await bring.getByLabel("Into which world?").selectOption(WORLD);
  await look("a card that was dropped", CARD_NAME, FILE);
  await bring.getByRole("button", { name: "Bring it in" }).click();
  await bring.getByText("is now in").waitFor();
  await look("a card that came in", CARD_NAME, WORLD);
  await visit(page, base, inWorld);
  await page.locator(".cast-card", { hasText: CARD_NAME }).locator(".portrait img").waitFor();
  await look("the cast with it", CARD_NAME);
  await visit(page, base, `${inWorld}/characters/${part(CARD_NAME)}`);
  await look("its page", CARD_NAME);

  // In the other language, too.
  await page.getByRole("button", { name: "简体中文" }).click();
  for (const [name, address] of all) {
    await visit(page, base, address);
    const found = await alive(page);
    check(`${name}, Chinese: nothing but text (${found})`, found === "");
  }
  await page.getByRole("button", { name: "English" }).click();
  check(`no dialog opened (${dialogs.join(", ")})`, dialogs.length === 0);
  check(`no window opened (${windows.join(", ")})`, windows.length === 0);
}
