// Does the console do for a person what it promises? In a real Chromium, before the real binary.
//
// Environment: REVERIE (address), REVERIE_GUARDED and REVERIE_GUARDED_TOKEN (a second server that wants a token, and that token),
// CHROMIUM (program), FLOWS (names, by comma; absent: all), SHOTS (folder for pictures; absent: none).
// Each flow beside this file is a person with something to do: it makes its own world by the API and acts through the page. A flow fails
// by what it checks, and whatever it does, by an error in the browser's console, a request to another host, or a report of the
// page's policy.

import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(`${process.cwd()}/`);
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { REVERIE, REVERIE_GUARDED, REVERIE_GUARDED_TOKEN, CHROMIUM, FLOWS, SHOTS } = process.env;
const PATIENCE_MS = 30_000;
const FLOW_MS = 8 * 60_000;

const own = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const names = readdirSync(own).filter((name) => name.endsWith(".mjs") && name !== "run.mjs").map((name) => name.replace(".mjs", "")).sort();
/** These are done only when they are asked for by name: pictures for the guides, and a measurement that takes minutes. */
const BY_NAME = ["pictures", "large"];
const wanted = names.filter((name) => (FLOWS ? FLOWS.split(",").includes(name) : !BY_NAME.includes(name)));

const asking = (address, token) => async (method, path, body, type = "application/json") => {
  const payload = body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const headers = { ...(body === undefined ? {} : { "content-type": type }), ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(`${address}${path}`, { method, headers, body: payload });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return text;
  }
};

const api = asking(REVERIE);
const guarded = { base: REVERIE_GUARDED, token: REVERIE_GUARDED_TOKEN, api: asking(REVERIE_GUARDED, REVERIE_GUARDED_TOKEN) };

let failed = 0;

function tell(name, problem) {
  if (problem) {
    failed += 1;
    console.log(`  problem: ${String(problem.stack ?? problem).split("\n").slice(0, 12).join("\n           ")}`);
  }
  console.log(`${problem ? "FAILED" : "ok"} ${name}`);
}

/** A list of findings that matter, in words; empty if there is none. */
async function serious(page) {
  // Through the debugger: the page's own policy would not let it in.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { preload: false, resultTypes: ["violations"] }));
  const bad = violations.filter((one) => ["serious", "critical"].includes(one.impact));
  return bad.map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 4).map((node) => node.html).join("  ")}`);
}

async function run(browser, name) {
  const { default: flow } = await import(`./${name}.mjs`);
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 860 }, acceptDownloads: true });
  const complaints = [];
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  // Chromium says of every answer that is no success that it failed to load it; whether the page minds is for the flow to see.
  page.on("console", (message) => message.type() === "error" && !message.text().startsWith("Failed to load resource") && complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack ?? error}`));
  page.on("request", (request) => {
    const url = request.url();
    const isOwn = [REVERIE, REVERIE_GUARDED].some((address) => address && url.startsWith(`${address}/`));
    if (!isOwn && !url.startsWith("blob:") && !url.startsWith("data:")) complaints.push(`a request to ${url}`);
  });
  await page.addInitScript(() => document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`)));

  const check = (what, holds) => tell(`${name}: ${what}`, holds ? null : new Error("it is not so"));
  const shot = async (what) => {
    if (!SHOTS) return;
    mkdirSync(SHOTS, { recursive: true });
    for (const theme of ["light", "dark"]) {
      await page.evaluate((one) => { document.documentElement.dataset.theme = one; }, theme);
      await page.screenshot({ path: join(SHOTS, `${what}-${theme}.png`), animations: "disabled" });
    }
    await page.evaluate(() => { document.documentElement.dataset.theme = "auto"; });
  };
  const picture = async (what, theme) => {
    mkdirSync(SHOTS, { recursive: true });
    await page.evaluate((one) => { document.documentElement.dataset.theme = one; }, theme);
    await page.screenshot({ path: join(SHOTS, `${what}.png`), animations: "disabled" });
  };
  const axe = async (what) => {
    const found = await serious(page);
    tell(`${name}: ${what} is accessible`, found.length ? found.join("\n") : null);
  };
  let timer;
  const limit = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`not done within ${FLOW_MS / 1000} s`)), FLOW_MS); });
  try {
    await Promise.race([flow({ page, context, base: REVERIE, api, guarded, check, axe, shot, picture }), limit]);
    tell(`${name}: goes through`);
  } catch (error) {
    if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}-failed.png`) }).catch(() => {});
    tell(`${name}: goes through`, error);
  }
  clearTimeout(timer);
  tell(`${name}: nothing failed in the browser, nothing came from elsewhere`, complaints.length ? complaints.join("\n") : null);
  await context.close();
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
try {
  for (const name of wanted) await run(browser, name);
} finally {
  await browser.close();
}
process.exit(failed ? 1 : 0);
