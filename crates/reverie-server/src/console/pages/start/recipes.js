// How is it written in the programs that people use? Short: the guides have the rest.

import { address } from "../../api.js";
import { h, replace } from "../../dom.js";
import { snippet } from "../../parts/snippet.js";
import { tabs } from "../../parts/tabs.js";
import { t } from "../../words.js";

/** Open where the person left it. */
let last = "tavern";

export function recipes(facts) {
  const kinds = [
    ["tavern", "SillyTavern", tavern],
    ["python", "OpenAI · Python", python],
    ["javascript", "OpenAI · JavaScript", javascript],
    ["mcp", "MCP", mcp],
    ["other", t("start.otherClients"), other],
  ];
  const panel = h("div", {});
  const draw = (key) => {
    last = key;
    replace(panel, kinds.find(([kind]) => kind === key)[2](facts));
  };
  const bar = tabs(t("start.recipes"), kinds.map(([key, label]) => [key, label]), panel, draw);
  bar.select(last);
  return [bar, panel];
}

const step = (key, ...more) => h("li", {}, h("span", {}, t(key)), more);
const quoted = (text) => JSON.stringify(text);
const code = (text) => [" ", h("code", {}, text)];

function tavern({ base, key, hasToken, model }) {
  const body = `reverie:\n  character: "{{char}}"\n  user: "{{user}}"`;
  return h("ol", { class: "steps-list" },
    step("start.tavern1"),
    step("start.tavern2", code(base)),
    step(hasToken ? "start.tavern3token" : "start.tavern3", hasToken && code(`${key.slice(0, 5)}…`)),
    step("start.tavern4", code(model)),
    step("start.tavern5", snippet(body)));
}

function python({ base, name, ...facts }) {
  return [h("p", {}, t("start.sdk")), withKey(facts, (key) => `from openai import OpenAI\n\nclient = OpenAI(\n    base_url=${quoted(base)},\n    api_key=${quoted(key)},\n)\nanswer = client.chat.completions.create(\n    model=${quoted(name)},\n    messages=[{"role": "user", "content": "My cat is called Miso."}],\n)\nprint(answer.choices[0].message.content)`)];
}

function javascript({ base, name, ...facts }) {
  return [h("p", {}, t("start.sdk")), withKey(facts, (key) => `import OpenAI from "openai";\n\nconst client = new OpenAI({\n  baseURL: ${quoted(base)},\n  apiKey: ${quoted(key)},\n});\nconst answer = await client.chat.completions.create({\n  model: ${quoted(name)},\n  messages: [{ role: "user", content: "My cat is called Miso." }],\n});\nconsole.log(answer.choices[0].message.content);`)];
}

function mcp({ world, character, ...facts }) {
  const http = (key) => ({ mcpServers: { memory: { type: "http", url: address("/mcp"), ...(facts.hasToken ? { headers: { Authorization: `Bearer ${key}` } } : {}) } } });
  const started = { mcpServers: { memory: { command: "reverie", args: ["mcp", "--world", world || "home", "--character", character || "assistant"] } } };
  const told = t("start.mcpTell", { world: world || "home", character: character || "assistant" });
  return [h("p", {}, t("start.mcpHttp")), withKey(facts, (key) => JSON.stringify(http(key), null, 2)), h("p", {}, t("start.mcpWorld")), snippet(told), h("p", {}, t("start.mcpProgram")), snippet(JSON.stringify(started, null, 2))];
}

function other({ world, character }) {
  const file = `[keys.my-client]\ntoken = "rv_…"            # “reverie token” makes one\nworld = ${quoted(world || "default")}\ncharacter = ${quoted(character || "assistant")}`;
  return [h("p", {}, t("start.other")), snippet(file), h("p", { class: "hint" }, t("start.otherHint"))];
}

/** A token stands on the screen only where somebody asked for it; what is copied has it, and works. */
const withKey = ({ key, hasToken }, text) => snippet(text(hasToken ? "rv_…" : key), { copied: text(key) });
