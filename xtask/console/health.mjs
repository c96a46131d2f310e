// Health: in words, with sizes and latencies, and a backup that is listed.

import { sideways } from "./parts/look.mjs";

export default async function ({ page, base, api, check, axe, shot }) {
  await api("PUT", "/v1/worlds/flow-health", {});
  await api("POST", "/v1/worlds/flow-health/conversations", { id: "talk", participants: ["mei", "mo"] });
  await api("POST", "/v1/worlds/flow-health/conversations/talk/lines", { lines: [{ speaker: "mei", attribute: "user", content: "The kettle is on." }] });
  await api("POST", "/v1/worlds/flow-health/recall", { character: "mo", conversation: "talk", message: "Is the kettle on?" });
  await page.goto(`${base}/#/health`);
  await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
  const health = await api("GET", "/health");
  const words = { ok: "All is well", degraded: "It works, but not everything does", unavailable: "Memory is off for now" }[health.status];
  check("the status is said in words", (await page.getByRole("heading", { name: words }).count()) === 1);
  check("the data file is among what it leans on", (await page.getByText("Data file").count()) >= 1);
  check("latencies are shown by leg", (await page.getByText("reading the store").count()) === 1);
  await page.getByRole("meter", { name: "Memories at hand" }).waitFor();
  await axe("health");
  await shot("health");
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("Backed up:").waitFor();
  const made = await api("GET", "/v1/backups");
  const newest = made.backups[0];
  await page.getByRole("cell", { name: newest.file }).waitFor();
  check("the backup is listed", (await page.getByRole("cell", { name: newest.file }).count()) === 1);

  // Whom a job is for is told by name, as far as there is one.
  await api("PUT", "/v1/worlds/flow-health/characters/mei", { display_name: "Mei Lin" });
  await page.route("**/v1/worlds/flow-health/jobs?*", (route) => route.fulfill({ json: { items: [{ id: "1", kind: "consider", stage: "decide", state: "waiting", holders: ["mei", "mo"], memories: [], attempts: 1, rejects: [] }] } }));
  await page.reload();
  await page.getByText("Mei Lin, mo", { exact: true }).waitFor();
  check("a job names people, not ids", true);

  // What goes wrong names files and addresses: however long they are, a telephone is wide enough.
  const long = `/srv/${"folder".repeat(60)}/reverie.db`;
  await page.route("**/health", async (route) => {
    const answer = await (await route.fetch()).json();
    const failure = { code: "unavailable", message: `${long} cannot be written`, at: new Date().toISOString() };
    const dependencies = answer.dependencies.map((one) => ({ ...one, state: "open", failures: 3, last_failure: failure }));
    await route.fulfill({ status: 503, json: { ...answer, status: "unavailable", dependencies, error: { code: "unavailable", message: failure.message } } });
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await page.getByText("cannot be written").first().waitFor();
  check("a long message breaks", (await sideways(page)) <= 0);
}
