// Somebody looks on while a chat goes on, goes through its versions and branches, and corrects what was said.

export default async function ({ page, base, api, check, axe, shot }) {
  const world = "/v1/worlds/w-talk";
  await api("PUT", world, { settings: { language: "en" } });
  for (const [id, name] of [["ann", "Ann"], ["bo", "Bo"], ["cy", "Cy"]]) await api("PUT", `${world}/characters/${id}`, { display_name: name });
  await api("POST", `${world}/conversations`, { id: "inn", participants: ["ann", "bo", "cy"] });
  const talk = `${world}/conversations/inn`;
  const said = (...lines) => api("POST", `${talk}/lines`, { lines: lines.map(([speaker, content, more]) => ({ speaker, attribute: speaker === "ann" ? "user" : "assistant", content, ...more })) });
  for (let page = 0; page < 10; page++) await said(...Array.from({ length: 100 }, (_, index) => [index % 2 ? "bo" : "ann", `Early line ${page * 100 + index + 1}.`]));
  await said(["ann", "Is anybody listening? <b onclick=alert(1)>no</b>"], ["bo", "Not a word to Cy.", { witnesses: ["ann", "bo"], emotion: "worried", action: "leans over" }]);
  const { lines: [answer] } = await said(["cy", "What are you two whispering?"]);
  await api("POST", `${talk}/lines`, { swipe_of: answer.id, lines: [{ speaker: "cy", attribute: "assistant", content: "I heard nothing at all." }] });
  await said(["ann", "Good night."]);

  await page.goto(`${base}/#/worlds/w-talk/conversations`);
  await page.getByRole("link", { name: /Ann, Bo, Cy/ }).click();
  await page.getByRole("heading", { level: 1, name: "Ann, Bo, Cy" }).waitFor();
  await page.getByText("Good night.").last().waitFor();
  check("a conversation opens at its end", await page.locator(".line", { hasText: "Good night." }).isVisible());
  check("only what is near is in the page", (await page.locator(".line").count()) < 300);
  check("a whisper is seen as such", await page.locator(".line.whisper").getByText("whisper, not heard by Cy").isVisible());
  check("what people say is text", await page.getByText("<b onclick=alert(1)>no</b>").isVisible());

  await page.getByLabel("Whose view").selectOption({ label: "As Cy saw it" });
  await page.locator(".line.whisper").waitFor({ state: "detached" });
  await page.getByText("Good night.").last().waitFor();
  check("through the eyes of one, a whisper to others is not there", (await page.getByText("Not a word to Cy.").count()) === 0);
  await page.getByLabel("Whose view").selectOption({ label: "Everything" });
  await page.locator(".line.whisper").waitFor();

  // Live, and the view follows.
  await said(["bo", "One more thing."]);
  await page.locator(".line", { hasText: "One more thing." }).waitFor({ timeout: 5000 });
  check("a new line appears, and the view follows", await page.locator(".stream").evaluate((one) => one.isAtEnd()));
  await page.locator(".stream").evaluate((one) => { one.scrollTop -= 2500; });
  await page.getByRole("button", { name: "Newest ↓" }).waitFor();
  const before = await page.locator(".stream").evaluate((one) => one.seen()[0].id);
  await said(["ann", "While you read above."]);
  await page.waitForFunction(() => document.querySelector(".stream").lines().at(-1).content === "While you read above.");
  check("who reads above is left there", (await page.locator(".stream").evaluate((one) => one.seen()[0].id)) === before);
  await page.getByRole("button", { name: "Newest ↓" }).click();
  await page.locator(".line", { hasText: "While you read above." }).waitFor();

  // Versions, with a way back.
  const line = (words) => page.locator(".line", { hasText: words });
  await line("I heard nothing at all.").getByRole("button", { name: "Previous version" }).click();
  await line("What are you two whispering?").waitFor();
  check("a swipe is switched", (await api("GET", talk)).head === answer.id);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await line("While you read above.").waitFor();
  check("and taken back", true);
  await page.getByRole("button", { name: "Branches" }).click();
  await page.getByText("One fork in").waitFor();
  await axe("branches");
  await page.getByRole("button", { name: "Go there" }).click();
  await line("What are you two whispering?").waitFor();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await line("While you read above.").waitFor();
  check("a branch is entered and left", true);

  // Reword, hide, delete.
  await line("Good night.").hover();
  await line("Good night.").getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Words").fill("Good night, all.");
  await page.getByRole("button", { name: "Save" }).click();
  await line("Good night, all.").getByText("edited").waitFor();
  check("a line is reworded", true);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await line("Good night, all.").waitFor({ state: "detached" });
  await line("Good night.").getByRole("button", { name: "Hide from prompts" }).click();
  await line("Good night.").getByText("hidden from prompts").waitFor();
  check("a line is hidden", true);
  await line("One more thing.").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await line("One more thing.").waitFor({ state: "detached" });
  check("a line is deleted after a question", true);

  // By hand, as somebody else, and as another version.
  await page.getByLabel("Speaker").selectOption({ label: "Cy" });
  check("whoever spoke as a character is proposed as one", (await page.getByLabel("In which capacity").inputValue()) === "assistant");
  await page.getByLabel("Speaker").selectOption({ label: "Ann" });
  check("and the user as the user", (await page.getByLabel("In which capacity").inputValue()) === "user");
  await page.getByLabel("Speaker").selectOption({ label: "Cy" });
  await page.getByRole("textbox", { name: "Write a line" }).fill("I write this myself.");
  await page.getByRole("button", { name: "Record" }).click();
  await line("I write this myself.").waitFor();
  await line("I write this myself.").hover();
  await line("I write this myself.").getByRole("button", { name: "Write another version" }).click();
  await page.getByRole("textbox", { name: "Write a line" }).fill("Or rather this.");
  await page.getByRole("button", { name: "Record" }).click();
  await line("Or rather this.").getByText("2 / 2").waitFor();
  check("a line is written by hand, and another version of it", true);
  await line("Or rather this.").getByRole("button", { name: "Previous version" }).click();
  await line("I write this myself.").getByText("1 / 2").waitFor();
  await page.locator(".toast").last().waitFor();
  check("what is told leaves the last line and the composer free", await page.evaluate(() => {
    const [toast, line, composer] = [".toasts", ".stream .line", ".composer"].map((one) => [...document.querySelectorAll(one)].at(-1).getBoundingClientRect());
    return line.bottom <= toast.bottom - document.querySelector(".toast:last-child").offsetHeight && toast.bottom <= composer.top;
  }));
  await page.getByRole("button", { name: "Undo" }).last().click();
  await line("Or rather this.").getByText("2 / 2").waitFor();

  // From a line to what is remembered of it, and back.
  await api("POST", `${world}/digest`, {});
  await line("Not a word to Cy.").hover();
  await line("Not a word to Cy.").getByRole("button", { name: "Memories made of this line" }).click();
  const memories = page.getByRole("dialog");
  await memories.getByText("Remembered by").first().waitFor();
  check("the memories of a line name those who have them", (await memories.getByRole("link", { name: "Bo" }).count()) > 0 && (await memories.getByRole("link", { name: "Cy" }).count()) === 0);
  await memories.getByRole("button", { name: "Close" }).click();

  // Far back, by address; and rounds.
  await page.goto(`${base}/#/worlds/w-talk/conversations/inn?line=400`);
  await line("Early line 400.").waitFor();
  check("a line far back is found by its address", await line("Early line 400.").isVisible());
  await page.goto(`${base}/#/worlds/w-talk/conversations/inn?line=${answer.id}`);
  await page.getByText("This line is not on the active path").waitFor();
  await page.getByRole("button", { name: "Go there" }).click();
  await line("What are you two whispering?").waitFor();
  check("a line on another branch is told, and gone to", true);
  await page.getByRole("button", { name: "Rounds" }).click();
  await page.getByRole("dialog").getByText("remembered").first().waitFor();
  await page.keyboard.press("Escape");
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export chat" }).click()]);
  check("the chat is saved as a file", file.suggestedFilename() === "Ann, Bo, Cy.jsonl");
  await axe("a conversation");
  await shot("conversation");

  // What the writer chose stays: whoever looks elsewhere, or sees somebody join, whispers all the same.
  await api("PUT", `${world}/characters/dee`, { display_name: "Dee" });
  await api("POST", `${world}/conversations`, { id: "hall", name: "The hall", participants: ["ann", "bo", "cy"] });
  const hall = `${world}/conversations/hall`;
  for (let number = 1; number <= 6; number++) await api("POST", `${hall}/lines`, { lines: [{ speaker: number % 2 ? "ann" : "bo", attribute: number % 2 ? "user" : "assistant", content: `Hall ${number}.` }] });
  await page.goto(`${base}/#/worlds/w-talk/conversations/hall`);
  await line("Hall 6.").waitFor();
  const composer = page.locator(".composer");
  const words = page.getByRole("textbox", { name: "Write a line" });
  const heard = () => composer.locator(".check input[value]:checked").evaluateAll((all) => all.map((one) => one.value).join());
  await words.fill("Not for Cy.");
  await composer.getByText("Emotion, action, time, who hears it").click();
  await composer.getByLabel("Cy", { exact: true }).uncheck();
  await composer.getByLabel("Bo", { exact: true }).uncheck();
  await composer.getByLabel("Game time (tick)").fill("42");
  await composer.getByLabel("Keep it out of prompts").check();
  check("it is told who will hear it", await composer.getByText("A whisper to Ann; Bo, Cy will not hear it.").isVisible());
  await page.getByRole("link", { name: "Worlds", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Worlds" }).waitFor();
  await page.goBack();
  await line("Hall 6.").waitFor();
  check("a whisper that is being written stays one", (await words.inputValue()) === "Not for Cy." && (await heard()) === "ann" && (await composer.getByLabel("Game time (tick)").inputValue()) === "42" && (await composer.getByLabel("Keep it out of prompts").isChecked()));
  await api("PUT", `${hall}/present`, { present: ["ann", "bo", "cy", "dee"] });
  await composer.getByLabel("Dee", { exact: true }).waitFor();
  check("whoever joins does not hear it", (await heard()) === "ann" && (await composer.getByText("Bo, Cy, Dee will not hear it.").isVisible()));
  check("and has a view", (await page.getByLabel("Whose view").locator("option", { hasText: "As Dee saw it" }).count()) === 1);
  await page.getByRole("button", { name: "Record" }).click();
  await line("Not for Cy.").waitFor();
  const recorded = (await api("GET", `${hall}/lines?newest=true&limit=1`)).items[0];
  check("and it is recorded so", recorded.witnesses.join() === "ann" && recorded.tick === 42 && recorded.hidden === true);
  await line("Not for Cy.").hover();
  await line("Not for Cy.").getByRole("button", { name: "Write another version" }).click();
  check("another version of a whisper is for those who heard it", (await heard()) === "ann" && (await composer.getByText("Bo, Cy, Dee will not hear it.").isVisible()));
  await words.fill("Nor is this.");
  await page.getByRole("button", { name: "Record" }).click();
  await line("Nor is this.").getByText("2 / 2").waitFor();
  check("and is recorded so", (await api("GET", `${hall}/lines?newest=true&limit=1`)).items[0].witnesses.join() === "ann");
  await line("Nor is this.").getByRole("button", { name: "Previous version" }).click();
  await line("Not for Cy.").getByText("1 / 2").waitFor();
  check("the next line is for all again", (await heard()) === "ann,bo,cy,dee" && (await composer.locator(".whisper-note").isHidden()));
  await line("Hall 6.").hover();
  await line("Hall 6.").getByRole("button", { name: "Write another version" }).click();
  await words.fill("Hall 6, otherwise.");
  await page.getByRole("link", { name: "Worlds", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Worlds" }).waitFor();
  await page.goBack();
  await line("Hall 6.").waitFor();
  check("another version that is being written stays one", await composer.getByText("Another version of “Hall 6.”").isVisible());
  await page.getByRole("button", { name: "Record" }).click();
  await line("Hall 6, otherwise.").getByText("2 / 2").waitFor();
  for (const [name, shown] of [["Previous version", "Hall 6."], ["Next version", "Hall 6, otherwise."], ["Previous version", "Hall 6."]]) {
    await page.locator(".line", { hasText: "Hall 6" }).getByRole("button", { name }).click();
    await line(shown).waitFor();
  }
  // Pointed at, not only scrolled to: that waits for a row that is drawn anew meanwhile.
  await line("Not for Cy.").hover();
  await line("Not for Cy.").getByText("1 / 2").waitFor();
  check("whoever is there on that path hears what is said next", (await heard()) === "ann,bo,cy,dee");
  check("whoever comes back to a version finds what was chosen further down", true);
  await line("Hall 6.").getByRole("button", { name: "Next version" }).click();
  await line("Hall 6, otherwise.").getByText("2 / 2").waitFor();

  // What was said behind the line that one went back to is a branch.
  await line("Hall 2.").hover();
  await line("Hall 2.").getByRole("button", { name: "Go back to here" }).click();
  await line("Hall 3.").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Branches" }).click();
  const tree = page.getByRole("dialog", { name: "Branches" });
  await tree.getByText("The active path ends before the last line").waitFor();
  check("the active path ends at the head", (await tree.locator(".branch.active").allTextContents()).join().includes("2 lines"));
  await tree.locator(".branch", { hasText: "Hall 3." }).getByRole("button", { name: "Go there" }).click();
  await line("Hall 6, otherwise.").waitFor();
  check("what came behind is reached again", true);

  // A round that is broken off takes answers away for good: that is asked first.
  await api("POST", `${world}/conversations`, { id: "yard", participants: ["ann", "bo"] });
  const yard = `${world}/conversations/yard`;
  const round = await api("POST", `${yard}/rounds`, {});
  await api("POST", `${yard}/lines`, { lines: [{ speaker: "ann", attribute: "user", content: "Shall I go on?", round: round.id }, { speaker: "bo", attribute: "assistant", content: "Perhaps not.", round: round.id }] });
  await page.goto(`${base}/#/worlds/w-talk/conversations/yard`);
  await line("Perhaps not.").waitFor();
  await page.getByRole("button", { name: "Rounds" }).click();
  const abort = page.getByRole("dialog", { name: "Rounds" }).getByRole("button", { name: "Break off" });
  await abort.click();
  const question = page.getByRole("dialog", { name: "Break off round 1?" });
  await question.getByRole("button", { name: "Cancel" }).click({ timeout: 5000 });
  const state = async () => (await api("GET", `${yard}/rounds`)).items.find((one) => one.id === round.id).state;
  check("breaking off a round is asked about", (await state()) === "open");
  await abort.click();
  await question.getByRole("button", { name: "Break off" }).click();
  await page.getByText("The round broke off").waitFor();
  check("and done", (await state()) !== "open");
  await page.keyboard.press("Escape");
  await line("Perhaps not.").waitFor({ state: "detached" });

  await page.setViewportSize({ width: 390, height: 844 });
  check("all that can be done is in view on a narrow screen", await page.evaluate(() => [...document.querySelectorAll(".talk .head .actions > *")].every((one) => one.getBoundingClientRect().right <= innerWidth) && document.querySelector(".talk .head .actions").scrollWidth <= document.querySelector(".talk .head .actions").clientWidth));
  await page.setViewportSize({ width: 360, height: 720 });
  check("nothing goes sideways on a narrow screen", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.querySelector("main").scrollWidth <= innerWidth));
}
