// What the server refuses is said in the reader's language, with its own sentence in small; and nobody is told of methods and paths.

import { visit } from "./parts/look.mjs";

const WORLD = "flow-refused";
const FOR_PROGRAMS = /\b(GET|PUT|POST|PATCH|DELETE)\b|\/v1\//;

export default async function ({ page, base, api, check, axe }) {
  await api("PUT", `/v1/worlds/${WORLD}`, { settings: { language: "en" } });
  await api("PUT", `/v1/worlds/${WORLD}/characters/ann`, { display_name: "Ann" });
  const places = [
    ["a world that is not there", "#/worlds/flow-none-such", "main .problem", /不存在/, /flow-none-such/],
    ["a character that is not there", `#/worlds/${WORLD}/characters/nobody`, "main .problem", /不存在/, /nobody/],
    ["a memory that is not there", `#/worlds/${WORLD}/characters/ann?memory=99999`, ".memory-panel .problem", /不存在/, /99999/],
    ["a budget that is too small", `#/worlds/${WORLD}/why?character=ann&budget=1&message=hi`, "main .wrong:visible", /不符合要求/, /budget/],
  ];
  for (const language of ["en", "zh-CN"]) {
    if (language !== "en") await page.getByRole("button", { name: "简体中文" }).click();
    for (const [what, address, place, chinese, own] of places) {
      await page.goto(`${base}/#/health`);
      await visit(page, base, address).catch(() => {}); // It says what is wrong, that is what is looked for.
      const words = await page.locator(place).first().innerText();
      check(`${what}: ${language} (${words.replaceAll("\n", " ")})`, own.test(words) && !FOR_PROGRAMS.test(words) && (language === "en" || chinese.test(words)));
    }
  }
  await axe("a refusal");

  await visit(page, base, `#/worlds/${WORLD}/settings`);
  const row = page.locator('.setting[data-key="prompt.budget"]');
  await row.locator("input").fill("-5");
  await row.locator("input").press("Enter");
  await row.getByRole("alert").waitFor();
  check("a setting says what may be", /请填写 0 到 [\d,]+ 之间的整数/.test(await row.getByRole("alert").innerText()));

  await visit(page, base, "#/worlds");
  await page.getByRole("button", { name: "新建世界" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("字".repeat(60));
  await dialog.getByRole("button", { name: "创建" }).click();
  const word = dialog.locator(".toast.bad");
  await word.waitFor();
  check("so does a word beside a question", (await word.innerText()).includes("内容不符合要求"));
}
