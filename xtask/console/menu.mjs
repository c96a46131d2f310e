// The menu on a telephone: it lies over the page, and closes by Escape, beside it, and by going anywhere, also to where one is.

export default async function ({ page, base, api, check, axe }) {
  await api("PUT", "/v1/worlds/flow-menu", {});
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${base}/#/worlds/flow-menu`);
  await page.getByRole("heading", { level: 1, name: "flow-menu" }).waitFor();
  const menu = page.getByRole("button", { name: "Menu" });
  const cast = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Cast", exact: true });
  const isOpen = async () => (await menu.getAttribute("aria-expanded")) === "true" && await page.evaluate(() => document.body.classList.contains("menu-open"));
  const isClosed = async () => (await menu.getAttribute("aria-expanded")) === "false" && await page.evaluate(() => !document.body.classList.contains("menu-open") && !document.querySelector("main").inert);

  check("it is closed at first, and says so", await isClosed());
  check("nothing of the page lies below its button", (await page.evaluate(() => document.querySelector("button.menu").getBoundingClientRect().bottom <= document.querySelector("main").getBoundingClientRect().top)));
  await menu.click();
  await cast.waitFor();
  check("it opens, and says so", await isOpen());
  check("the keyboard does not go behind it", await page.evaluate(() => document.querySelector("main").inert));
  await axe("the menu");
  await page.keyboard.press("Escape");
  check("Escape closes it", await isClosed());
  check("and the keyboard is where it was", await menu.evaluate((one) => one === document.activeElement));
  await menu.click();
  await page.mouse.click(370, 300);
  check("so does a tap beside it", await isClosed());
  await menu.click();
  await cast.click();
  check("so does the page that one is on", await isClosed());
  await menu.click();
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.waitForFunction(() => !document.querySelector("main").inert, undefined, { timeout: 5000 });
  check("on a wide screen nothing is behind it", await page.evaluate(() => !document.body.classList.contains("menu-open")));
}
