// The page of settings: saved as they are changed, checked by the server, for the world or for one character.

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

  // The template is tried before it is saved.
  const template = page.getByLabel("Template", { exact: true });
  await template.fill("Remember:\n{{#each memories}}\n* {{text}}\n{{/each}}");
  await page.locator(".preview", { hasText: "* The reactor needs coolant." }).waitFor();
  check("the preview is not saved", (await settings()).recall === undefined);
  await page.getByRole("button", { name: "Save the template" }).click();
  await saved("Template");
  check("the template is saved", (await settings()).recall?.template?.startsWith("Remember:"));

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
  const file = JSON.stringify({ preset: "bot", settings: { recall: { threshold: 0.6 } } });
  await page.getByLabel("Import settings").setInputFiles({ name: "settings.json", mimeType: "application/json", buffer: Buffer.from(file) });
  const dialog = page.getByRole("dialog", { name: "Import settings" });
  await dialog.getByText("recall.threshold").waitFor();
  await dialog.getByRole("button", { name: "Import" }).click();
  await page.getByText("Settings imported.").waitFor();
  const now = await api("GET", `/v1/worlds/${WORLD}`);
  check("the file's settings are those of the world", now.preset === "bot" && JSON.stringify(now.settings) === '{"recall":{"threshold":0.6}}');
  check("the default of the preset is told", (await row("audience").textContent()).includes("default strict"));

  // Models.
  await page.getByRole("button", { name: "Test the connection" }).click();
  await page.getByText("No model is configured.").waitFor();
  check("a snippet tells how to add one", (await page.locator(".models-file").textContent()).includes("[models.chat]"));

  await page.getByRole("button", { name: "简体中文" }).click();
  await page.getByRole("heading", { name: "想起什么" }).waitFor();
  await axe("settings, Chinese");
  await page.setViewportSize({ width: 360, height: 780 });
  check("nothing sticks out on a narrow screen", await page.evaluate(() => document.querySelector("main").scrollWidth <= document.querySelector("main").clientWidth));
  await shot("settings-narrow");
}
