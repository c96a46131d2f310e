// A character's memories: search, filters, a memory opened, edited, pinned, forgotten and brought back; many at once; shelves; narrow.

const WORLD = "w-memories";
const DEEP = "w-memories-deep";

export default async function ({ page, base, api, check, axe, shot }) {
  await api("PUT", `/v1/worlds/${WORLD}`, { preset: "game", settings: { language: "en", calendar: { kind: "rimworld" } } });
  for (const [id, name] of [["zorg", "Zorg"], ["mei", "Mei"], ["player", "Player"]]) await api("PUT", `/v1/worlds/${WORLD}/characters/${id}`, { display_name: name });
  await api("POST", `/v1/worlds/${WORLD}/conversations`, { id: "duet", participants: ["player", "zorg"] });
  await api("POST", `/v1/worlds/${WORLD}/conversations/duet/lines`, { lines: [
    { speaker: "player", attribute: "user", content: "The reactor hums again.", tick: 60000 },
    { speaker: "zorg", attribute: "assistant", emotion: "worried", content: "Then we have one day, not two.", tick: 60250 },
  ] });
  await api("POST", `/v1/worlds/${WORLD}/digest`, { now: true, slice_ms: 5000 });
  await api("POST", `/v1/worlds/${WORLD}/events`, { text: "Raiders came over the eastern wall.", witnesses: ["zorg", "mei"], tick: 60250, emotions: ["fear", "anger"] });
  const texts = ["Mei is allergic to devilstrand.", "The radio must be repaired before winter.", "<img src=x onerror=alert(1)> is what the sign says.", "Steel lies behind the kitchen."];
  for (const text of texts) await api("POST", `/v1/worlds/${WORLD}/characters/zorg/memories`, { text, kind: text.includes("must") ? "goal" : "semantic", about: ["mei"] });

  const row = (text) => page.locator(".memory-open", { hasText: text });
  const panel = page.getByRole("complementary", { name: /^Memory \d+$/ });
  await page.goto(`${base}/#/worlds/${WORLD}/characters/zorg`);
  await row("Steel lies").waitFor();
  check("all are listed", (await page.locator(".memory").count()) === 6);
  check("markup in a memory is text", (await page.locator("main img").count()) === 0);
  await axe("list");

  // Search as recall searches, then by words; filters.
  await page.getByLabel("Search the memories").fill("iron bars");
  await row("Steel lies").waitFor();
  await page.getByText("fits").first().waitFor();
  check("a search goes by meaning, too", (await page.locator(".memory").first().textContent()).includes("Steel"));
  await page.getByLabel("How to search").selectOption("words");
  await page.getByText("Nothing like that").waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await row("Raiders came").waitFor();
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("group", { name: "Kind" }).getByRole("button", { name: "goal" }).click();
  await row("Steel lies").waitFor({ state: "detached" });
  check("filters hold back the rest", (await page.locator(".memory").count()) === 1);
  await axe("filters");
  await page.getByRole("button", { name: "Remove the filter goal" }).click();
  await row("Steel lies").waitFor();
  await page.getByRole("button", { name: "Filters" }).click();

  // One memory: where it comes from, who else has it.
  await row("The reactor hums").click();
  await panel.getByText("Then we have one day, not two.").last().waitFor();
  check("its lines lead to the conversation", (await panel.getByRole("link", { name: "in the conversation" }).first().getAttribute("href")) === `#/worlds/${WORLD}/conversations/duet?line=1`);
  await panel.getByRole("link", { name: "Player" }).last().waitFor();
  const raid = await row("Raiders came").locator(".memory-meta").evaluate((meta) => {
    const more = meta.querySelector(":scope > .more");
    const box = meta.getBoundingClientRect();
    const left = [...meta.children].filter((one) => one !== more && getComputedStyle(one).visibility !== "hidden");
    const people = meta.querySelector(".memory-people");
    people.classList.remove("cut");
    return { whole: left.every((one) => one.getBoundingClientRect().right <= box.right + 1 && one.getBoundingClientRect().bottom <= box.bottom + 1), told: Number(more?.textContent ?? 0), cut: meta.querySelectorAll(":scope > .cut").length, slack: people.offsetWidth - people.textContent.length * 12 };
  });
  check(`beside an open memory a row has no half chips, and says how many it leaves out (${JSON.stringify(raid)})`, raid.whole && raid.cut > 0 && raid.told === raid.cut);
  check("a short name takes no more room than it has letters", raid.slack < 5);
  await axe("memory");
  await shot("memories");

  // Edit; what others do meanwhile does not disturb the writing.
  await row("Steel lies").click();
  await panel.getByRole("button", { name: "Edit" }).click();
  await panel.getByLabel("Text").fill("Steel lies behind the old kitchen");
  await api("POST", `/v1/worlds/${WORLD}/characters/zorg/memories`, { text: "News from elsewhere." });
  await row("News from elsewhere.").waitFor();
  await panel.getByLabel("Text").pressSequentially(", under a tarp.");
  await panel.getByRole("button", { name: "Save" }).click();
  await row("Steel lies behind the old kitchen, under a tarp.").waitFor();
  check("writing goes on while news come in", true);
  await panel.getByText("reworded: Steel lies").waitFor();
  await panel.getByRole("button", { name: /^Go back to this: revision/ }).last().click();
  await row(/^Steel lies behind the kitchen\./).waitFor();
  check("history leads back", true);

  // Somebody else changes the very memory that is being written: that is told, and nothing is lost.
  await panel.getByRole("button", { name: "Edit" }).click();
  await panel.getByLabel("Text").fill("My own words.");
  const [steel] = (await api("GET", `/v1/worlds/${WORLD}/characters/zorg/memories?q=steel`)).items;
  await api("PATCH", `/v1/worlds/${WORLD}/memories/${steel.id}`, { holder: "zorg", importance: 0.9 });
  await panel.getByText("It was changed elsewhere meanwhile.").waitFor();
  check("what is being written stays", (await panel.getByLabel("Text").inputValue()) === "My own words.");
  await row("Raiders came").click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  check("leaving unsaved words is asked about", (await panel.getByLabel("Text").inputValue()) === "My own words.");
  await panel.getByRole("button", { name: "Cancel" }).click();

  // Pin, forget, undo, forget again, bring back from the bin.
  await panel.getByRole("button", { name: "Pin", exact: true }).click();
  await panel.getByRole("button", { name: "Unpin" }).waitFor();
  await panel.getByRole("button", { name: "Forget", exact: true }).click();
  await row("Steel lies").waitFor({ state: "detached" });
  check("what would take back a later change is not offered any more", (await page.locator(".toast", { hasText: "Pinned." }).count()) === 0);
  await page.locator(".toast", { hasText: "Forgotten." }).getByRole("button", { name: "Undo" }).click();
  await row("Steel lies").waitFor();
  await panel.getByRole("button", { name: "Unpin" }).waitFor();
  check("an undo takes back what it names, and is told", (await page.locator(".toast", { hasText: "Taken back." }).count()) === 1);
  check("the focus is not lost with the word that was clicked", await page.evaluate(() => document.activeElement !== document.body));
  await page.locator(".toast", { hasText: "Taken back." }).hover();
  await page.mouse.move(400, 300);
  await page.locator(".toast", { hasText: "Taken back." }).waitFor({ state: "detached", timeout: 15_000 });
  check("a word that was pointed at goes again", true);

  // Somebody else changes it within the seconds of an undo: theirs is not taken back for it.
  await panel.getByRole("button", { name: "Unpin" }).click();
  await api("PATCH", `/v1/worlds/${WORLD}/memories/${steel.id}`, { holder: "zorg", importance: 0.7 });
  await page.locator(".toast", { hasText: "Undo" }).getByRole("button", { name: "Undo" }).click();
  await page.getByText("It was changed again meanwhile.").waitFor();
  const [later] = (await api("GET", `/v1/worlds/${WORLD}/characters/zorg/memories?q=steel`)).items;
  check("an undo never takes back what somebody else did", later.importance === 0.7);
  await panel.getByRole("button", { name: "Forget", exact: true }).click();
  await row("Steel lies").waitFor({ state: "detached" });
  await page.getByRole("tab", { name: "Forgotten" }).click();
  await row("Steel lies").click();
  await panel.getByRole("button", { name: "Bring back" }).click();
  await page.getByText("Nothing was forgotten").waitFor();
  check("the bin gives back", true);
  await panel.getByRole("button", { name: "Close the memory" }).click();
  await page.getByRole("tab", { name: "List" }).click();

  // Many at once, and back.
  await row("Steel lies").waitFor();
  await page.getByLabel("Select: Mei is allergic").check();
  await page.getByLabel("Select: The radio must").check();
  await page.getByRole("region", { name: "What to do with the selection" }).getByRole("button", { name: "Forget" }).click();
  await row("Mei is allergic").waitFor({ state: "detached" });
  await page.locator(".toast", { hasText: "2 forgotten." }).getByRole("button", { name: "Undo" }).click();
  await row("Mei is allergic").waitFor();
  check("many are forgotten and back at once", (await row("The radio must").count()) === 1);

  // By hand.
  await page.getByRole("button", { name: "New memory" }).click();
  await page.getByLabel("What is remembered").fill("Zorg promised to teach Mei welding.");
  await page.getByRole("dialog").getByLabel("Kind").selectOption("goal");
  await page.getByRole("dialog").getByLabel("Mei").check();
  await page.getByRole("dialog").getByLabel("Emotions").fill("proud");
  await page.getByRole("dialog").getByRole("slider").fill("0.9");
  await page.getByRole("dialog").getByLabel("When it happened").fill("2024-03-05T06:07");
  await page.getByRole("dialog").getByLabel("Game time (tick)").fill("777");
  await axe("new memory");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "New memory" }).click();
  const kept = (name) => page.getByRole("dialog").getByLabel(name).inputValue();
  check("all of a draft stays", (await kept("What is remembered")) === "Zorg promised to teach Mei welding." && (await kept("Kind")) === "goal" && (await page.getByRole("dialog").getByRole("slider").inputValue()) === "0.9" && (await kept("Emotions")) === "proud" && (await page.getByRole("dialog").getByLabel("Mei").isChecked()) && (await kept("When it happened")) === "2024-03-05T06:07" && (await kept("Game time (tick)")) === "777");
  await page.getByRole("button", { name: "Remember" }).click();
  await panel.getByText("Zorg promised to teach Mei welding.").first().waitFor();
  const { items: [written] } = await api("GET", `/v1/worlds/${WORLD}/characters/zorg/memories?q=welding&by=words`);
  check("it happened when it is said to have", written.tick === 777 && Date.parse(written.time) === new Date("2024-03-05T06:07").getTime());
  await panel.getByRole("button", { name: "Close the memory" }).click();
  check("the focus goes back to its row", await row("Zorg promised").evaluate((one) => one === document.activeElement));
  await page.keyboard.press("ArrowDown");
  check("arrow keys go through the list", await page.evaluate(() => document.activeElement.closest("[data-index]")?.dataset.index === "1"));

  // Other views.
  await page.getByRole("tab", { name: "Shelves" }).click();
  await page.getByRole("region", { name: "situational" }).getByText("Raiders came").waitFor();
  const shelf = page.getByRole("region", { name: "active", exact: true });
  const stats = await api("GET", `/v1/worlds/${WORLD}/characters/zorg/stats`);
  const numbers = [await shelf.locator("h2 .faint").innerText(), await shelf.locator("summary .faint").innerText()].map(Number);
  check("a shelf tells how many lie on it, and how many sleep", numbers[0] === (await shelf.locator(".spine").count()) && numbers[0] + numbers[1] === (stats.by_layer.active ?? 0));
  check("an empty one says none", (await page.getByRole("region", { name: "archive", exact: true }).locator("h2 .faint").innerText()) === "0");
  await axe("shelves");
  await shot("shelves");
  await page.getByRole("tab", { name: "Timeline" }).click();
  await page.getByRole("toolbar", { name: "How much happened when" }).getByRole("button").first().waitFor();
  await page.getByRole("button", { name: /^Memories from .*: [1-9]/ }).first().click();
  await page.getByRole("button", { name: "The whole time" }).click();
  await axe("timeline");
  await page.getByRole("tab", { name: "Suggestions" }).click();
  await page.getByText("still wanted or promised").first().waitFor();
  await axe("suggestions");

  // Narrow: a memory lies over the list.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("tab", { name: "List" }).click();
  const inside = (what) => row("Zorg promised").locator(what).evaluateAll((all) => all.length > 0 && all.every((one) => {
    const [own, around] = [one.getBoundingClientRect(), one.closest(".memory").getBoundingClientRect()];
    return own.width > 0 && own.left >= around.left && own.right <= around.right && own.bottom <= around.bottom;
  }));
  await row("Zorg promised").waitFor();
  check("whom it is about and what was felt is in its row", (await inside(".memory-people")) && (await inside(".chip")));
  await row("Zorg promised").click();
  await panel.getByText("Zorg promised to teach Mei welding.").first().waitFor();
  check("nothing is wider than the screen", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.querySelector("main").scrollWidth <= innerWidth));
  await axe("narrow memory");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  await page.setViewportSize({ width: 1280, height: 800 });

  // Whoever comes by the address of a memory, from the map or the prompt, sees it in the list.
  await api("PUT", `/v1/worlds/${DEEP}`, { settings: { language: "en" } });
  await api("PUT", `/v1/worlds/${DEEP}/characters/zorg`, { display_name: "Zorg" });
  const { id: deepest } = await api("POST", `/v1/worlds/${DEEP}/characters/zorg/memories`, { kind: "semantic", text: "The oldest tale of all." });
  for (let number = 1; number <= 70; number++) await api("POST", `/v1/worlds/${DEEP}/characters/zorg/memories`, { kind: "semantic", text: `Tale ${number} is about the number ${number * 7}.` });
  await page.goto(`${base}/#/worlds/${DEEP}/characters/zorg?memory=${deepest}`);
  await page.locator(".memory.open", { hasText: "The oldest tale" }).waitFor();
  check("a memory that was opened elsewhere is in view", await page.locator(".memory.open").evaluate((one) => {
    const [own, list] = [one.getBoundingClientRect(), one.closest(".virtual").getBoundingClientRect()];
    return own.top >= list.top && own.bottom <= list.bottom;
  }));
}
