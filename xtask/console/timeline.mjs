// What happened when: memories in the order in which it happened, by either clock; and one thing that is summed up twice is told once.

const WORLD = "flow-timeline";
const GAME = "flow-timeline-game";
const BARE = "flow-timeline-bare";

/** Written down in another order than it happened, two of it in one month. */
const LIFE = [
  ["The wedding on the hill", "2024-05-25T12:00:00Z"],
  ["Grandmother taught me to swim", "1999-07-20T09:00:00Z"],
  ["我们把渡船卖了", "2024-05-20T09:00:00Z"],
  ["引っ越しの日に雪が降った", "2011-02-03T09:00:00Z"],
];

export default async function ({ page, base, api, check, axe, shot }) {
  // Nothing is summed up before all of it is there.
  await api("PUT", `/v1/worlds/${WORLD}`, { settings: { language: "en", digest: { enabled: false } } });
  await api("PUT", `/v1/worlds/${WORLD}/characters/ann`, { display_name: "Ann" });
  for (const [text, time] of LIFE) await api("POST", `/v1/worlds/${WORLD}/characters/ann/memories`, { text, time });
  await api("POST", `/v1/worlds/${WORLD}/characters/ann/memories`, { text: "Said just now" });
  await api("PUT", `/v1/worlds/${WORLD}`, { settings: { digest: { enabled: true } } });
  await api("POST", `/v1/worlds/${WORLD}/digest`, { now: true, slice_ms: 5000 });
  const stats = await api("GET", `/v1/worlds/${WORLD}/characters/ann/stats`);
  check("days and eras of one thing were summed up", stats.memories > 8 && stats.repeats > 0);

  const rows = page.locator(".memory-text");
  const texts = async () => (await rows.allInnerTexts()).map((one) => one.trim());
  const come = (first) => page.waitForFunction((one) => document.querySelector(".memory-text")?.textContent.includes(one), first);
  await page.goto(`${base}/#/worlds/${WORLD}/characters/ann`);
  await page.getByText("Said just now").waitFor();
  const listed = await texts();
  check("one thing is one row, however often it was summed up", listed.length === new Set(listed).size && LIFE.every(([text]) => listed.filter((one) => one === text).length === 1));
  check("as many are told as are seen", (await page.getByText(`Memories: ${stats.memories - stats.repeats}`).count()) === 1 && (await page.getByText(`${listed.length}`).count()) > 0);
  check("a summary tells how much it sums up, and its days are in the language of the console", (await page.locator(".memory", { hasText: "sums up 4" }).innerText()).includes("May 20 – 25, 2024"));

  await page.getByRole("tab", { name: "Timeline" }).click();
  await come("Said just now");
  const happened = ["Said just now", ...[0, 2, 3, 1].map((at) => LIFE[at][0])];
  const inOrder = (all, wanted) => wanted.map((one) => all.indexOf(one)).every((at, index, places) => at >= 0 && (index === 0 || at > places[index - 1]));
  check("the latest that happened comes first", inOrder(await texts(), happened));
  await page.getByLabel("Order").selectOption({ label: "earliest first" });
  await come("Grandmother");
  check("or the earliest", inOrder(await texts(), [...happened].reverse()));
  check("bars count what the list shows", (await page.locator(".timeline-bars button[aria-label]").evaluateAll((all) => all.reduce((sum, one) => sum + Number(/(\d+)$/.exec(one.ariaLabel)[1]), 0))) === (await texts()).length);
  await axe("timeline");
  await shot("timeline");

  // By layer everything is there; what only repeats something is known by it.
  await page.getByRole("tab", { name: "Shelves" }).click();
  const shelf = (name) => page.getByRole("region", { name, exact: true });
  await shelf("situational").getByText("Grandmother taught me").waitFor();
  await shelf("events").locator(".spine.same", { hasText: "Grandmother taught me" }).getByText("the same, kept for longer").waitFor();
  check("a shelf says what lies on another one, too", (await shelf("situational").locator(".spine.same").count()) === 0);
  await shot("shelves-same");

  // A game's own clock: what happened long ago is written down late.
  await api("PUT", `/v1/worlds/${GAME}`, { preset: "game", settings: { language: "en", calendar: { kind: "rimworld" } } });
  await api("PUT", `/v1/worlds/${GAME}/characters/zorg`, { display_name: "Zorg" });
  for (const [text, tick] of [["The wall fell", 900000], ["I was born", 1000], ["The well was dug", 400000]]) await api("POST", `/v1/worlds/${GAME}/characters/zorg/memories`, { text, tick, kind: "semantic" });
  await page.goto(`${base}/#/worlds/${GAME}/characters/zorg?view=timeline`);
  await come("The wall fell");
  check("by the game's clock where there is one", inOrder(await texts(), ["The wall fell", "The well was dug", "I was born"]));
  const dates = async () => (await page.locator(".memory-when").allInnerTexts()).join("\n");
  await page.waitForFunction(() => document.querySelector(".memory-when")?.textContent.includes("5500"));
  check("dates are those of its calendar, not ticks", (await dates()).includes("of spring 5500") && !(await dates()).includes("tick"));
  await page.getByRole("button", { name: "简体中文" }).click();
  await page.waitForFunction(() => document.querySelector(".memory-when")?.textContent.includes("5500年"));
  check("in the language of the console, whatever that of the world is", (await dates()).includes("季第") && !(await dates()).includes("of spring"));

  // Its ends are the first and the last that happened.
  await api("PUT", `/v1/worlds/${BARE}`, { preset: "game", settings: { language: "en" } });
  await api("PUT", `/v1/worlds/${BARE}/characters/zorg`, { display_name: "Zorg" });
  for (const tick of [100, 900]) await api("POST", `/v1/worlds/${BARE}/characters/zorg/memories`, { text: `At ${tick}`, tick, kind: "semantic" });
  await page.goto(`${base}/#/worlds/${BARE}/characters/zorg?view=timeline`);
  await come("At 900");
  check("a timeline ends with the last that happened", (await page.locator(".timeline-ends span").allInnerTexts()).map((one) => /\d+/.exec(one)?.[0]).join() === "100,900");
}
