// The page of settings: saved as they are changed, checked by the server, for the world or for one character.

import { scriptedModel } from "./parts/scripted.mjs";

const WORLD = "flow-settings";

/** Every setting that the API describes, as keys with dots. */
function keysOf(schemas, schema, prefix = "") {
  const keys = [];
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    const key = prefix + name;
    const of = one.$ref ? schemas[one.$ref.split("/").at(-1)] : one;
    if (of.type === "object" && of.properties) keys.push(...keysOf(schemas, of, `${key}.`));
    else keys.push(key);
  }
  return keys;
}

export default async function ({ page, base, api, check, axe, shot }) {
  await api("PUT", `/v1/worlds/${WORLD}`, { settings: { language: "en" } });
  await api("PUT", `/v1/worlds/${WORLD}/characters/zorg`, { display_name: "Zorg" });
  await api("POST", `/v1/worlds/${WORLD}/characters/zorg/memories`, { kind: "semantic", text: "The reactor needs coolant." });
  const settings = async () => (await api("GET", `/v1/worlds/${WORLD}`)).settings;
  const row = (key) => page.locator(`.setting[data-key="${key}"]`);
  const saved = (name) => page.getByText(`Saved: ${name}.`).last().waitFor();

  await page.goto(`${base}/#/worlds/${WORLD}/settings`);
  await page.getByRole("heading", { name: "Settings" }).waitFor();

  // Nothing that the API has is missing.
  const { components } = await api("GET", "/openapi.json");
  const shown = await page.evaluate(() => [...document.querySelectorAll(".setting")].flatMap((one) => one.dataset.key.split(" ")));
  const missing = keysOf(components.schemas, components.schemas.Settings).filter((key) => !key.startsWith("calendar.") && !shown.includes(key));
  check(`every setting of the API is on the page (${missing.join(", ")})`, missing.length === 0);

  // Saved at once, marked, taken back.
  await page.getByRole("switch", { name: "Memories enter prompts" }).click();
  await saved("Memories enter prompts");
  check("a switch is saved at once", (await settings()).recall?.enabled === false);
  check("and is marked", await row("recall.enabled").getByText("changed", { exact: true }).isVisible());
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Taken back.").waitFor();
  check("undo takes it back", (await settings()).recall === undefined);
  check("and it is seen", await page.getByRole("switch", { name: "Memories enter prompts" }).isChecked());

  const most = page.getByLabel("At most: episode", { exact: true });
  await most.fill("7");
  await most.press("Enter");
  await saved("At most: episode");
  check("limits by kind are saved", (await settings()).recall?.most?.episodic === 7);
  await page.getByRole("button", { name: "Reset At most: episode" }).click();
  await page.getByText("Reset: At most: episode.").waitFor();
  check("reset goes back to the default", (await settings()).recall === undefined && (await most.inputValue()) === "3");

  // What cannot be is said where it was typed.
  const budget = page.getByLabel("Budget", { exact: true });
  await budget.fill("-5");
  await budget.press("Enter");
  await row("prompt.budget").getByRole("alert").waitFor();
  check("the server's words stand at the field", (await row("prompt.budget").getByRole("alert").textContent()).includes("prompt.budget"));
  await budget.fill("8192");
  await budget.press("Enter");
  await saved("Budget");
  check("what is right is taken", (await settings()).prompt?.budget === 8192 && !(await row("prompt.budget").getByRole("alert").isVisible()));

  check("a usual budget is not warned of", await row("prompt.budget").locator(".caution").isHidden());

  await budget.fill("30");
  await budget.press("Enter");
  await page.locator(".preview", { hasText: "no room for a memory" }).waitFor();
  check("a budget without room is not taken for nothing to remember", await row("prompt.budget").locator(".caution").isVisible());
  await budget.fill("8192");
  await budget.press("Enter");
  await row("prompt.budget").locator(".caution").waitFor({ state: "hidden" });

  // Words of a list are chosen in the reader's own; what is none of them is typed.
  const hour = page.getByLabel("What an hour is", { exact: true });
  check("words of the API are not to be typed", (await hour.locator("option").allTextContents()).some((one) => one === "an hour of the wall clock"));
  await hour.selectOption({ label: "an hour of the wall clock" });
  await saved("What an hour is");
  check("a word of a list is saved", (await settings()).layers?.hour === "wall");
  await hour.selectOption({ label: "so many ticks …" });
  await page.getByLabel("What an hour is: so many ticks …").fill("2500");
  const hourSaved = page.waitForResponse((response) => response.request().method() === "PUT");
  await page.getByLabel("What an hour is: so many ticks …").press("Enter");
  await hourSaved;
  check("so is a number in its place", String((await settings()).layers?.hour) === "2500");
  await page.getByRole("button", { name: "Reset What an hour is" }).click();
  await page.getByText("Reset: What an hour is.").waitFor();
  check("and it is reset", (await hour.inputValue()) === "calendar" && (await page.getByLabel("What an hour is: so many ticks …").isHidden()));

  // The template is tried before it is saved.
  const template = page.getByLabel("Template", { exact: true });
  await template.fill("Remember:\n{{#each memories}}\n* {{text}}\n{{/each}}");
  await page.locator(".preview", { hasText: "* The reactor needs coolant." }).waitFor();
  check("the preview is not saved", (await settings()).recall === undefined);
  await page.getByRole("button", { name: "Save the template" }).click();
  await saved("Template");
  check("the template is saved", (await settings()).recall?.template?.startsWith("Remember:"));
  const written = await template.inputValue();
  await template.fill("{{#each memories}}");
  await page.locator(".preview.wrong").waitFor();
  check("one with an error cannot be saved", await page.getByRole("button", { name: "Save the template" }).isDisabled());
  await template.fill(written);

  // A calendar, whole.
  await page.getByLabel("Kind of calendar").selectOption("custom");
  await page.getByText("Saved: the calendar.").waitFor();
  check("a calendar of one's own begins with something that works", (await settings()).calendar?.units?.length === 3);
  const put = page.waitForResponse((response) => response.request().method() === "PUT");
  await page.getByLabel("Kind of calendar").selectOption("none");
  await put;
  check("and goes again", (await settings()).calendar === undefined);

  // Found by name, also what stands behind “more”.
  await page.getByLabel("Find a setting").fill("duplicate");
  check("others are away", !(await row("recall.enabled").isVisible()));
  check("what is behind more is found", await row("recall.near_duplicate").isVisible());
  await page.getByLabel("Find a setting").fill("");

  await axe("settings");
  await shot("settings");

  // For one character alone.
  await page.getByLabel("These settings are for").selectOption("zorg");
  await page.getByText("What is not set for Zorg follows the world.").waitFor();
  check("only what can be personal is shown", await row("prompt.budget").count() === 0);
  await page.getByRole("switch", { name: "Age counts" }).click();
  await saved("Age counts");
  check("it is Zorg's alone", (await settings()).recall?.["time_decay@zorg"] === false);
  await page.getByLabel("These settings are for").selectOption("");

  // What is set elsewhere shows here.
  await api("PUT", `/v1/worlds/${WORLD}`, { settings: { "digest.idle_seconds": 77 } });
  await row("digest.idle_seconds").getByText("changed", { exact: true }).waitFor();
  check("changes from elsewhere are seen", (await page.getByLabel("A round is over after (s)", { exact: true }).inputValue()) === "77");

  // Out and in.
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  check("the file is called after the world", download.suggestedFilename() === `${WORLD}-settings.json`);
  const file = JSON.stringify({ preset: "bot", settings: { recall: { threshold: 0.6, treshold: 0.7 } } });
  await page.getByLabel("Import settings").setInputFiles({ name: "settings.json", mimeType: "application/json", buffer: Buffer.from(file) });
  const dialog = page.getByRole("dialog", { name: "Import settings" });
  await dialog.getByText("recall.threshold").waitFor();
  check("a setting that nobody knows is seen before it is saved", (await dialog.getByRole("row", { name: "recall.treshold" }).getByText("not known here").count()) === 1);
  check("settings have their names", (await dialog.getByRole("row", { name: "recall.threshold" }).textContent()).startsWith("Threshold"));
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByLabel("Import settings").setInputFiles({ name: "settings.json", mimeType: "application/json", buffer: Buffer.from(file.replace(',"treshold":0.7', "")) });
  const others = dialog.getByRole("checkbox", { name: /^Also take back what the file does not set/ });
  check("what the file does not speak of stays, unless somebody wants otherwise", !(await others.isChecked()) && (await dialog.locator(".import-gone").textContent()).includes("digest.idle_seconds"));
  await others.check();
  await dialog.getByRole("button", { name: "Import" }).click();
  await page.getByText("Settings imported.").waitFor();
  const now = await api("GET", `/v1/worlds/${WORLD}`);
  check("the file's settings are those of the world", now.preset === "bot" && JSON.stringify(now.settings) === '{"recall":{"threshold":0.6}}');
  check("the default of the preset is told", (await row("audience").textContent()).includes("default strict"));

  await models({ page, api, check, axe, shot });

  // Words for all that the server tells of, in both languages.
  const { settings: described } = await api("GET", "/v1/settings");
  const wordless = await page.evaluate(async (names) => {
    const [{ default: options }, { default: others }] = await Promise.all([import("/console/words/options.js"), import("/console/words/settings.js")]);
    const isSaid = (pair) => pair?.length === 2 && pair.every((text) => text.trim() !== "");
    // Those of each kind or layer stand in tables, under a word that they share.
    const shared = (name) => name.replace(/^(recall\.\w+)\.\w+$/, "$1").replace(/^layers\.\w+\.(\w+)$/, "layers.$1");
    return names.filter((name) => !isSaid(options[`option.${name}`]) && !isSaid(options[`option.${shared(name)}`]) && !isSaid(others[name]));
  }, described.map((one) => one.name));
  check(`every setting has words in both languages (${wordless.join(", ")})`, described.length > 100 && wordless.length === 0);

  await page.getByRole("button", { name: "简体中文" }).click();
  await page.getByRole("heading", { name: "想起什么" }).waitFor();
  await axe("settings, Chinese");
  await page.setViewportSize({ width: 360, height: 780 });
  check("nothing sticks out on a narrow screen", await page.evaluate(() => document.querySelector("main").scrollWidth <= document.querySelector("main").clientWidth));
  check("no table is cut off on a narrow screen", await page.evaluate(() => [...document.querySelectorAll(".setting.table .scroll-x")].every((one) => one.scrollWidth <= one.clientWidth)));
  await shot("settings-narrow");
}

