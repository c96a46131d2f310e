// Every page, in both languages, light and dark, wide and narrow: accessible, one heading, a title, no key without words, nothing sideways.

import { pagesOf, sideways, visit } from "./parts/look.mjs";
import { sampleWorld } from "./parts/sample.mjs";

/** Keys of the word lists, as the console itself has them. */
const keysOf = (page) => page.evaluate(async () => {
  const lists = ["shell", "terms", "troubles", "start", "files", "worlds", "memories", "why", "lore", "lore-fields", "lore-reasons", "conversations", "map", "settings", "options", "health"];
  const all = await Promise.all(lists.map((name) => import(`${location.origin}/console/words/${name}.js`)));
  return all.flatMap((list) => Object.keys(list.default));
});

/** A place for a value that got none; fields of calendars and of templates are for people. */
const UNFILLED = /(?<!\{)\{(n|name|names|id|count|all|file|text|what|when|value|who|tick|book)\}(?!\})/;

/** What is written on the page, in pieces that stand for themselves, and what is said about it. */
const written = (page) => page.evaluate(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("script, pre, code, textarea")) texts.push(walker.currentNode.data);
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) texts.push(one.getAttribute("aria-label"), one.title, one.getAttribute("placeholder"), one.getAttribute("alt"));
  return texts.filter(Boolean);
});

export default async function ({ page, base, api, check, axe, shot }) {
  const samples = { en: await sampleWorld(api, "saltmarsh", "en"), "zh-CN": await sampleWorld(api, "盐沼港", "zh-CN") };
  await page.goto(`${base}/#/`);
  await page.locator("h1").waitFor();
  const keys = new Set(await keysOf(page));
  check("the word lists are there", keys.size > 500);
  const titles = new Map();
  // Somebody whose card has no picture is as usual as somebody who has none.
  for (const { world } of Object.values(samples)) {
    await api("PUT", `/v1/cards/${encodeURIComponent(`${world}-plain`)}`, { spec: "chara_card_v2", spec_version: "2.0", data: { name: "You", description: "", personality: "", scenario: "", first_mes: "", mes_example: "" } });
    await api("PUT", `/v1/worlds/${encodeURIComponent(world)}/characters/you`, { card: `${world}-plain` });
  }
  const failures = [];
  page.on("response", (response) => response.status() >= 400 && !response.url().includes("none-of-this-name") && failures.push(`${response.status()} ${response.url()}`));

  for (const [language, sample] of Object.entries(samples)) {
    await page.setViewportSize({ width: 1280, height: 860 });
    const button = page.getByRole("button", { name: language === "en" ? "English" : "简体中文" });
    if (await button.count()) await button.click();
    await page.waitForFunction((one) => document.documentElement.lang === one, language);
    const memories = `#/worlds/${encodeURIComponent(sample.world)}/characters/aya`;
    const all = [...pagesOf(sample).map(([name, address]) => [name, name === "why" ? `${address}&conversation=tea-house&message=${encodeURIComponent(sample.message)}` : address]), ["memory", `${memories}?memory=${sample.memory}`], ["entry", `#/worlds/${encodeURIComponent(sample.world)}/lore?book=${encodeURIComponent(sample.book)}&entry=0`], ["nowhere", "#/no/such/page"], ["no-world", "#/worlds/none-of-this-name"]];
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 860 });
      for (const [name, address] of all) {
        const where = `${name}, ${language}, ${width} px`;
        await visit(page, base, address).catch((error) => { if (!["nowhere", "no-world"].includes(name)) throw error; });
        await settled(page);
        check(`${where}: one heading`, (await page.locator("h1").count()) === 1);
        const title = await page.title();
        check(`${where}: the title says which page it is (${title})`, /. · Reverie$/.test(title));
        if (width === 1280) check(`${where}: and is of this page alone`, name !== "nowhere" || ![...titles.values()].includes(title));
        if (width === 1280) titles.set(`${language} ${name}`, title);
        const bare = (await written(page)).filter((text) => keys.has(text.trim()) || UNFILLED.test(text));
        check(`${where}: all of it is in words (${bare.join(" | ")})`, bare.length === 0);
        const by = await sideways(page);
        check(`${where}: nothing goes sideways (${by} px)`, by <= 0);
        const below = await page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
        check(`${where}: no empty screen lies below it (${below} px)`, below === 0);
        for (const theme of ["light", "dark"]) {
          await page.evaluate((one) => { document.documentElement.dataset.theme = one; }, theme);
          await axe(`${where}, ${theme}`);
        }
        await shot(`${name}-${language}-${width}`);
      }
    }
  }
  check(`nothing that is asked for fails in ordinary use (${failures.join(" ")})`, failures.length === 0);
  for (const name of ["worlds", "why", "lore", "map", "settings", "health"]) check(`the title of ${name} is translated`, titles.get(`en ${name}`) !== titles.get(`zh-CN ${name}`));
}

/** What comes later than the page itself is there: lists, pictures, the answer of a recall. */
async function settled(page) {
  await page.waitForFunction(() => ![...document.querySelectorAll("main .virtual")].some((one) => one.getAttribute("aria-busy") === "true"));
  await page.waitForLoadState("networkidle", { timeout: 900 }).catch(() => {});
}
