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
    ["a budget that is too small", `#/worlds/${WORLD}/why?character=ann&budget=1&message=hi`, "main .wrong:visible", /仅人设和最新消息就需要 \d+ 词元.*请把预算调到至少 \d+/s, /\b1 (tokens|词元)/],
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

  const told = await page.evaluate(async () => (await import("/console/parts/translated.js")).translated("this token is not one of this server's — compare it with the server's settings (token, REVERIE_TOKEN) or its ready line"));
  check(`a token that is not taken is told in Chinese (${told})`, /不是此服务器的令牌；请与.*核对/.test(told ?? ""));

  await visit(page, base, `#/worlds/${WORLD}/settings`);
  const row = page.locator('.setting[data-key="prompt.budget"]');
  await row.locator("input").fill("-5");
  await row.locator("input").press("Enter");
  await row.getByRole("alert").waitFor();
  check("a setting says what may be", /请填写 0 到 [\d,]+ 之间的整数/.test(await row.getByRole("alert").innerText()));

  await row.locator("input").fill("1");
  await row.locator("input").press("Enter");
  await row.getByText("提示词也可能被拒绝").waitFor();
  check("what can be set and is of no use is warned of", (await api("GET", `/v1/worlds/${WORLD}`)).settings.prompt?.budget === 1);
  const preview = page.locator(".preview.wrong");
  await preview.getByText("请把预算调到至少").waitFor();
  check("the preview of a template says why there is none", /就需要 \d+ 词元/.test(await preview.innerText()));
  await row.locator("input").fill("16000");
  await row.locator("input").press("Enter");
  await row.locator(".caution").waitFor({ state: "hidden" });
  await page.locator("details", { has: page.locator('.setting[data-key="digest.decide_prompt"]') }).locator("summary").click();
  const own = page.locator('.setting[data-key="digest.decide_prompt"]');
  await own.locator("textarea").fill("值得吗？");
  await own.locator("textarea").blur();
  await own.getByRole("alert").waitFor();
  check("a prompt without its conversation is told what it lacks", /没有写明对话放在哪里.*请在要放对话的地方写上 \{conversation\}/s.test(await own.getByRole("alert").innerText()));

  await visit(page, base, "#/worlds");
  await page.getByRole("button", { name: "新建世界" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("字".repeat(60));
  await dialog.getByRole("button", { name: "创建" }).click();
  const word = dialog.locator(".toast.bad");
  await word.waitFor();
  check("so does a word beside a question", (await word.innerText()).includes("内容不符合要求"));
}
