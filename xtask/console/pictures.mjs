// The pictures of the README and the guide. Made only when they are asked for by name: FLOWS=pictures, SHOTS=docs/pictures.

import { visit } from "./parts/look.mjs";
import { sampleWorld } from "./parts/sample.mjs";

export default async function ({ page, base, api, picture }) {
  for (const [language, world, end] of [["en", "saltmarsh", ""], ["zh-CN", "盐沼港", ".zh-CN"]]) {
    const sample = await sampleWorld(api, world, language);
    const inWorld = `#/worlds/${encodeURIComponent(world)}`;
    await page.setViewportSize({ width: 1280, height: 800 });
    await visit(page, base, inWorld);
    const button = page.getByRole("button", { name: language === "en" ? "English" : "简体中文" });
    if (await button.count()) await button.click();
    await page.waitForFunction((one) => document.documentElement.lang === one, language);
    await page.mouse.move(700, 5);

    await visit(page, base, `${inWorld}/characters/aya?memory=${sample.memory}`);
    await page.locator(".panel-part").first().waitFor();
    await picture(`console-memories${end}`, "light");

    // What belongs to the message comes first here, not what is always there.
    await api("PUT", sample.path, { settings: { recall: { constant: { trait: false } } } });
    await visit(page, base, `${inWorld}/why?character=aya&conversation=tea-house&message=${encodeURIComponent(sample.message)}`);
    await page.locator(".candidate").first().waitFor();
    // What is there to try stays shut, so that the prompt and what came to mind stand side by side.
    await page.locator("details.trial").evaluate((one) => { one.open = false; });
    await page.locator(".budget details").evaluate((one) => { one.open = false; });
    await page.locator(".filter button").nth(1).click();
    await page.mouse.move(700, 5);
    await page.locator(".summary").evaluate((one) => one.scrollIntoView());
    await picture(`console-why${end}`, "light");

    await visit(page, base, `${inWorld}/conversations/tea-house`);
    await page.locator(".line").last().waitFor();
    await picture(`console-conversation${end}`, "dark");

    await visit(page, base, `${inWorld}/map?character=aya&colour=emotion`);
    await page.waitForFunction(() => document.querySelector("canvas")?.width > 300);
    await picture(`console-map${end}`, "dark");
  }
}
