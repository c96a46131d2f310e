// An author brings a book by drop, reads and changes its entries, puts them into another order, and tries what they say.

const BOOK = { name: "Flow book", entries: Object.fromEntries([["Dragon", ["dragon", "/wyrms?/i"]], ["Tavern", ["tavern"]], ["Moon", ["月亮"]], ["<img src=x onerror=alert(1)>", ["img"]]]
  .map(([comment, key], uid) => [uid, { uid, key, keysecondary: [], comment, content: `All about ${comment}. <script>document.title="run"</script>`, order: 100, position: 0, disable: false, selective: true, large: 1234567890123456 }])) };
// A number that no browser can hold: whatever is done to the book, its file must keep it.
const LARGE = "12345678901234567";
const text = JSON.stringify(BOOK).replaceAll("1234567890123456", LARGE);

async function drop(page, selector, name, content) {
  const data = await page.evaluateHandle(([file, words]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([words], file, { type: "application/json" }));
    return transfer;
  }, [name, content]);
  await page.dispatchEvent(selector, "dragover", { dataTransfer: data });
  await page.dispatchEvent(selector, "drop", { dataTransfer: data });
}

const titles = (page) => page.locator(".entry-row .entry-title").allTextContents();

export default async function ({ page, base, api, check, axe, shot }) {
  const isWhole = async () => (await (await fetch(`${base}/v1/books/Flow%20book/document`)).text()).split(LARGE).length >= 5;
  await api("PUT", "/v1/worlds/w-lore", { settings: { language: "en" } });
  await api("PUT", "/v1/worlds/w-lore/characters/abe", { display_name: "Abe" });
  await api("PUT", "/v1/worlds/w-lore/characters/ann", { display_name: "Ann", persona: "You are Ann." });
  await api("POST", "/v1/worlds/w-lore/conversations", { id: "inn", name: "The inn", participants: ["ann"] });
  await api("POST", "/v1/worlds/w-lore/conversations/inn/lines", { lines: [{ display_name: "Bo", attribute: "user", content: "Meet me at the tavern." }] });

  await page.goto(`${base}/#/worlds/w-lore/lore`);
  await page.getByText("No book yet. Add one from the library").waitFor();
  await drop(page, ".drop", "Flow book.json", text);
  await page.getByRole("heading", { name: "Added to the library and to this world" }).waitFor();
  await page.getByRole("dialog").getByRole("link", { name: "Open" }).click();
  await page.getByRole("heading", { level: 1, name: "Flow book" }).waitFor();
  await page.locator(".entry-row").nth(3).waitFor();
  check("all entries are listed", (await titles(page)).length === 4);

  // Change one, with the keys as chips; take it back; do it again.
  await page.locator(".entry-name", { hasText: "Tavern" }).click();
  const editor = page.getByRole("region", { name: "Entry" });
  await editor.getByLabel("Keys", { exact: true }).fill("inn");
  await editor.getByLabel("Keys", { exact: true }).press("Enter");
  await editor.getByLabel("Content").fill("The tavern of the harbour.");
  await editor.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  let entry = await api("GET", "/v1/books/Flow%20book/entries/1");
  check("an edit is kept, and what it did not name stays", entry.fields.key.join() === "tavern,inn" && entry.fields.content === "The tavern of the harbour." && await isWhole());
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.waitForFunction(() => document.querySelector(".entry-editor textarea")?.value.startsWith("All about"));
  entry = await api("GET", "/v1/books/Flow%20book/entries/1");
  check("an edit is taken back", entry.fields.key.join() === "tavern");

  // Somebody else is at work: nothing of either is lost.
  await editor.getByLabel("Content").fill("My words.");
  await api("PATCH", "/v1/books/Flow%20book/entries/1", { content: "Their words." });
  await editor.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Somebody else changed this entry" }).waitFor();
  await page.getByRole("button", { name: "Save mine" }).click();
  await page.getByText("Saved.").last().waitFor();
  await page.waitForFunction(() => document.querySelector(".entry-editor [role=status]")?.textContent === "");
  check("a conflict is asked about", (await api("GET", "/v1/books/Flow%20book/entries/1")).fields.content === "My words.");

  // For some kinds of answers, chosen from a list.
  await editor.getByText("For whom, and when").click();
  await editor.getByLabel("regenerate", { exact: true }).check();
  await editor.getByLabel("swipe", { exact: true }).check();
  await editor.getByRole("button", { name: "Save" }).click();
  await page.waitForFunction(() => document.querySelector(".entry-editor [role=status]")?.textContent === "");
  check("kinds of answers are chosen", (await api("GET", "/v1/books/Flow%20book/entries/1")).fields.triggers?.join() === "swipe,regenerate");
  await editor.getByLabel("regenerate", { exact: true }).uncheck();
  await editor.getByLabel("swipe", { exact: true }).uncheck();
  await editor.getByRole("button", { name: "Save" }).click();
  await page.waitForFunction(() => document.querySelector(".entry-editor [role=status]")?.textContent === "");

  // Off and on.
  await page.getByRole("switch", { name: "Dragon: enabled" }).click();
  await page.locator(".entry-row.off").waitFor();
  check("an entry is switched off", (await api("GET", "/v1/books/Flow%20book/entries/0")).fields.disable === true);
  await page.getByRole("switch", { name: "Dragon: enabled" }).click();
  await page.locator(".entry-row.off").waitFor({ state: "detached" });

  // Another order: by keyboard, by dragging.
  await page.getByRole("button", { name: "Move Dragon, now at place 1" }).focus();
  for (const key of ["Space", "ArrowDown", "ArrowDown", "Space"]) await page.keyboard.press(key);
  await page.getByText("Moved in the list.").waitFor();
  const ids = async () => (await api("GET", "/v1/books/Flow%20book/entries")).items.map((one) => one.id).join();
  check("the keyboard moves an entry", (await ids()) === "1,2,0,3");
  await page.locator(".toast", { hasText: "Moved in the list." }).getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Move Moon, now at place 2" }).dragTo(page.locator(".entry-row").first(), { targetPosition: { x: 40, y: 4 } });
  await page.waitForFunction(() => document.querySelector(".entry-row .entry-title")?.textContent === "Moon");
  await page.getByText("Moved in the list.").waitFor();
  check("dragging moves an entry", (await ids()) === "2,1,0,3");
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.waitForFunction(() => document.querySelector(".entry-row .entry-title")?.textContent === "Tavern");
  check("an order is taken back, and numbers are what they were", (await ids()) === "1,2,0,3" && await isWhole());

  // Copy, delete, and back again at its place.
  await page.getByRole("button", { name: "Duplicate" }).click();
  await page.getByText("Tavern (copy)").first().waitFor();
  check("a copy stands behind it", (await ids()) === "1,4,2,0,3");
  await editor.getByRole("button", { name: "Delete entry" }).click();
  await page.getByText("“Tavern (copy)” was deleted.").waitFor();
  check("an entry is deleted", (await ids()) === "1,2,0,3");
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.getByText("Tavern (copy)").first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".entry-row .entry-title")[1]?.textContent === "Tavern (copy)");
  check("it comes back to its place", (await ids()) === "1,4,2,0,3");

  // The book itself.
  await page.getByRole("button", { name: "About the book" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("The flow's book");
  await page.getByRole("dialog").getByLabel("Messages to search").fill("3");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "The flow's book" }).waitFor();
  const about = await api("GET", "/v1/books/Flow%20book/document");
  check("a book is renamed, and nothing else of it changes", about.scan_depth === 3 && (await ids()) === "1,4,2,0,3" && await isWhole());
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.getByRole("heading", { level: 1, name: "Flow book" }).waitFor();
  await axe("a book");
  await shot("lore-book");

  // What would they say?
  await page.getByRole("tab", { name: "Try out" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill("Bo: I saw the old wyrm over the 月亮.\nAnn: Not a dragon?");
  await page.getByText("“dragon” in the newest message").waitFor();
  await page.getByRole("button", { name: /^月亮: calls Moon/ }).waitFor();
  check("the key that fired is marked in the text", (await page.locator(".hit").allTextContents()).sort().join() === "dragon,月亮");
  check("of every entry it is told why", (await page.locator(".why-row").count()) === 5 && await page.getByText("no key was found").first().isVisible());
  await page.getByRole("combobox", { name: "Where" }).selectOption({ label: "conversation: The inn" });
  await page.getByRole("textbox", { name: "Text" }).fill("");
  await page.getByRole("button", { name: /^tavern: calls/ }).waitFor();
  check("a conversation is searched", true);
  await page.getByRole("combobox", { name: "Search" }).selectOption("alone");
  await page.getByText("this book by itself").first().waitFor({ state: "attached" });
  await page.getByRole("combobox", { name: "Where" }).selectOption("");
  await page.getByRole("textbox", { name: "Text" }).fill("WYRMS!");
  await page.getByRole("button", { name: /^WYRMS: calls Dragon/ }).waitFor();
  check("a pattern is marked where it matches", true);
  await axe("the try-out");
  await shot("lore-try");

  // A book that only Ann has is tried as Ann, and all the words that called an entry are marked.
  await api("PUT", "/v1/books/flow-own", { name: "Ann's own", entries: { 0: { uid: 0, key: ["lamp"], keysecondary: ["oil"], selective: true, selectiveLogic: 0, comment: "Lamp", content: "The lamp is dark." } } });
  await api("PUT", "/v1/worlds/w-lore/lore/flow-own", { character: "ann" });
  await page.goto(`${base}/#/worlds/w-lore/lore?book=flow-own&tab=try`);
  await page.getByRole("heading", { level: 1, name: "Ann's own" }).waitFor();
  check("a book of one character is tried as that one", (await page.getByRole("combobox", { name: "Who is about to speak" }).inputValue()) === "ann" && await page.getByText("This book is only for Ann.").isVisible());
  await page.getByRole("textbox", { name: "Text" }).fill("Bo: The lamp again.\nBo: It needs oil.");
  await page.getByRole("button", { name: /^oil: calls Lamp/ }).waitFor();
  check("secondary keys are marked, too", (await page.locator(".hit").allTextContents()).sort().join() === "lamp,oil");
  await api("DELETE", "/v1/worlds/w-lore/lore/flow-own?character=ann");
  await page.goto(`${base}/#/worlds/w-lore/lore?book=Flow%20book&tab=try`);
  await page.getByRole("heading", { level: 1, name: "Flow book" }).waitFor();

  // Out again, with a word about what is lost.
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("combobox", { name: "Format" }).selectOption("agnai");
  await page.getByText("What this format cannot say").waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
  check("a book is saved as a file", file.suggestedFilename() === "Flow book.json");

  // The stack of the world.
  await api("PUT", "/v1/books/flow-second", { name: "Second book" });
  await page.getByRole("link", { name: "Lore" }).last().click();
  await page.getByRole("heading", { name: "Used by this world" }).waitFor();
  await page.getByRole("button", { name: "Add a book" }).click();
  await page.getByRole("combobox", { name: "Book" }).selectOption({ label: "Second book" });
  await page.getByRole("combobox", { name: "For whom" }).selectOption({ label: "for Ann" });
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
  await page.locator(".stack-row").nth(1).waitFor();
  await page.getByRole("button", { name: "Move Second book up" }).click();
  await page.locator(".stack-row").first().getByText("Second book").waitFor();
  const stack = (await api("GET", "/v1/worlds/w-lore/lore")).books.sort((a, b) => a.rank - b.rank);
  check("a book is added for one character, and goes up", stack[0].book === "flow-second" && stack[0].character === "ann");
  await page.getByRole("button", { name: "Take Second book out of this world" }).click();
  await page.locator(".stack-row").nth(1).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.locator(".stack-row").nth(1).waitFor();
  check("a book is taken out and comes back", (await api("GET", "/v1/worlds/w-lore/lore")).books.length === 2);
  await axe("lore");
  await shot("lore");
  check("what a book says never runs", !(await page.title()).includes("run"));

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${base}/#/worlds/w-lore/lore?book=Flow%20book`);
  await page.locator(".entry-row .order").first().waitFor();
  check("the number that decides is seen on a narrow screen, too", await page.locator(".entry-row .order").first().isVisible());
  check("so is all that can be done with a book", await page.evaluate(() => [...document.querySelectorAll(".lore .head .actions > *")].every((one) => one.getBoundingClientRect().right <= innerWidth)));
  await page.setViewportSize({ width: 360, height: 720 });
  check("nothing goes sideways on a narrow screen", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.querySelector("main").scrollWidth <= innerWidth));
}
