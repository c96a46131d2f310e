// The page that explains a prompt: what is in it, from where, why, and what other settings would make of it.

const WORLD = "flow-why";
const EVIL = "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=1</script> reactor";

async function prepare(api) {
  await api("PUT", `/v1/worlds/${WORLD}`, { preset: "game", settings: { language: "en" } });
  await api("PUT", `/v1/worlds/${WORLD}/characters/zorg`, { display_name: "Zorg", persona: "You are Zorg, engineer of the colony." });
  await api("PUT", `/v1/worlds/${WORLD}/characters/mira`, { display_name: "Mira" });
  // A name that an API of chats does not take: there the id stands for it.
  await api("PUT", `/v1/worlds/${WORLD}/characters/sun`, { display_name: "Sun Li" });
  await api("POST", `/v1/worlds/${WORLD}/conversations`, { id: "yard", participants: ["sun", "zorg"] });
  await api("POST", `/v1/worlds/${WORLD}/conversations/yard/lines`, { lines: [{ speaker: "sun", attribute: "user", content: "Tea?" }, { speaker: "zorg", attribute: "assistant", content: "Later." }] });
  await api("POST", `/v1/worlds/${WORLD}/conversations`, { id: "duet", participants: ["mira", "zorg"] });
  await api("POST", `/v1/worlds/${WORLD}/conversations/duet/lines`, { lines: [
    { speaker: "mira", attribute: "user", content: "Good morning." },
    { speaker: "zorg", attribute: "assistant", content: "Is it?" },
  ] });
  const memories = [
    ["trait", "Zorg never eats soup."],
    ["semantic", "The reactor needs new coolant every ninety days."],
    ["semantic", "Lea, who is Zorg's sister, lives on Titan."],
    ["episodic", "The reactor fell silent for one hour, and Zorg was afraid."],
    ["goal", EVIL],
  ];
  for (const [kind, text] of memories) await api("POST", `/v1/worlds/${WORLD}/characters/zorg/memories`, { kind, text });
  await api("PUT", "/v1/books/flow-why-book", { name: "colony", entries: { 0: { uid: 0, key: ["reactor"], content: "The reactor was built on Mars." } } });
  await api("PUT", `/v1/worlds/${WORLD}/lore/flow-why-book`, {});
}

