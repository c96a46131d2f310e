// The plugin of docs/guides/koishi.md, as it stands there, in a real Koishi against the real binary and its model `echo`: does it do
// what the guide says?
//
// Environment: REVERIE (address), GUIDE (the page). Run from a folder in which Koishi is installed.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";

const { REVERIE, GUIDE } = process.env;
const require = createRequire(`${process.cwd()}/`);
const { Context, h } = require("koishi");
const { default: mock } = require("@koishijs/plugin-mock");

const [, code] = readFileSync(GUIDE, "utf8").match(/```js\n(.*?)```/s);
writeFileSync("reverie.cjs", code);
const plugin = require(`${process.cwd()}/reverie.cjs`);

// 1 and 2 are in the tea group; 3 comes to the other one.
const MEMBERS = { tea: ["514", "1", "2"], chess: ["514", "1", "3"] };
const NAMES = { 1: "小明", 2: "小红", 3: "Wei" };

const start = async (config) => {
  const app = new Context({ nickname: ["钦灵"] });
  app.plugin(mock);
  app.plugin(plugin, plugin.Config(config));
  const others = [];
  app.middleware((session, next) => (others.push(session.content), next()));
  await app.start();
  const [bot] = app.bots;
  bot.getGuildMemberList = async (guild) => ({ data: MEMBERS[guild].map((id) => ({ user: { id } })) });
  const of = (user, group) => {
    const client = bot.client(user, group);
    client.event.user.name = NAMES[user];
    return client;
  };
  return { app, bot, of, others };
};

const ask = async (path, body) => {
  const answer = await fetch(`${REVERIE}/v1/worlds/tea-bot${path}`, body && { method: "POST", body: JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
};
const conversation = async (wanted) => (await ask("/conversations")).items.find(wanted);
const linesOf = async ({ id }) => (await ask(`/conversations/${id}/lines`)).items;
const group = (name) => conversation((one) => one.name === `mock:${name}`);

const { app, bot, of } = await start({ url: REVERIE, world: "tea-bot", name: "钦灵" });
const dialogues = [];
app.on("reverie/after-dialogue", (session, dialogue) => dialogues.push(dialogue));

const checks = {
  async what_is_said_in_a_group_is_recorded_before_everybody() {
    assert.deepEqual(await of("1", "tea").receive("周五聚餐吗？"), []);
    const [line, ...more] = await linesOf(await group("tea"));
    assert.deepEqual(more, []);
    assert.deepEqual([line.speaker, line.display_name, line.content], ["mock:1", "小明", "周五聚餐吗？"]);
    assert.deepEqual(line.witnesses, ["bot", "mock:1", "mock:2"]);
  },
  async the_bot_answers_who_addresses_it_and_its_answer_is_recorded() {
    const [answer] = await of("2", "tea").receive('<at id="514"/> 我对花生过敏，别点宫保鸡丁 &lt;3');
    assert.equal(answer, "小明：周五聚餐吗？\n小红：我对花生过敏，别点宫保鸡丁 <3");
    const lines = await linesOf(await group("tea"));
    assert.deepEqual(lines.map((line) => line.speaker), ["mock:1", "mock:2", "bot"]);
    assert.equal(lines[1].content, "我对花生过敏，别点宫保鸡丁 <3");
    assert.equal(dialogues.length, 1);
    assert.equal((await of("1", "tea").receive("钦灵，你呢？")).length, 1);
  },
  async a_message_that_comes_twice_is_answered_once() {
    const before = (await linesOf(await group("tea"))).length;
    const client = of("1", "tea");
    const twice = () =>
      new Promise((done) => {
        const [id, content] = ["same-id", "钦灵，再说一次"];
        const session = bot.receive({ ...client.event, message: { id, content, elements: h.parse(content) } }, client);
        const off = app.on("middleware", (ended) => ended.id === session && (off(), done()));
      });
    await twice();
    await twice();
    assert.equal((await linesOf(await group("tea"))).length, before + 2);
  },
  async what_was_heard_is_recalled_where_all_have_heard_it_and_nowhere_else() {
    await ask("/digest", { now: true });
    // What stands in the prompt as background is not told again as a memory.
    const settings = { prompt: { background_lines: 0 } };
    const set = await fetch(`${REVERIE}/v1/worlds/tea-bot`, { method: "PUT", body: JSON.stringify({ settings }) });
    assert.ok(set.ok, `settings: ${set.status}`);
    const question = "点宫保鸡丁可以吗，谁对花生过敏？";
    assert.equal((await of("2").receive(question)).length, 1);
    const said = dialogues.at(-1).memories.map((memory) => memory.text).join("\n");
    assert.match(said, /小红.*我对花生过敏.*\n钦灵/);
    assert.equal((await of("1", "chess").receive(`钦灵，${question}`)).length, 1);
    assert.deepEqual(dialogues.at(-1).memories, []);
    const [line] = await linesOf(await conversation((one) => !one.name && one.participants.includes("mock:2")));
    assert.deepEqual(line.witnesses, ["bot", "mock:2"]);
  },
  async other_plugins_go_on_while_reverie_is_away() {
    const nobody = createServer().listen(0, "127.0.0.1");
    await once(nobody, "listening");
    const { port } = nobody.address();
    nobody.close();
    await once(nobody, "close");
    const away = await start({ url: `http://127.0.0.1:${port}`, world: "tea-bot" });
    assert.deepEqual(await away.of("1", "tea").receive("钦灵，在吗？"), []);
    assert.deepEqual(away.others, ["钦灵，在吗？"]);
  },
};

let failed = false;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    failed = true;
    console.log(`FAILED ${name}: ${error.message.replaceAll("\n", " ")}`);
  }
}
process.exit(failed ? 1 : 0);