/** A chat model, an embedding model and an upstream: tested, saved, in use at once, and gone again. */
async function models({ page, api, check, axe, shot }) {
  const model = await scriptedModel();
  const form = (name) => page.locator(`form.connection[data-connection=${name}]`);
  const chat = form("chat");
  await chat.getByText("memories are made by rules alone").waitFor();
  check("nothing is tested before there is something to test", await chat.getByRole("button", { name: "Test", exact: true }).isDisabled());

  // What is missing is told at its field.
  await chat.getByRole("textbox", { name: "Address" }).fill("my model");
  await chat.getByRole("button", { name: "Test and save" }).click();
  await chat.getByText("Address: this is no address.").waitFor();
  await chat.getByRole("textbox", { name: "Address" }).fill("http://127.0.0.1:9");
  await chat.getByRole("button", { name: "Test and save" }).click();
  await chat.getByText("Model: fill in its name").waitFor();
  check("the field that is empty has the focus", await chat.getByRole("combobox", { name: "Model" }).evaluate((one) => one === document.activeElement));

  // One that does not answer is told of, and not saved without being asked.
  await chat.getByRole("textbox", { name: "Address" }).fill("http://127.0.0.1:9");
  await chat.getByRole("combobox", { name: "Model" }).fill("nobody");
  await chat.getByRole("button", { name: "Test and save" }).click();
  await chat.getByText("fails", { exact: true }).waitFor();
  check("what fails is not saved by itself", (await api("GET", "/v1/connections")).connections[0].origin === "none");
  await chat.getByRole("button", { name: "Save all the same" }).waitFor();

  await chat.getByRole("textbox", { name: "Address" }).fill(model.url);
  await chat.getByRole("combobox", { name: "Model" }).fill("scripted");
  await chat.locator("input[type=password]").fill("sk-swordfish");
  await chat.getByRole("button", { name: "Test and save" }).click();
  await page.getByText("Saved: Chat model.").waitFor();
  await chat.getByText("set here").waitFor();
  check("the key reached the model and nobody else", model.seen().some((one) => one.authorization === "Bearer sk-swordfish") && !(await page.content()).includes("swordfish"));
  check("the field is empty again", (await chat.locator("input[type=password]").inputValue()) === "");
  check("it counts at once", (await api("GET", "/health")).models.driver !== "off");
  await axe("models");
  await shot("settings-models");

  const embedding = form("embedding");
  await embedding.getByRole("textbox", { name: "Address" }).fill(model.url);
  await embedding.getByRole("combobox", { name: "Model" }).fill("scripted-embedding");
  await embedding.getByLabel("Dimensions").fill("8");
  await embedding.getByRole("button", { name: "Test and save" }).click();
  await page.getByText("Saved: Embedding model.").waitFor();
  await embedding.getByText("8 dimensions", { exact: true }).waitFor();

  const upstream = form("upstream");
  await upstream.getByRole("textbox", { name: "Address" }).fill(model.url);
  await upstream.getByRole("button", { name: "Test and save" }).click();
  await page.getByText("Saved: Provider that answers chats.").waitFor();
  const answer = await api("POST", "/v1/chat/completions", { model: "scripted", messages: [{ role: "user", content: "hello" }] });
  check("chats go there at once", answer.choices[0].message.content.includes("ok"));

  for (const one of [chat, embedding, upstream]) {
    await one.getByRole("button", { name: "Back to what was before" }).click();
    const question = page.getByRole("dialog", { name: "back to what was before?" });
    if (one === chat) {
      await question.getByRole("button", { name: "Cancel" }).click();
      check("it is asked before a key is lost", (await api("GET", "/v1/connections")).connections[0].origin === "chosen");
      await one.getByRole("button", { name: "Back to what was before" }).click();
    }
    await question.getByRole("button", { name: "Back to what was before" }).click();
    await one.getByText("none", { exact: true }).first().waitFor();
  }
  check("and all of them go again", (await api("GET", "/v1/connections")).connections.every((one) => one.origin === "none"));
  await model.close();
}