export default async function ({ page, base, api, check, axe, shot }) {
  await prepare(api);
  const settings = async () => (await api("GET", `/v1/worlds/${WORLD}`)).settings;
  const candidate = (text) => page.locator(".candidate", { has: page.locator(".why-text", { hasText: text }) });

  await page.goto(`${base}/#/worlds/${WORLD}/why`);
  await page.getByLabel("Who is about to speak").selectOption("zorg");
  await page.getByLabel("Who says it").selectOption("mira");
  await page.getByLabel("Message", { exact: true }).fill("What about the reactor?");
  await page.getByText("Scene, mood, time, budget").click();
  await page.getByLabel("Place", { exact: true }).fill("engine room");
  await page.getByRole("button", { name: "Show", exact: true }).click();

  // The prompt, by origin.
  const part = (origin) => page.locator(`.part[data-origin=${origin}]`);
  await part("message").getByText("What about the reactor?").waitFor();
  await part("scene").getByText("engine room").waitFor();
  check("the persona is in the prompt", await part("persona").getByText("engineer of the colony").count() === 1);
  check("so is the history", await part("history").getByText("Good morning.").count() === 1);
  check("so is the lore", await part("lore").getByText("built on Mars").count() === 1);
  check("so are memories", await part("memory").getByText("new coolant").count() === 1);
  check("each part tells its tokens", await page.locator(".prompt .why-count").count() >= 5);
  check("text of a memory is text", await page.evaluate(() => window.pwned === undefined && !document.querySelector("main img[src=x]")));

  // Why.
  await candidate("coolant").getByText("in the prompt").waitFor();
  check("always there is said", await candidate("never eats soup").getByText("always there", { exact: true }).count() === 1);
  check("every way of finding is shown", await candidate("coolant").locator(".why-legs dt").count() === 6);
  await candidate("coolant").locator(".why-text").click();
  const [, score, beside, weight, age] = (/score ([\d.]+) = beside the others ([\d.]+) × its kind ([\d.]+) × age ([\d.]+)/.exec(await candidate("coolant").locator(".rest").innerText()) ?? []).map(Number);
  check("a score can be worked out from what is shown", score > 0 && Math.abs(score - beside * weight * age) < 0.02 && (await candidate("coolant").locator(".score").innerText()).endsWith(score.toFixed(2)));
  check("what nearness decides and what a score is for is said", await page.getByText("“Score” only orders").isVisible());
  await axe("why");
  await shot("why");

  // Two voices in one prompt, and a conversation that is opened to it.
  await api("PUT", `/v1/worlds/${WORLD}/characters/lea`, { display_name: "Lea" });
  await api("POST", `/v1/worlds/${WORLD}/characters/mira/memories`, { kind: "semantic", text: "The reactor key is under Mira's pillow." });
  await api("POST", `/v1/worlds/${WORLD}/conversations`, { id: "titan", participants: ["lea"] });
  await api("POST", `/v1/worlds/${WORLD}/conversations/titan/lines`, { lines: [{ speaker: "lea", attribute: "user", content: "Titan is cold tonight." }] });
  await page.reload();
  await page.getByText("Several voices, conversations that are opened").click();
  await page.getByLabel("Who speaks in the same prompt, too").selectOption("mira");
  await candidate("under Mira's pillow").getByText("known by Mira").waitFor();
  check("who speaks says nothing to itself", await page.getByLabel("Who says it").locator("option", { hasText: "Mira" }).count() === 0);
  await page.getByLabel("Conversations that are opened to it").selectOption("titan");
  await part("granted").getByText("Titan is cold tonight.").waitFor();
  check("both stand in the address", page.url().includes("with=mira") && page.url().includes("also=titan"));
  await axe("why, several voices");
  await page.getByRole("button", { name: "Take Mira away" }).click();
  await page.getByRole("button", { name: /^Take Lea away|^Take titan away/ }).click();
  await candidate("under Mira's pillow").waitFor({ state: "detached" });
  await part("granted").waitFor({ state: "detached" });
  check("and go again", !page.url().includes("with=") && !page.url().includes("also="));
  await page.getByLabel("Who says it").selectOption("mira");
  await candidate("coolant").getByText("in the prompt").waitFor();

  // Another threshold, for this page alone.
  await page.getByLabel("Threshold", { exact: true }).fill("1");
  await candidate("coolant").getByText("leaves", { exact: true }).waitFor();
  check("the reason is told in words", await candidate("coolant").getByText("the threshold is 1.00").count() === 1);
  // The weight of a kind counts in the sentence and beside it.
  await page.locator(".trial details summary").click();
  await page.getByLabel("Worth: fact", { exact: true }).fill("0.5");
  const near = candidate("coolant").locator(".near .small");
  await page.waitForFunction(() => [...document.querySelectorAll(".candidate .rest")].some((one) => one.textContent.includes("its kind 0.50")));
  const [sentence, label] = [await candidate("coolant").locator(".fate").textContent(), await near.textContent()];
  check(`the sentence and the label say one number (${sentence} ${label})`, sentence.includes(`near by ${label.replace("near ", "")};`));
  await page.getByLabel("Worth: fact", { exact: true }).fill("1");
  check("nothing is saved by trying", (await settings()).recall === undefined);
  check("the address can be sent to somebody", page.url().includes("message=What"));

  // A look at another page loses nothing of it.
  const here = page.url();
  await page.goto(`${base}/#/worlds`);
  await page.getByRole("heading", { level: 1, name: "Worlds" }).waitFor();
  await page.goto(here);
  await candidate("coolant").getByText("leaves", { exact: true }).waitFor();
  check("what is being tried stays", (await page.getByLabel("Threshold", { exact: true }).inputValue()) === "1");

  // Saved for the character, and taken back.
  await page.getByRole("button", { name: "Save for Zorg" }).click();
  await page.getByText("Saved for Zorg.").waitFor();
  check("the focus is not lost with what was to be saved", await page.evaluate(() => document.activeElement !== document.body));
  check("it is the character's setting", (await settings()).recall?.["threshold@zorg"] === 1);
  const cue = { character: "zorg", conversation: "duet", message: "What about the reactor?" };
  const recalled = async () => (await api("POST", `/v1/worlds/${WORLD}/recall`, cue)).memories.map((one) => one.text).join("\n");
  check("and counts for everybody who asks", !(await recalled()).includes("coolant"));
  await page.getByRole("button", { name: "Undo" }).click();
  await candidate("coolant").getByText("in the prompt").waitFor();
  check("undo takes it back", (await settings()).recall === undefined && (await recalled()).includes("coolant"));

  // Saved for the world.
  await page.getByLabel("At most: fact", { exact: true }).fill("0");
  await candidate("coolant").getByText("enough of its kind", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Save for the world" }).click();
  await page.getByText("Saved for the world.").waitFor();
  check("it is the world's setting", (await settings()).recall?.most?.semantic === 0);

  // What is remembered meanwhile shows without being asked for.
  await api("POST", `/v1/worlds/${WORLD}/characters/zorg/memories`, { kind: "episodic", text: "Mira painted the reactor green." });
  await candidate("painted the reactor green").waitFor();
  check("a new memory arrives live", true);

  const where = page.getByRole("combobox", { name: "Where", exact: true });
  await where.selectOption("yard");
  await part("history").getByText("Tea?").waitFor();
  check("who said it is called by name", (await page.locator(".message header .hint").allTextContents()).includes("Sun Li"));
  await where.selectOption({ label: "nowhere, without history" });
  await part("history").first().waitFor({ state: "detached" });
  check("without a conversation there is no history", await part("persona").count() === 1);

  await page.getByRole("button", { name: "简体中文" }).click();
  await page.getByRole("heading", { name: "为什么？" }).waitFor();
  await page.getByText("提示词", { exact: true }).first().waitFor();
  await axe("why, Chinese");
  await page.setViewportSize({ width: 360, height: 780 });
  check("nothing sticks out on a narrow screen", await page.evaluate(() => document.querySelector("main").scrollWidth <= document.querySelector("main").clientWidth));
  await shot("why-narrow");
}
