// The OpenAI SDK for JavaScript against the real proxy in front of a real model: does it notice anything but the memory?
//
// Environment: REVERIE (address), UPSTREAM (the model's own address), RECORD (what the upstream was sent, a line each).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { default: OpenAI } = await import(createRequire(`${process.cwd()}/`).resolve("openai"));
const { REVERIE, UPSTREAM, RECORD } = process.env;
const MODEL = "SmolLM2-135M-Instruct";
const of = (address) => new OpenAI({ baseURL: `${address}/v1`, apiKey: "none", maxRetries: 0, timeout: 300_000 });
const client = of(REVERIE);
const short = { model: `${MODEL}@钦灵`, user: "莱姆", max_tokens: 12, temperature: 0 };
const weather = {
  type: "function",
  function: {
    name: "weather",
    description: "The weather in a town",
    parameters: { type: "object", properties: { town: { type: "string" } }, required: ["town"] },
  },
};
const cat = {
  type: "json_schema",
  json_schema: {
    name: "cat",
    strict: true,
    schema: {
      type: "object",
      properties: { name: { type: "string", maxLength: 12 }, age: { type: "integer" } },
      required: ["name", "age"],
      additionalProperties: false,
    },
  },
};

const lastRequest = () => JSON.parse(readFileSync(RECORD, "utf8").trimEnd().split("\n").at(-1));
const said = (content) => [{ role: "user", content }];

const checks = {
  async chat() {
    const { data, response } = await client.chat.completions
      .create({ ...short, messages: said("早上好，钦灵！") })
      .withResponse();
    assert.match(response.headers.get("x-reverie-memory") ?? "", /^on/);
    assert.equal(data.choices[0].message.role, "assistant");
    assert.equal(lastRequest().model, MODEL);
  },
  async stream() {
    const stream = await client.chat.completions.create({ ...short, messages: said("Count to five."), stream: true });
    let pieces = 0;
    for await (const piece of stream) pieces += piece.choices[0]?.delta?.content ? 1 : 0;
    assert.ok(pieces > 1, `${pieces} pieces`);
  },
  async tools() {
    const messages = said("What is the weather in Paris?");
    await client.chat.completions.create({ ...short, messages, tools: [weather], tool_choice: "auto" });
    const sent = lastRequest();
    assert.deepEqual([sent.tools, sent.tool_choice], [[weather], "auto"]);
  },
  async json_schema() {
    const completion = await client.chat.completions.create({
      ...short,
      max_tokens: 40,
      messages: said("Make up a cat."),
      response_format: cat,
    });
    assert.deepEqual(Object.keys(JSON.parse(completion.choices[0].message.content)).sort(), ["age", "name"]);
  },
  async errors() {
    const refused = (of) =>
      of.chat.completions.create({ model: MODEL, messages: [{ role: "user", content: 5 }] }).then(
        () => assert.fail("it was not refused"),
        (error) => ({ status: error.status, error: error.error }),
      );
    assert.deepEqual(await refused(client), await refused(of(UPSTREAM)));
  },
  // What is told to 钦灵 is recalled by 钦灵 in another conversation, and by nobody else.
  async another_conversation() {
    const within = (conversation) => ({ headers: { "X-Reverie-Conversation": conversation } });
    await client.chat.completions.create({ ...short, messages: said("我的猫叫味噌，她只吃三文鱼。") }, within("monday-js"));
    const digested = await fetch(`${REVERIE}/v1/worlds/default/digest`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"now":true}',
    });
    assert.ok(digested.ok);
    for (const [character, knows] of [["钦灵", true], ["风雪", false]]) {
      const model = `${MODEL}@${character}`;
      const ask = { ...short, model, messages: said("我的猫喜欢吃什么？") };
      await client.chat.completions.create(ask, within(encodeURIComponent(`星期五-${character}`)));
      const sent = JSON.stringify(lastRequest().messages);
      assert.equal(sent.includes("味噌"), knows, `${character}: ${sent}`);
    }
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
