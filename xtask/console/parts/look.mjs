// What can be seen of any page, whatever it is about?

/** Every page of the console that is about this world; `character`, `conversation` and `book` are ids. */
export function pagesOf({ world, character, conversation, book }) {
  const inWorld = `#/worlds/${encodeURIComponent(world)}`;
  const memories = `${inWorld}/characters/${encodeURIComponent(character)}`;
  const map = `${inWorld}/map?character=${encodeURIComponent(character)}`;
  return [
    ["start", "#/"],
    ["worlds", "#/worlds"],
    ["world", inWorld],
    ["memories", memories],
    ["timeline", `${memories}?view=timeline`],
    ["shelves", `${memories}?view=shelves`],
    ["suggestions", `${memories}?view=suggestions`],
    ["bin", `${memories}?view=bin`],
    ["conversations", `${inWorld}/conversations`],
    ["conversation", `${inWorld}/conversations/${encodeURIComponent(conversation)}`],
    ["why", `${inWorld}/why?character=${encodeURIComponent(character)}`],
    ["lore", `${inWorld}/lore`],
    ["library", "#/lore"],
    ["book", `${inWorld}/lore?book=${encodeURIComponent(book)}`],
    ["try", `${inWorld}/lore?tab=try`],
    ["map", map],
    ["map-list", `${map}&view=list`],
    ["sharing", `${map}&view=sharing`],
    ["settings", `${inWorld}/settings`],
    ["health", "#/health"],
  ];
}

/** Goes there and waits until the page is drawn; live pages never fall silent, so it is the page itself that tells. */
export async function visit(page, base, address) {
  await page.evaluate(() => document.querySelector("main > .page")?.setAttribute("data-old", ""));
  if (!page.url().startsWith(`${base}/`)) await page.goto(`${base}/${address}`);
  else if (page.url() === `${base}/${address}`) await page.reload();
  else await page.evaluate((to) => { location.hash = to.slice(1); }, address);
  await page.waitForFunction(() => document.querySelector("main:not(.loading) > .page:not([data-old]) h1"));
  const problem = page.locator("main .problem");
  if (await problem.count()) throw new Error(`${address} says: ${await problem.textContent()}`);
}

/** How many pixels more than the screen something needs, sideways. */
export const sideways = (page) => page.evaluate(() => {
  const main = document.querySelector("main");
  return Math.max(document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth);
});
