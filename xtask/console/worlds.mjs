// Worlds and their cast: make, import, delete; characters; checkpoints there and back; fork.

import { readFileSync } from "node:fs";

export default async function ({ page, base, api, check, axe, shot }) {
  const box = page.getByRole("dialog");
  await page.goto(`${base}/#/worlds`);
  await page.getByRole("heading", { name: "Worlds", level: 1 }).waitFor();

  // A new one, with a preset.
  await page.getByRole("button", { name: "New world" }).first().click();
  await box.getByLabel("Id").fill("w-worlds");
  await page.getByLabel("Game:").check();
  await page.getByRole("button", { name: "Make it" }).click();
  await page.getByRole("heading", { name: "w-worlds", level: 1 }).waitFor();
  check("the preset is the chosen one", (await api("GET", "/v1/worlds/w-worlds")).preset === "game");
  await page.getByText("Nobody is here yet").waitFor();
  await axe("empty world");

  // Somebody by hand; a name that is markup stays a name.
  await page.getByRole("button", { name: "New character" }).first().click();
  await box.getByLabel("Id").fill("ada");
  await box.getByLabel("Name", { exact: true }).fill("<img src=x onerror=alert(1)> Ada");
  await box.getByLabel("Persona").fill("You are Ada.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "<img src=x onerror=alert(1)> Ada", exact: true }).waitFor();
  check("markup in a name is text", (await page.locator("main img").count()) === 0);

  await page.getByRole("button", { name: "Edit <img" }).click();
  await box.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Ada", exact: true }).waitFor();
  check("the persona stays", (await api("GET", "/v1/worlds/w-worlds/characters/ada")).persona === "You are Ada.");

  // A checkpoint; then something is learned, live; then back, and back again.
  await page.getByLabel("Name of the checkpoint").fill("before");
  await page.getByRole("button", { name: "Make a checkpoint" }).click();
  await page.getByRole("button", { name: "Restore before", exact: true }).waitFor();
  await api("POST", "/v1/worlds/w-worlds/characters/ada/memories", { text: "The key lies under the mat.", kind: "semantic" });
  await page.getByRole("link", { name: "Memories: 1" }).waitFor();
  await page.getByText("The key lies under the mat.").waitFor();
  check("what happens is shown without asking", true);
  const figures = (wanted) => page.waitForFunction((told) => [...document.querySelectorAll(".world-figures dd")].slice(0, 3).map((one) => one.textContent).join(" ") === told, wanted);
  const pages = page.getByRole("navigation", { name: "Pages" });
  const masked = page.getByRole("link", { name: "A masked one", exact: true });
  await figures("1 0 0");
  await api("PUT", "/v1/worlds/w-worlds/characters/masked", { display_name: "A masked one" });
  const cellar = await api("POST", "/v1/worlds/w-worlds/conversations", { name: "Cellar", participants: ["ada", "masked"] });
  await api("POST", `/v1/worlds/w-worlds/conversations/${cellar.id}/lines`, { lines: [{ speaker: "masked", attribute: "user", content: "Who is there?" }, { speaker: "ada", attribute: "assistant", content: "Me." }] });
  await masked.waitFor();
  await figures("2 1 2");
  await axe("world");
  await shot("world");

  await page.getByRole("button", { name: "Restore before", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await figures("1 0 0");
  await masked.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Memories: 0" }).waitFor();
  check("what was learned later is out of view", (await page.getByText("The key lies under the mat.").count()) === 0);
  check("so is who came later", (await page.locator(".cast-card").count()) === 1);
  await pages.getByRole("link", { name: "Conversations" }).click();
  await page.getByText("Nobody has spoken yet").waitFor();
  check("and the conversation that began later", (await page.getByRole("link", { name: /Cellar/ }).count()) === 0);
  await pages.getByRole("link", { name: "Cast" }).click();
  await page.getByRole("button", { name: /^Restore Before restoring/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await masked.waitFor();
  await figures("2 1 2");
  await pages.getByRole("link", { name: "Conversations" }).click();
  await page.getByRole("link", { name: /Cellar/ }).waitFor();
  check("a later checkpoint brings all of it back", true);
  await pages.getByRole("link", { name: "Cast" }).click();
  await page.getByRole("button", { name: "Restore before", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await masked.waitFor({ state: "detached" });
  await page.locator(".toast").getByRole("button", { name: "Undo" }).last().click();
  await page.getByRole("link", { name: "Memories: 1" }).waitFor();
  check("restoring can be undone", true);

  // A copy of the moment before.
  await page.getByRole("button", { name: "Fork from here: before", exact: true }).click();
  await page.getByLabel("Id of the copy").fill("w-worlds-copy");
  await page.getByRole("dialog").getByRole("button", { name: "Fork" }).click();
  await page.getByRole("heading", { name: "w-worlds-copy", level: 1 }).waitFor();
  check("the copy begins at the checkpoint", (await api("GET", "/v1/worlds/w-worlds-copy/stats")).memories === 0);

  // Out as a file, away for good, in again by dropping the file; a second time under another name.
  await page.goto(`${base}/#/worlds`);
  await page.getByRole("button", { name: "Delete w-worlds-copy", exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export it first" }).click()]);
  const file = await download.path();
  await page.getByLabel("Type w-worlds-copy to delete it").fill("w-worlds-copy");
  await page.getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("link", { name: "w-worlds-copy", exact: true }).waitFor({ state: "detached" });
  const text = readFileSync(file, "utf8");
  const dropped = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], "w-worlds-copy.jsonl", { type: "text/plain" }));
    return transfer;
  }, text);
  await page.locator("label.drop").dispatchEvent("drop", { dataTransfer: dropped });
  await page.getByRole("heading", { name: "w-worlds-copy", level: 1 }).waitFor();
  check("an export comes in again", (await api("GET", "/v1/worlds/w-worlds-copy")).id === "w-worlds-copy");

  await page.goto(`${base}/#/worlds`);
  await page.getByLabel("Drop an exported world here").setInputFiles({ name: "again.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) });
  await box.getByLabel("Id").fill("w-worlds-again");
  await box.getByRole("button", { name: "Import" }).click();
  await page.getByRole("heading", { name: "w-worlds-again", level: 1 }).waitFor();
  check("a name that is taken is asked about", true);

  await page.goto(`${base}/#/worlds`);
  await page.getByRole("link", { name: "w-worlds-copy", exact: true }).waitFor();
  await axe("worlds");
  await shot("worlds");
  for (const id of ["w-worlds", "w-worlds-copy", "w-worlds-again"]) await api("DELETE", `/v1/worlds/${id}`);
}
