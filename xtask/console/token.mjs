// A server that wants a token: it is asked for, a wrong one is asked for again, the right one opens everything, pictures too, and it
// is kept no longer and no wider than the person wants.

import { cardPicture } from "./parts/files.mjs";

const WORLD = "flow-token";

export default async function ({ page, context, guarded, check, axe, shot }) {
  const { base, token, api } = guarded;
  await api("PUT", `/v1/worlds/${WORLD}`, { settings: { language: "en" } });
  await api("PUT", "/v1/cards/flow-token", cardPicture({ name: "Nia", description: "Nia guards the gate." }), "image/png");
  await api("PUT", `/v1/worlds/${WORLD}/characters/nia/card`, { card: "flow-token" });
  await api("POST", `/v1/worlds/${WORLD}/characters/nia/memories`, { text: "The gate opens at dawn." });

  const addresses = [];
  const watch = (one) => one.on("request", (request) => addresses.push(request.url()));
  const kept = (one) => one.evaluate(() => ({ tab: Object.values({ ...sessionStorage }), device: Object.values({ ...localStorage }), address: location.href, cookies: document.cookie }));
  watch(page);

  const question = page.getByRole("dialog", { name: "This server asks for a token" });
  const refused = page.waitForResponse((response) => response.status() === 401);
  await page.goto(`${base}/#/worlds/${WORLD}/characters/nia`);
  await refused;
  await question.waitFor();
  check("a token is asked for, once", (await page.getByRole("dialog").count()) === 1);
  check("nothing is shown before", (await page.getByText("The gate opens at dawn.").count()) === 0);
  check("what is typed cannot be read over a shoulder", (await question.getByLabel("Token", { exact: true }).getAttribute("type")) === "password");
  await axe("the question");
  await shot("token");

  await question.getByLabel("Token", { exact: true }).fill("rv_this-is-not-the-token-of-this-server-at-all");
  const again = page.waitForResponse((response) => response.status() === 401);
  await question.getByRole("button", { name: "OK" }).click();
  await again;
  await question.waitFor();
  check("a wrong one is asked for again", (await page.getByRole("dialog").count()) === 1 && (await page.getByText("The gate opens at dawn.").count()) === 0);
  check("and it is said that it was wrong", await question.getByRole("alert").isVisible());

  await question.getByLabel("Token", { exact: true }).fill(token);
  check("it is not kept unless that is wanted", !(await question.getByLabel("Keep it on this device").isChecked()));
  await question.getByRole("button", { name: "OK" }).click();
  await page.getByText("The gate opens at dawn.").first().waitFor();
  check("the right one opens the page", (await page.getByRole("dialog").count()) === 0);
  await page.locator(".head .portrait img").waitFor();
  check("pictures load", await page.locator(".head .portrait img").evaluate((one) => one.decode().then(() => one.naturalWidth === 64)));
  await page.locator("#world-choice option", { hasText: WORLD }).waitFor({ state: "attached" });
  check("the list of worlds is there, too", true);

  // Of this tab alone.
  let now = await kept(page);
  check("it is kept for this tab", now.tab.includes(token));
  check("not on the device, in no cookie", !JSON.stringify(now.device).includes(token) && !now.cookies.includes(token));
  await page.reload();
  await page.getByText("The gate opens at dawn.").first().waitFor();
  check("a reload does not ask again", (await page.getByRole("dialog").count()) === 0);
  const other = await context.newPage();
  watch(other);
  await other.goto(`${base}/#/worlds/${WORLD}`);
  await other.getByRole("dialog", { name: "This server asks for a token" }).waitFor();
  check("another tab asks anew", true);
  await other.close();

  // What is copied works; what stands on the screen tells nobody.
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
  await page.goto(`${base}/#/`);
  const connect = page.getByRole("region", { name: "Connect a client" });
  for (const recipe of ["OpenAI · Python", "OpenAI · JavaScript", "MCP"]) {
    await connect.getByRole("tab", { name: recipe }).click();
    const snippet = connect.locator(".recipes .snippet").first();
    await snippet.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").last().waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    check(`${recipe}: the recipe is copied with the token, and shown without it`, copied.includes(token) && !copied.includes("…") && !(await snippet.innerText()).includes(token));
  }

  // Files that the browser saves go with it, too.
  await page.goto(`${base}/#/worlds/${WORLD}`);
  await page.getByRole("button", { name: "Export" }).first().click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("dialog").getByRole("button", { name: "Export" }).click()]);
  check("an export is saved", file.suggestedFilename().startsWith(WORLD));

  // On this device, because the person wants it; and away again.
  await page.getByRole("button", { name: "Token", exact: true }).click();
  await question.getByLabel("Keep it on this device").check();
  await question.getByRole("button", { name: "OK" }).click();
  await page.getByRole("heading", { level: 1, name: WORLD }).waitFor();
  await page.waitForFunction((one) => Object.values({ ...localStorage }).includes(one), token);
  const third = await context.newPage();
  watch(third);
  await third.goto(`${base}/#/worlds/${WORLD}`);
  await third.getByRole("heading", { level: 1, name: WORLD }).waitFor();
  check("kept on the device, another tab has it", (await third.getByRole("dialog").count()) === 0);
  await third.close();
  await page.getByRole("button", { name: "Token", exact: true }).click();
  await question.getByLabel("Token", { exact: true }).fill("");
  await question.getByRole("button", { name: "OK" }).click();
  await question.waitFor();
  now = await kept(page);
  check("an empty one takes it from the device", !JSON.stringify(now).includes(token));

  check("it never stood in an address", addresses.length > 20 && !addresses.some((url) => url.includes(token) || url.includes(encodeURIComponent(token)) || url.includes("token=")) && !now.address.includes(token));
}
