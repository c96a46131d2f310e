// The first page: what to copy, a card that is dropped, other files, and a first world in small steps.

const CARD = { spec: "chara_card_v2", spec_version: "2.0", data: { name: "Vesna <b>", description: "A baker who keeps every secret.", personality: "", scenario: "", first_mes: "Fresh bread?", mes_example: "", alternate_greetings: [], tags: [], character_book: { name: "Bakery", entries: [{ keys: ["oven"], content: "The oven is older than the house.", extensions: {}, enabled: true, insertion_order: 1 }] } } };
const BOOK = { entries: { 0: { uid: 0, key: ["mill"], content: "The mill burned down in spring.", comment: "", order: 1 }, 1: { uid: 1, key: ["river"], content: "The river is low.", comment: "", order: 2 } } };

/** A file that comes by a real drop event. */
async function drop(page, name, text, target = ".drop") {
  const transfer = await page.evaluateHandle(([called, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], called));
    return data;
  }, [name, text]);
  await page.locator(target).dispatchEvent("drop", { dataTransfer: transfer });
}

export default async function ({ page, base, api, check, axe, shot }) {
  await api("PUT", "/v1/worlds/flow-start", {});
  await api("PUT", "/v1/worlds/flow-start/characters/钦灵", { display_name: "钦灵", persona: "You are 钦灵." });
  await page.goto(`${base}/#/`);
  await page.getByRole("heading", { name: "Connect a client" }).waitFor();
  const connect = page.getByRole("region", { name: "Connect a client" });
  await connect.getByRole("combobox", { name: "World" }).selectOption("flow-start");
  await connect.getByText("echo@钦灵").waitFor();
  const own = `${base}/worlds/flow-start/v1`;
  check("the address leads to the chosen world", (await connect.getByText(own, { exact: true }).count()) >= 1);
  await connect.getByRole("tab", { name: "OpenAI · Python" }).click();
  check("so does the recipe, without anything else to set", (await connect.locator(".recipes pre").textContent()).includes(`base_url="${own}"`) && !(await connect.locator(".recipes pre").textContent()).includes("X-Reverie-World"));
  check("it says kindly that echo answers", (await connect.getByText("No provider is set up yet").count()) === 1);
  await connect.getByRole("tab", { name: "MCP" }).click();
  check("MCP has its recipe", (await connect.getByText("mcpServers").count()) === 2 && (await connect.getByText('pass world "flow-start"').count()) === 1);
  await axe("start");
  await shot("start");

  await connect.getByRole("link", { name: "Enter a provider’s address and key" }).click();
  const provider = page.locator("form.connection").first();
  await provider.locator("input[inputmode=url]:focus").waitFor();
  check("whoever is to enter a provider is led to its address", (await provider.getAttribute("data-connection")) === "upstream");
  await page.goto(`${base}/#/`);
  await page.getByRole("heading", { name: "Connect a client" }).waitFor();

  const bring = page.getByRole("region", { name: "Bring what you have" });
  await drop(page, "vesna.json", JSON.stringify(CARD));
  await bring.getByText("The card of Vesna <b>").waitFor();
  await bring.getByLabel("Into which world?").selectOption("flow-start");
  check("the name on the card is suggested", (await bring.getByLabel("Who shall wear the card?").inputValue()) === "Vesna <b>");
  await bring.getByLabel("Who shall wear the card?").fill("vesna");
  await bring.getByRole("button", { name: "Bring it in" }).click();
  await bring.getByRole("link", { name: "Open Vesna <b>" }).waitFor();
  await connect.getByRole("combobox", { name: "Who answers" }).getByRole("option", { name: "Vesna" }).waitFor({ state: "attached" });
  check("whoever came can be chosen, and who was chosen stays", (await connect.getByRole("combobox", { name: "Who answers" }).inputValue()) === "钦灵");
  const vesna = await api("GET", "/v1/worlds/flow-start/characters/vesna");
  check("the character has the card's persona", vesna.persona.includes("every secret"));
  check("markup in a name is text", (await page.locator(".arrival b").count()) === 0);

  await drop(page, "valley.json", JSON.stringify(BOOK));
  await bring.getByText("A world book. Entries: 2.").waitFor();
  await bring.getByLabel("For whom is the book?").getByRole("option", { name: "Vesna" }).waitFor({ state: "attached" });
  check("a book can be for somebody who has just come", true);
  await bring.getByRole("button", { name: "Bring it in" }).click();
  await bring.getByText("flow-start uses “valley” now.").waitFor();
  const lore = await api("GET", "/v1/worlds/flow-start/lore");
  check("the book is part of the world", lore.books.some((one) => one.book === "valley"));

  await drop(page, "notes.txt", "just words", "h1"); // Beside the field: the whole page takes files.
  await bring.getByText("Plain text, which cannot be brought in.").waitFor();
  await axe("files");

  await drop(page, "paper.pdf", "%PDF-1.7\n1 0 obj", "h1");
  await bring.getByText("A PDF, which cannot be brought in.").waitFor();
  check("a PDF is no plain text", true);

  const chat = [{ user_name: "Tom", character_name: "Vesna", chat_metadata: {} }, { name: "Tom", is_user: true, mes: "Is the oven warm?", send_date: "2024-05-01T10:00:00Z" }, { name: "Vesna", is_user: false, mes: "It has been warm since four.", send_date: "2024-05-01T10:01:00Z" }];
  await drop(page, "Vesna - morning.jsonl", chat.map((line) => JSON.stringify(line)).join("\n"));
  await bring.getByText("A chat of SillyTavern: Tom and Vesna.").waitFor();
  await bring.getByRole("button", { name: "Bring it in" }).click();
  await bring.getByText("2 lines, every version of an answer (swipe) counted; 2 of them new.").waitFor();
  check("the chat can be opened", (await bring.getByRole("link", { name: "Open the conversation" }).count()) === 1);

  const exported = await page.evaluate(async () => (await fetch("v1/worlds/flow-start/export?format=save")).text());
  await drop(page, "slot1.save", exported);
  await bring.getByText("A whole world, as Reverie saved it.").waitFor();
  check("a world of the same name gets another one", (await bring.getByLabel("Name of the new world").last().inputValue()) === "flow-start-2");
  await bring.getByRole("button", { name: "Bring it in" }).click();
  await bring.getByText("The world flow-start-2 is there.").waitFor();

  const first = page.getByRole("region", { name: "Make a first world" });
  await first.getByRole("textbox", { name: "Name of the world" }).fill("flow-first");
  await first.getByRole("button", { name: "Next" }).click();
  await first.getByRole("textbox", { name: "Name", exact: true }).fill("Mira");
  await first.getByRole("button", { name: "Next" }).click();
  await first.getByRole("button", { name: "Fill in an example" }).click();
  await first.getByRole("button", { name: "Say it" }).click();
  await first.getByText("Mira remembers:").waitFor();
  check("what was said is remembered", (await first.getByText("she only eats salmon").count()) === 1);
  await shot("first-world");
  await first.getByRole("link", { name: "Memories of Mira" }).click();
  await page.waitForURL(/worlds\/flow-first\/characters\/Mira/);

  // A file that is dropped where nothing takes it is not opened by the browser, but shown the way to Start.
  for (const place of ["worlds/flow-start", "worlds/flow-start/characters/vesna", "worlds/flow-start/map", "worlds/flow-start/conversations", "health"]) {
    await page.goto(`${base}/#/${place}`);
    await page.locator("main:not(.loading) .page").waitFor();
    const isOpened = await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([JSON.stringify({ spec: "chara_card_v2", data: { name: "Stray", description: "Came by itself.", first_mes: "" } })], "stray.json"));
      const events = ["dragover", "drop"].map((name) => new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      return events.some((event) => document.querySelector("main .page").dispatchEvent(event));
    });
    const question = page.getByRole("dialog", { name: "Bring it in on Start?" });
    await question.getByText("character card").waitFor();
    check(`a file dropped on ${place} is not opened in its place`, !isOpened);
    if (place !== "health") await question.getByRole("button", { name: "Cancel" }).click();
    else await question.getByRole("button", { name: "To Start" }).click();
  }
  await bring.getByText("The card of Stray.").waitFor();
  check("but taken to Start", true);

  // What is odd about a file is said in the language of the page.
  await page.goto(`${base}/#/`);
  await page.getByRole("button", { name: "简体中文" }).click();
  await page.getByRole("heading", { name: "连接客户端" }).waitFor();
  await drop(page, "odd.json", JSON.stringify({ entries: { 0: { uid: 0, key: ["x"], content: "y", order: "first" }, 1: { uid: 0, key: ["z"], content: "y" } } }));
  await page.getByText("世界书，2 个条目。").waitFor();
  await page.getByRole("button", { name: "导入", exact: true }).click();
  await page.getByText("需要留意的地方").click();
  const odd = await page.locator(".outcome li").allTextContents();
  check(`warnings are in Chinese (${odd.join(" | ")})`, odd.length >= 2 && odd.every((one) => /[\u4e00-\u9fff]/.test(one) && !/ is | has /.test(one)));
}
