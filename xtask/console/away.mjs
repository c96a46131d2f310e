// The server goes away while somebody looks, and comes back: that is told on every page, nothing is lost, and what happened meanwhile is seen.

import { visit } from "./parts/look.mjs";

const WORLD = "flow-away";

export default async function ({ page, base, api, check, axe }) {
  await api("PUT", `/v1/worlds/${WORLD}`, { settings: { language: "en" } });
  await api("POST", `/v1/worlds/${WORLD}/conversations`, { id: "pier", participants: ["mira", "zorg"] });
  const say = (content) => api("POST", `/v1/worlds/${WORLD}/conversations/pier/lines`, { lines: [{ speaker: "mira", attribute: "user", content }] });
  await say("The tide is low.");

  await page.goto(`${base}/#/worlds/${WORLD}/conversations/pier`);
  await page.getByText("The tide is low.").last().waitFor();
  const writing = page.getByLabel("Write a line");
  await writing.fill("I am still writing this.");
  await page.route("**/v1/**", (route) => route.abort());
  const word = page.getByText("The server does not answer. What you see may be old");
  await word.waitFor();
  check("what was read stays", await page.getByText("The tide is low.").last().isVisible());
  await axe("a server that is away");
  await page.getByRole("button", { name: "Record" }).click();
  await page.locator(".toast.bad").waitFor();
  check("what was written stays", (await writing.inputValue()) === "I am still writing this.");

  await say("The boats are back.");
  await page.unroute("**/v1/**");
  await word.waitFor({ state: "hidden" });
  await page.getByText("The boats are back.").last().waitFor();
  check("what happened meanwhile is seen", true);
  await page.getByRole("button", { name: "Record" }).click();
  await page.locator(".stream").getByText("I am still writing this.").waitFor();
  const { items } = await api("GET", `/v1/worlds/${WORLD}/conversations/pier/lines`);
  check("and it is recorded once", items.filter((line) => line.content === "I am still writing this.").length === 1);

  // Pages that follow no world, too; and where it is asked how the server is, nobody says that all is well.
  await api("PUT", "/v1/books/flow-away", { name: "Tides" });
  for (const [name, address] of [["worlds", "#/worlds"], ["start", "#/"], ["library", "#/lore"], ["book", "#/lore?book=flow-away"], ["health", "#/health"]]) {
    await visit(page, base, address);
    await page.route(/\/(v1\/|health$)/, (route) => route.abort());
    await word.waitFor({ timeout: 12_000 }).catch(() => {});
    check(`${name}: that it does not answer is told`, await word.isVisible());
    if (name === "health") {
      await page.locator(".verdict.bad").getByText("The server does not answer").waitFor({ timeout: 12_000 }).catch(() => {});
      check("health: it is not called well", (await page.locator(".verdict.bad").count()) === 1 && (await page.getByText("All is well").count()) === 0);
      await axe("health of a server that is away");
    }
    await page.unroute(/\/(v1\/|health$)/);
    await word.waitFor({ state: "hidden" });
  }
  await page.locator(".verdict:not(.bad)").waitFor();
  check("health: when it is back, it is said how it is", true);
}
