// Clients work while somebody looks: whatever comes, goes or fails for a moment is seen, on the page and in the list beside it.

import { visit } from "./parts/look.mjs";

const WORLD = "flow-meanwhile";
const PATH = `/v1/worlds/${WORLD}`;

export default async function ({ page, base, api, check, axe }) {
  await api("PUT", PATH, { settings: { language: "en" } });
  await api("PUT", `${PATH}/characters/mira`, { display_name: "Mira", persona: "You are Mira." });
  await api("POST", `${PATH}/conversations`, { id: "pier", participants: ["mira", "zorg"] });
  const say = (content) => api("POST", `${PATH}/conversations/pier/lines`, { lines: [{ speaker: "mira", attribute: "user", content }] });
  const context = { page, base, api, check, axe, say };
  await lines(context);
  await newcomers(context);
  await gone(context);
}

async function lines({ page, base, check, say }) {
  await say("One.");
  // Said when the lines are read already, and before it is answered for the first time whether there is news.
  let [areRead, isSaid] = [false, false];
  await page.route(`**${PATH}/conversations/pier/lines?**`, async (route) => {
    await route.fulfill({ response: await route.fetch() });
    areRead = true;
  });
  await page.route(`**${PATH}`, async (route) => {
    for (let tries = 0; !areRead && tries < 15; tries++) await new Promise((resolve) => { setTimeout(resolve, 100); });
    if (areRead && !isSaid) {
      isSaid = true;
      await say("Two, while the page opened.");
    }
    await route.continue();
  });
  await page.goto(`${base}/#/worlds/${WORLD}/conversations/pier`);
  const line = (words) => page.locator(".line", { hasText: words });
  await line("One.").waitFor();
  await line("Two, while the page opened.").waitFor({ timeout: 8000 }).catch(() => {});
  check("a line that came while the page opened is there", isSaid && (await line("Two, while the page opened.").count()) === 1);
  await page.unroute(`**${PATH}`);
  await page.unroute(`**${PATH}/conversations/pier/lines?**`);

  let failed = 0;
  await page.route(`**${PATH}/conversations/pier/lines?**`, (route) => {
    failed += 1;
    return failed === 1 ? route.fulfill({ status: 503, json: { error: { code: "unavailable", message: "not now" } } }) : route.continue();
  });
  await say("Three, which could not be read at first.");
  await line("Three, which").waitFor({ timeout: 12_000 }).catch(() => {});
  check("what could not be read once is read later", failed > 1 && (await line("Three, which").count()) === 1);
  await page.unroute(`**${PATH}/conversations/pier/lines?**`);
}

async function newcomers({ page, base, api, check }) {
  await visit(page, base, `#/worlds/${WORLD}/why`);
  const who = page.getByLabel("Who is about to speak");
  await who.selectOption("mira");
  await page.getByLabel("Message", { exact: true }).fill("Who is there?");
  await api("PUT", `${PATH}/characters/lea`, { display_name: "Lea", persona: "You are Lea." });
  await api("POST", `${PATH}/conversations`, { id: "attic", name: "The attic", participants: ["lea", "mira"] });
  await who.locator("option", { hasText: "Lea" }).waitFor({ state: "attached", timeout: 12_000 }).catch(() => {});
  check("whoever comes later can be chosen on the page Why", (await who.locator("option", { hasText: "Lea" }).count()) === 1);
  check("so can the place", (await page.getByRole("combobox", { name: "Where", exact: true }).locator("option", { hasText: "The attic" }).count()) === 1);
  check("and what was chosen and written stays", (await who.inputValue()) === "mira" && (await page.getByLabel("Message", { exact: true }).inputValue()) === "Who is there?");

  await visit(page, base, "#/");
  const offered = page.getByRole("region", { name: "Connect a client" }).getByRole("combobox", { name: "World" });
  await offered.selectOption(WORLD);
  await api("PUT", "/v1/worlds/flow-by-client", {});
  const beside = page.locator("#world-choice option", { hasText: "flow-by-client" });
  await beside.waitFor({ state: "attached", timeout: 12_000 }).catch(() => {});
  check("a world that a client makes is in the list beside the page", (await beside.count()) === 1);
  check("and on the page where clients are connected", (await offered.locator("option", { hasText: "flow-by-client" }).count()) === 1 && (await offered.inputValue()) === WORLD);
  await api("DELETE", "/v1/worlds/flow-by-client");
  await beside.waitFor({ state: "detached", timeout: 12_000 }).catch(() => {});
  check("it goes when it is deleted", (await beside.count()) === 0);
}

async function gone({ page, base, api, check, axe }) {
  const panel = page.getByRole("complementary", { name: /^Memory \d+$/ });
  await api("PUT", `${PATH}/checkpoints/before`);
  const memory = await api("POST", `${PATH}/characters/mira/memories`, { text: "The lamp is lit at nine." });
  await api("PUT", `${PATH}/checkpoints/after`);
  await visit(page, base, `#/worlds/${WORLD}/characters/mira?memory=${memory.id}`);
  await panel.getByRole("button", { name: "Pin", exact: true }).waitFor();
  await api("POST", `${PATH}/checkpoints/before/restore`);
  await panel.getByText("This memory is not there now").waitFor({ timeout: 12_000 }).catch(() => {});
  check("of an open memory that is gone it is said", (await panel.getByText("This memory is not there now").count()) === 1);
  check("and nothing can be done with it", (await panel.getByRole("button").count()) === 1);
  await axe("a memory that is gone");
  await api("POST", `${PATH}/checkpoints/after/restore`);
  await panel.getByRole("button", { name: "Pin", exact: true }).waitFor({ timeout: 12_000 }).catch(() => {});
  check("when it is back, it is back", (await panel.getByRole("button", { name: "Pin", exact: true }).count()) === 1);

  await visit(page, base, `#/worlds/${WORLD}`);
  await page.locator(".chip.live").waitFor();
  await api("DELETE", PATH);
  const word = page.getByText(`The world ${WORLD} is not there any more`);
  await word.waitFor({ timeout: 12_000 }).catch(() => {});
  check("a world that is deleted elsewhere is told, and nothing is called live", (await word.count()) === 1 && !(await page.locator(".chip.live").isVisible()));
  await visit(page, base, "#/worlds");
  check("elsewhere nobody needs to know", (await word.count()) === 0);
}
