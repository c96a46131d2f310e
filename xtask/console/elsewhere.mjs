// Somebody acts, or writes, and goes to another page: an undo still takes back, and what was being written is there when they return.

import { visit } from "./parts/look.mjs";

const WORLD = "flow-elsewhere";

export default async function ({ page, base, api, check }) {
  await api("PUT", `/v1/worlds/${WORLD}`, { settings: { language: "en" } });
  await api("PUT", `/v1/worlds/${WORLD}/characters/ann`, { display_name: "Ann" });
  for (const thing of ["apples", "plums", "蜂蜜"]) await api("POST", `/v1/worlds/${WORLD}/characters/ann/memories`, { text: `Ann likes ${thing}.`, kind: "semantic" });
  await api("PUT", "/v1/books/flow-elsewhere", { name: "Places", entries: Object.fromEntries([0, 1, 2].map((uid) => [uid, { uid, key: [`k${uid}`], comment: `Place ${uid}`, content: `All about place ${uid}.`, order: 100 }])) });
  await api("PUT", `/v1/worlds/${WORLD}/lore/flow-elsewhere`, {});
  await page.goto(`${base}/#/worlds/${WORLD}`);
  await page.getByRole("heading", { level: 1, name: WORLD }).waitFor();
  const context = { page, base, api, check, goTo: (link) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: link, exact: true }).click() };
  await undoLater(context);
  await writeLater(context);
}

/** What `look` gives becomes `wanted`; the server has some seconds for it. */
async function becomes(look, wanted) {
  let now;
  for (let tries = 0; tries < 40; tries++) {
    now = await look();
    if (now === wanted) return true;
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  console.log(`  it is ${now}, not ${wanted}`);
  return false;
}

async function undoLater({ page, base, api, check, goTo }) {
  const entries = async () => (await api("GET", "/v1/books/flow-elsewhere/entries")).items.map((one) => `${one.id}: ${one.fields.content}`).join(" ");
  const whole = await entries();
  const undo = () => page.locator(".toast").getByRole("button", { name: "Undo" }).last().click();
  const editor = page.getByRole("region", { name: "Entry" });

  await visit(page, base, `#/worlds/${WORLD}/lore?book=flow-elsewhere&entry=1`);
  await editor.getByRole("button", { name: "Delete entry" }).click();
  await page.getByText("“Place 1” was deleted.").waitFor();
  await goTo("Cast");
  await page.getByRole("heading", { level: 1, name: WORLD }).waitFor();
  await undo();
  check("an entry that was deleted comes back, to its place, also from another page", await becomes(entries, whole));
  check("and the address stays that page's", page.url().endsWith(`#/worlds/${WORLD}`));

  await visit(page, base, `#/worlds/${WORLD}/lore?book=flow-elsewhere&entry=0`);
  await editor.getByLabel("Content").fill("Other words.");
  await editor.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").last().waitFor();
  await goTo("Settings");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await undo();
  check("so do the words of one that was changed", await becomes(entries, whole));

  const stats = async () => api("GET", `/v1/worlds/${WORLD}/characters/ann/stats`);
  const select = async () => {
    await visit(page, base, `#/worlds/${WORLD}/characters/ann`);
    await page.locator(".memory").nth(2).waitFor();
    for (const index of [0, 1]) await page.locator(".memory input[type=checkbox]").nth(index).check();
  };
  const bulk = page.getByRole("region", { name: "What to do with the selection" });
  await select();
  await bulk.getByRole("button", { name: "Forget" }).click();
  await page.getByText("2 forgotten.").waitFor();
  await goTo("Settings");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await undo();
  check("many that were forgotten are remembered again", await becomes(async () => (await stats()).forgotten, 0));

  await select();
  await bulk.getByRole("button", { name: "Pin", exact: true }).click();
  await page.getByText("2 pinned.").waitFor();
  await page.getByRole("button", { name: "简体中文" }).click();
  await page.getByRole("button", { name: "新建记忆" }).first().waitFor();
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  check("another language changes nothing about that", await becomes(async () => (await stats()).pinned, 0));
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("button", { name: "New memory" }).waitFor();
  check("nobody complained", (await page.locator(".toast.bad").count()) === 0);
}

async function writeLater({ page, base, api, check, goTo }) {
  const text = page.locator(".memory-panel").getByLabel(/^(Text|内容)$/);
  await page.locator(".memory-open", { hasText: "plums" }).click();
  await page.locator(".memory-panel").getByRole("button", { name: "Edit" }).click();
  await text.fill("Ann likes plums, the yellow ones.");
  await goTo("Why");
  await page.getByRole("heading", { level: 1, name: "Why" }).waitFor();
  await page.goBack();
  await text.waitFor();
  check("a memory that is being reworded stays so", (await text.inputValue()) === "Ann likes plums, the yellow ones.");
  await page.getByRole("button", { name: "简体中文" }).click();
  await page.getByRole("button", { name: "新建记忆" }).first().waitFor();
  await text.waitFor();
  check("in another language, too", (await text.inputValue()) === "Ann likes plums, the yellow ones.");
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("button", { name: "New memory" }).waitFor();
  const asked = await page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  check("closing the console asks first", asked);
  await page.locator(".memory-panel").getByRole("button", { name: "Save" }).click();
  await page.locator(".memory-open", { hasText: "the yellow ones" }).waitFor();
  check("and it is saved as it was written", !(await page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })))));

  await visit(page, base, `#/worlds/${WORLD}/settings`);
  const template = page.getByLabel("Template", { exact: true });
  await template.fill("{{#each memories}}- {{text}}\n{{/each}}");
  await goTo("Why");
  await page.getByRole("heading", { level: 1, name: "Why" }).waitFor();
  await goTo("Settings");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  check("so does a template that is not saved", (await template.inputValue()).startsWith("{{#each memories}}- "));
  check("it is not saved by that", (await api("GET", `/v1/worlds/${WORLD}`)).settings.recall === undefined);
  await page.getByRole("button", { name: "Discard" }).click();

  await visit(page, base, `#/worlds/${WORLD}/characters/ann`);
  await page.getByRole("button", { name: "New memory" }).click();
  await page.getByLabel("What is remembered").fill("Half written");
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  check("a question does not stay over another page", (await page.getByRole("dialog").count()) === 0);
  await page.goForward();
  await page.getByRole("button", { name: "New memory" }).click();
  check("what was written in it does", (await page.getByLabel("What is remembered").inputValue()) === "Half written");
  await page.getByLabel("What is remembered").fill("");
  await page.keyboard.press("Escape");
}
