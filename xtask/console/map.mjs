// The memory map: it draws, can be moved and read, and tells who shares what.

const LINES = ["The hot pot was far too spicy for Emmie.", "Emmie ordered more chili oil anyway.", "The reactor hummed all night.", "We cooled the reactor with river water.", "My cat Miso hid under the stove.", "Miso only eats salmon."];

export default async function ({ page, base, api, check, axe, shot }) {
  await api("PUT", "/v1/worlds/flow-map", { settings: { language: "en" } });
  for (const id of ["zorg", "emmie", "player"]) await api("PUT", `/v1/worlds/flow-map/characters/${id}`, { display_name: id === "zorg" ? "Zorg" : id });
  const kinds = ["episodic", "semantic", "trait", "goal"];
  for (const [index, text] of LINES.entries()) {
    await api("POST", "/v1/worlds/flow-map/characters/zorg/memories", { text, kind: kinds[index % 4], emotion: index % 2 ? "happy" : "worried", importance: 0.3 + index / 10, time: `2025-0${index + 1}-10T10:00:00Z` });
  }
  await api("POST", "/v1/worlds/flow-map/events", { text: "The roof fell in. <img src=x onerror=alert(1)>", witnesses: ["zorg", "emmie"], time: "2025-08-01T10:00:00Z" });

  // Days that are over are summed up now, not while somebody counts.
  await api("POST", "/v1/worlds/flow-map/digest", { now: true, slice_ms: 5000 });

  await page.goto(`${base}/#/worlds/flow-map/map?character=zorg`);
  await labels(page, check);
  const canvas = page.getByRole("application");
  await canvas.waitFor();
  const isDrawn = () => page.evaluate(() => {
    const drawing = document.querySelector("canvas");
    const { data } = drawing.getContext("2d").getImageData(0, 0, drawing.width, drawing.height);
    const colours = new Set();
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) colours.add(`${data[at] >> 5},${data[at + 1] >> 5},${data[at + 2] >> 5}`);
    return colours.size;
  });
  await page.waitForFunction(() => document.querySelector("canvas")?.width > 300);
  check("points are drawn in several colours", (await isDrawn()) > 4);
  check("the legend has kinds", (await page.getByRole("button", { name: /^episode/ }).count()) === 1);
  await axe("map");
  await shot("map");

  await page.getByRole("button", { name: "emotion" }).click();
  await page.getByRole("button", { name: /^happy/ }).click();
  check("an emotion can be hidden", (await page.getByRole("button", { name: /^happy/ }).getAttribute("aria-pressed")) === "false");
  await page.getByRole("button", { name: /^happy/ }).click();

  await canvas.focus();
  for (const key of ["+", "ArrowLeft", "0", "n"]) await page.keyboard.press(key);
  await page.locator(".tip").waitFor();
  const text = await page.locator(".tip p").first().textContent();
  check("the keyboard finds a memory", text.length > 5);
  check("markup in a memory is text", (await page.locator(".tip img").count()) === 0);
  await page.locator(".clusters button").first().click();
  check("a cluster opens", (await page.locator(".clusters button").first().getAttribute("aria-pressed")) === "true");
  await page.getByRole("slider", { name: "From" }).focus();
  await page.keyboard.press("PageUp");
  await page.getByText(/^\d+ of \d+ memories are of this time/).waitFor();
  check("how many there are is told of the time that is chosen", true);
  const told = async () => (await page.locator(".legend .count").allTextContents()).reduce((sum, one) => sum + Number(one), 0);
  const [few, all] = (await page.getByText(/^\d+ of \d+ memories are of this time/).textContent()).match(/\d+/g).map(Number);
  check("so does the legend", (await told()) === few && few < all);
  check("the time stands in the address", /[?&]from=2025-0\d/.test(page.url()));
  await page.reload();
  await page.getByText(`${few} of ${all} memories are of this time`).waitFor();
  check("and is the same when somebody comes by it", (await told()) === few);

  await page.getByRole("tab", { name: "List" }).click();
  await page.locator(".map-list summary").first().waitFor();
  for (const closed of await page.locator(".map-list details:not([open]) > summary").all()) await closed.click();
  await page.getByRole("link", { name: /The roof fell in/ }).first().waitFor();
  await axe("map list");
  await page.getByRole("tab", { name: "Who shares what" }).click();
  const tie = page.getByRole("link", { name: /^(emmie and Zorg|Zorg and emmie) share \d+ memor/ });
  await tie.first().waitFor();
  await axe("sharing");
  await shot("sharing");
  check("a line leads to what two share", /shared_with=/.test(await tie.first().getAttribute("href")));

  await page.getByRole("tab", { name: "Map", exact: true }).click();
  await pressUntil(page, canvas, "n", page.locator(".tip"));
  await page.keyboard.press("Enter");
  await page.waitForURL(/characters\/zorg\?memory=\d+/);
}

/** The canvas is there before what is on it: a key finds something once that has come. */
async function pressUntil(page, canvas, key, wanted) {
  for (let tries = 0; tries < 60; tries++) {
    await canvas.focus();
    await page.keyboard.press(key);
    if (await wanted.waitFor({ timeout: 500 }).then(() => true, () => false)) return;
  }
  await wanted.waitFor();
}

/** Words stand on no other words, on no point, and apart from everybody else's disc unless they lie inside of their own, however crowded it is. */
async function labels(page, check) {
  const found = await page.evaluate(async () => {
    const { hides, overlap, placeLabels, touches } = await import("/console/pages/map/labels.js");
    let state = 7;
    const roll = (most) => { state = (state * 48271) % 2147483647; return (state / 2147483647) * most; };
    const told = { placed: 0, all: 0, bad: 0 };
    for (let round = 0; round < 200; round++) {
      const [width, height] = [300 + roll(1000), 300 + roll(600)];
      const discs = Array.from({ length: 1 + Math.floor(roll(30)) }, (_, id) => ({ id, x: roll(width), y: roll(height), rx: 10 + roll(90), ry: 10 + roll(70), halves: [40 + roll(80), 20 + roll(20)], high: 32 }));
      const points = discs.flatMap(({ x, y, rx, ry }) => Array.from({ length: 12 }, () => ({ x: x + (roll(1.2) - 0.6) * rx, y: y + (roll(1.2) - 0.6) * ry, radius: 1 + roll(5) })));
      const placed = placeLabels(discs, { width, height, points });
      const boxes = placed.map(({ id, x, y, choice }) => ({ id, isOnItself: ((x - discs[id].x) / discs[id].rx) ** 2 + ((y - discs[id].y) / discs[id].ry) ** 2 < 0.5, box: [x - discs[id].halves[choice], y - 16, x + discs[id].halves[choice], y + 16] }));
      told.all += discs.length;
      told.placed += placed.length;
      for (const [index, { id, isOnItself, box }] of boxes.entries()) {
        const isOut = box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height;
        if (isOut || boxes.slice(index + 1).some((other) => overlap(box, other.box)) || points.some((point) => hides(box, point)) || discs.some((disc) => disc.id !== id && touches(isOnItself ? box : [box[0] - 10, box[1] - 10, box[2] + 10, box[3] + 10], disc))) told.bad += 1;
      }
      // Whatever is opened is named.
      if (!placeLabels(discs, { width, height, points, must: 0 }).some(({ id }) => id === 0)) told.bad += 1;
    }
    return told;
  });
  check(`labels cover nobody (${JSON.stringify(found)})`, found.bad === 0 && found.placed > found.all / 4);
}
