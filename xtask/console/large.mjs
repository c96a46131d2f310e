// Somebody who remembers 50 000 things: how long does a person wait, and how much comes over the wire? Prints a table; fails where a request
// brings everything. Done only when it is asked for by name: cargo xtask console --release large

import { crowdedWorld } from "./parts/crowd.mjs";
import { visit } from "./parts/look.mjs";

const WORLD = "flow-large";
const MEMORIES = Number(process.env.MEMORIES ?? 50_000);
/** More than this no page needs at once. */
const MOST_BYTES = 1_000_000;
const TIMES = 3;

export default async function ({ page, base, api, check }) {
  await crowdedWorld(api, WORLD, MEMORIES);
  const answers = [];
  page.on("requestfinished", async (request) => {
    const path = new URL(request.url()).pathname;
    if (!path.startsWith("/v1/")) return;
    // Whoever leaves the page does not wait for the last answer.
    const sizes = await request.sizes().catch(() => null);
    const timing = request.timing();
    if (sizes) answers.push({ path, ms: timing.responseEnd - timing.requestStart, bytes: sizes.responseBodySize });
  });
  const rows = [];

  /** Does something until it is seen, some times over; what the best of them took, and the slowest and the largest answer of it. */
  async function measure(what, act, again = async () => {}) {
    const waits = [];
    answers.length = 0;
    for (let time = 0; time < TIMES; time++) {
      const begun = performance.now();
      await act();
      waits.push(performance.now() - begun);
      await page.waitForTimeout(150);
      await again();
    }
    // Who looks whether anything is new asks every second, whatever one does.
    const own = answers.filter(({ path }) => path !== `/v1/worlds/${WORLD}`);
    const slowest = own.reduce((most, one) => (one.ms > (most?.ms ?? -1) ? one : most), null);
    const largest = Math.max(0, ...own.map(({ bytes }) => bytes));
    rows.push([what, Math.min(...waits), slowest?.ms ?? 0, largest, slowest?.path.replace(`/v1/worlds/${WORLD}`, "…") ?? ""]);
    check(`${what}: no request brings everything (${largest} bytes)`, largest < MOST_BYTES);
  }

  const memories = `#/worlds/${WORLD}/characters/aya`;
  const row = page.locator(".memory-open");
  const settled = () => page.waitForFunction(() => document.querySelector(".memory-open") && !document.querySelector("main.loading"));
  const away = () => visit(page, base, "#/worlds");
  await page.goto(`${base}/#/worlds`);
  await away();
  // What nobody has looked at since the start is read once.
  const begun = performance.now();
  await visit(page, base, memories);
  await settled();
  rows.push(["the page, the first time", performance.now() - begun, 0, 0, ""]);
  await away();
  await measure("the page: head, filters, list", async () => { await visit(page, base, memories); await settled(); }, away);
  await visit(page, base, memories);
  await settled();
  await measure("a memory opened", async () => { await row.nth(3).click(); await page.locator(".panel-part").first().waitFor(); }, () => page.getByRole("button", { name: "Close the memory" }).click());
  const scrolled = async () => {
    for (let step = 0; step < 20; step++) {
      await page.locator(".virtual").evaluate((list) => { list.scrollTop = list.scrollHeight; });
      await page.waitForTimeout(30);
    }
    await settled();
  };
  const back = () => page.locator(".virtual").evaluate((list) => { list.scrollTop = 0; });
  await measure("the list scrolled by 4 000 rows", scrolled, back);
  check("what is not seen is not in the page", (await page.locator(".memory").count()) < 100);

  const search = page.getByLabel("Search the memories");
  const searched = (by) => async () => {
    const asked = page.waitForResponse((response) => response.url().includes("q=") && response.url().includes(`by=${by}`));
    await search.fill(["salmon after the storm", "who broke the lens", "灯塔和码头"][(turn += 1) % 3]);
    await asked;
    await settled();
  };
  let turn = 0;
  await measure("a search by mind", searched("mind"));
  await page.getByLabel("How to search").selectOption("words");
  await settled();
  await measure("a search by words", searched("words"));
  await visit(page, base, memories);
  await settled();
  await page.getByRole("button", { name: "Filters" }).click();
  for (const [group, name] of [["Kind", "goal"], ["Layer", "archive"]]) {
    const button = page.getByRole("group", { name: group }).getByRole("button", { name });
    const press = async () => { const asked = page.waitForResponse((response) => response.url().includes("/memories?")); await button.click(); await asked; await settled(); };
    await measure(`a filter: ${name}`, press, press);
  }
  for (const [label, value] of [["Emotion", "sad"], ["About", "mira"], ["Shared with", "mira"], ["Dormant", "true"]]) {
    const select = page.locator(".filter-panel .field", { hasText: label }).locator("select");
    if (!(await select.count())) continue;
    const choose = (what) => async () => { const asked = page.waitForResponse((response) => response.url().includes("/memories?")); await select.selectOption(what); await asked; await settled(); };
    await measure(`a filter: ${label.toLowerCase()}`, choose(value), choose(""));
  }
  await away();
  await measure("the timeline", async () => { await visit(page, base, `${memories}?view=timeline`); await page.locator(".timeline-bars button").first().waitFor(); await settled(); }, away);
  await visit(page, base, `${memories}?view=timeline`);
  await settled();
  await measure("the timeline, the other way round", async () => {
    const asked = page.waitForResponse((response) => /\/memories\?.*order=(time|tick)/.test(response.url()));
    await page.getByLabel("Order").selectOption({ index: (turn += 1) % 2 });
    await asked;
    await settled();
  });
  await measure("the timeline scrolled by 4 000 rows", scrolled, back);
  await away();
  await measure("the shelves", async () => { await visit(page, base, `${memories}?view=shelves`); await page.locator(".memory-view .card, .shelf").first().waitFor(); }, away);
  await measure("what is worth raising", async () => { await visit(page, base, `${memories}?view=suggestions`); await page.waitForFunction(() => document.querySelector(".memory-view a, .memory-view button, .memory-view .empty")); }, away);
  await measure("the map", async () => { await visit(page, base, `#/worlds/${WORLD}/map?character=aya`); await page.getByRole("application").waitFor(); }, away);
  await measure("who shares what", async () => { await visit(page, base, `#/worlds/${WORLD}/map?view=sharing`); await page.locator(".graph").waitFor(); }, away);
  await measure("why", async () => { await visit(page, base, `#/worlds/${WORLD}/why?character=aya&message=${encodeURIComponent("Did Tomas see the lens?")}`); await page.locator(".candidate").first().waitFor(); }, away);
  await measure("the cast", async () => { await visit(page, base, `#/worlds/${WORLD}`); }, away);

  const cell = (value, wide) => String(value).padStart(wide);
  console.log(`  ${MEMORIES} memories; best of ${TIMES} until it is seen, slowest answer, largest answer`);
  for (const [what, wait, ms, bytes, path] of rows) console.log(`  ${what.padEnd(34)}${cell(Math.round(wait), 7)} ms${cell(Math.round(ms), 7)} ms${cell(Math.round(bytes / 1000), 6)} kB  ${path}`);
}
