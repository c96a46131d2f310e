// The whole story, as one person goes through it: a card comes in, a chat goes on, memories are read, corrected and explained, settings
// count, a save is loaded and left again, the map is drawn, in two languages and on a telephone.

import { cardPicture, drop } from "./parts/files.mjs";
import { pagesOf, sideways, visit } from "./parts/look.mjs";

const WORLD = "flow-story";
const CARD = {
  name: "Aya",
  description: "Aya keeps the tea house at the harbour. She notices everything and says little.",
  first_mes: "The kettle is on.",
  character_book: { name: "Harbour", entries: [{ keys: ["lighthouse"], content: "The lighthouse has been dark since the flood.", extensions: {}, enabled: true, insertion_order: 1 }] },
};

export default async function ({ page, base, api, check, axe, shot }) {
  const path = `/v1/worlds/${WORLD}`;

  // A card by drop, into a new world.
  await page.goto(`${base}/#/`);
  const bring = page.getByRole("region", { name: "Bring what you have" });
  await bring.waitFor();
  await drop(page, ".drop", ["aya.png", cardPicture(CARD), "image/png"]);
  await bring.getByText("The card of Aya").waitFor();
  check("the picture is shown before anything is sent", await bring.locator(".arrival .portrait img").evaluate((one) => one.decode().then(() => one.naturalWidth === 64)));
  const into = bring.getByLabel("Into which world?");
  await into.selectOption({ label: "A new world …" });
  await bring.getByLabel("Name of the new world").fill(WORLD);
  await bring.getByLabel("Who shall wear the card?").fill("aya");
  await bring.getByRole("button", { name: "Bring it in" }).click();
  await bring.getByText(`Aya is now in ${WORLD}.`).waitFor();
  const aya = await api("GET", `${path}/characters/aya`);
  check("the card became a character", aya.display_name === "Aya" && aya.persona.includes("says little"));
  check("its book came along", (await api("GET", `${path}/lore`)).books.some((one) => one.character === "aya"));
  await bring.getByRole("link", { name: "Open Aya" }).click();
  await page.getByRole("heading", { level: 1, name: "Aya" }).waitFor();
  await page.getByText("Nothing is remembered yet").waitFor();
  check("her picture is on her page", await page.locator(".head .portrait img").evaluate((one) => one.decode().then(() => one.naturalWidth === 64)));

  // A chat that goes on elsewhere is seen here, line by line.
  await api("PUT", `${path}/characters/player`, { display_name: "Player" });
  await api("POST", `${path}/conversations`, { id: "tea", participants: ["player", "aya"] });
  const said = (...lines) => api("POST", `${path}/conversations/tea/lines`, { lines: lines.map(([speaker, content, more]) => ({ speaker, attribute: speaker === "aya" ? "assistant" : "user", content, ...more })) });
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Conversations" }).click();
  await page.getByRole("link", { name: /Aya.*Player|Player.*Aya/ }).click();
  await page.getByRole("heading", { name: "Nothing was said yet" }).waitFor();
  await said(["player", "My cat Miso ran away. She only eats salmon."]);
  await page.locator(".line", { hasText: "My cat Miso ran away." }).waitFor();
  await said(["aya", "Then I shall leave a piece of salmon at the back door.", { emotion: "calm" }]);
  await page.locator(".line", { hasText: "salmon at the back door" }).waitFor();
  check("lines arrive while somebody looks", (await page.locator(".line").count()) === 2);
  await said(["player", "The lamp of the old pier was broken again last night."], ["aya", "I know who throws the stones, but I promised not to tell.", { emotion: "worried" }]);
  await page.locator(".line", { hasText: "promised not to tell" }).waitFor();
  await axe("the chat");
  await shot("story-chat");

  // Why would she think of it?
  await api("POST", `${path}/digest`, { now: true, slice_ms: 5000 });
  await api("POST", `${path}/characters/aya/memories`, { kind: "semantic", text: "Miso the cat likes to sleep on the warm roof of the bakery." });
  const why = async (message) => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Why", exact: true }).click();
    await page.getByLabel("Who is about to speak").selectOption("aya");
    await page.getByRole("combobox", { name: "Where", exact: true }).selectOption({ label: "nowhere, without history" });
    await page.getByLabel("Message", { exact: true }).fill(message);
    await page.getByRole("button", { name: "Show", exact: true }).click();
  };
  const candidate = (text) => page.locator(".candidate", { has: page.locator(".why-text", { hasText: text }) });
  await why("Where may Miso the cat be?");
  await candidate("roof of the bakery").getByText("in the prompt").waitFor();
  await candidate("only eats salmon").waitFor();
  check("the page tells how near it is, by each way of finding", (await candidate("roof of the bakery").locator(".why-legs dt").count()) === 6);
  check("and why it is there", (await candidate("roof of the bakery").locator(".fate").textContent()) === "It is near enough, and there is room.");
  check("the persona of the card is in the prompt", (await page.locator(".part[data-origin=persona]").getByText("says little").count()) === 1);
  await axe("why");
  await shot("story-why");

  // What she remembers is put right, held fast, forgotten, and not forgotten.
  const row = (text) => page.locator(".memory-open", { hasText: text });
  const panel = page.getByRole("complementary", { name: /^Memory \d+$/ });
  await candidate("roof of the bakery").getByRole("button").click();
  await candidate("roof of the bakery").getByRole("link", { name: "Open this memory" }).click();
  await panel.getByRole("button", { name: "Edit" }).click();
  await panel.getByLabel("Text").fill("Miso the cat likes to sleep on the warm roof of the smithy.");
  await panel.getByRole("button", { name: "Save" }).click();
  await row("roof of the smithy").waitFor();
  await panel.getByRole("button", { name: "Pin", exact: true }).click();
  await panel.getByRole("button", { name: "Unpin" }).waitFor();
  await row("salmon").click();
  await panel.getByText("She only eats salmon.").first().waitFor();
  await panel.getByRole("button", { name: "Forget", exact: true }).click();
  await row("salmon").waitFor({ state: "detached" });
  const recalled = async () => (await api("POST", `${path}/recall`, { character: "aya", history: [], message: "Where may Miso the cat be?" })).memories.map((one) => one.text).join("\n");
  const without = await recalled();
  check("a correction counts at once, and what is forgotten is not told", without.includes("smithy") && !without.includes("bakery") && !without.includes("salmon"));
  await page.locator(".toast", { hasText: "Forgotten." }).getByRole("button", { name: "Undo" }).click();
  await row("salmon").waitFor();
  check("undo brings it back", (await recalled()).includes("salmon"));
  check("the pin is seen in the list", (await page.locator(".memory", { hasText: "smithy" }).getByRole("img", { name: "pinned" }).count()) === 1);
  await page.locator(".memory", { hasText: "smithy" }).locator(".memory-open").click();
  await panel.getByRole("button", { name: "Unpin" }).click();
  await panel.getByRole("button", { name: "Pin", exact: true }).waitFor();
  await axe("her memories");
  await shot("story-memories");

  // Settings count from the next prompt on.
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
  const most = page.getByLabel("At most: fact", { exact: true });
  await most.fill("0");
  await most.press("Enter");
  await page.getByText("Saved: At most: fact.").waitFor();
  await why("Where may Miso the cat be?");
  await candidate("roof of the smithy").getByText("enough of its kind", { exact: true }).waitFor();
  check("a limit on the settings page is seen on the why page", !(await recalled()).includes("smithy"));
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Reset At most: fact" }).click();
  await page.getByText("Reset: At most: fact.").waitFor();
  await why("Where may Miso the cat be?");
  await candidate("roof of the smithy").getByText("in the prompt").waitFor();
  check("and goes again with it", (await recalled()).includes("smithy"));

  // A save, more that happens, the save again: what came later is gone, and returns.
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Cast" }).click();
  await page.getByLabel("Name of the checkpoint").fill("evening");
  await page.getByRole("button", { name: "Make a checkpoint" }).click();
  await page.getByRole("button", { name: "Restore evening", exact: true }).waitFor();
  const count = (await api("GET", `${path}/characters/aya/stats`)).memories;
  await api("POST", `${path}/events`, { text: "The smithy burned down, and Miso ran to the boats.", witnesses: ["aya", "player"] });
  await said(["player", "Did you see the fire?"], ["aya", "Everybody saw it."]);
  await api("POST", `${path}/digest`, { now: true, slice_ms: 5000 });
  const card = page.locator(".cast-card", { has: page.getByRole("link", { name: "Aya", exact: true }) });
  await card.getByRole("link", { name: `Memories: ${count + 2}` }).waitFor();
  check("what happens meanwhile is seen", true);
  await shot("story-cast");
  await page.getByRole("button", { name: "Restore evening", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await card.getByRole("link", { name: `Memories: ${count}` }).waitFor();
  await card.getByRole("link", { name: `Memories: ${count}` }).click();
  await row("roof of the smithy").waitFor();
  check("what came after the save is gone", (await row("burned down").count()) === 0 && (await row("Did you see the fire?").count()) === 0);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Conversations" }).click();
  await page.getByRole("link", { name: /Aya.*Player|Player.*Aya/ }).click();
  await page.locator(".line", { hasText: "promised not to tell" }).waitFor();
  check("so are the lines", (await page.locator(".line", { hasText: "Did you see the fire?" }).count()) === 0);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Cast" }).click();
  await page.getByRole("button", { name: /^Restore Before restoring/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await card.getByRole("link", { name: `Memories: ${count + 2}` }).waitFor();
  await page.locator(".toast").getByRole("button", { name: "Undo" }).last().click();
  await card.getByRole("link", { name: `Memories: ${count}` }).waitFor();
  await page.getByRole("button", { name: /^Restore Before restoring/ }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await card.getByRole("link", { name: `Memories: ${count + 2}` }).waitFor();
  await card.getByRole("link", { name: `Memories: ${count + 2}` }).click();
  await row("burned down").waitFor();
  check("and everything returns", (await row("Did you see the fire?").count()) === 1);

  // The map.
  await page.locator(".head").getByRole("link", { name: "Map" }).click();
  await page.getByRole("application").waitFor();
  await page.waitForFunction(() => document.querySelector("canvas")?.width > 300);
  const isDrawn = await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const drawing = document.querySelector("canvas");
    const { data } = drawing.getContext("2d").getImageData(0, 0, drawing.width, drawing.height);
    const colours = new Set();
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) colours.add(`${data[at] >> 5},${data[at + 1] >> 5},${data[at + 2] >> 5}`);
    return colours.size > 4;
  });
  check("the map is drawn", isDrawn);
  await axe("the map");
  await shot("story-map");

  // The other language, and a telephone.
  await page.getByRole("button", { name: "简体中文" }).click();
  await page.getByRole("heading", { level: 1, name: "记忆地图" }).waitFor();
  check("the language is told to readers and kept", await page.evaluate(() => document.documentElement.lang === "zh-CN" && localStorage.getItem("reverie.language") === "zh-CN"));
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "记忆地图" }).waitFor();
  await page.getByRole("navigation", { name: "页面" }).getByRole("link", { name: "角色" }).click();
  await page.getByRole("heading", { name: "检查点" }).waitFor();
  await axe("the cast, Chinese");
  await page.setViewportSize({ width: 360, height: 740 });
  for (const language of ["Chinese", "English"]) {
    const wide = [];
    for (const [name, address] of pagesOf({ world: WORLD, character: "aya", conversation: "tea", book: (await api("GET", `${path}/lore`)).books[0].book })) {
      await visit(page, base, address);
      const by = await sideways(page);
      if (by > 0) wide.push(`${name} by ${by} px`);
    }
    check(`no page is wider than a telephone, ${language} (${wide.join(", ")})`, wide.length === 0);
    if (language === "English") break;
    await page.getByRole("button", { name: "菜单" }).click();
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
  }
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Cast" }).click();
  await page.getByRole("heading", { level: 1, name: WORLD }).waitFor();
  await page.getByRole("navigation", { name: "Pages" }).waitFor({ state: "hidden" });
  check("the menu leads on and gets out of the way", true);
}
