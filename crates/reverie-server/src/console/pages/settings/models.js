// Which models are there, and do they answer? They are configured for the server, not for a world.

import { get, post } from "../../api.js";
import { h, replace } from "../../dom.js";
import { copyButton } from "../../parts/copy.js";
import { guarded } from "../../parts/toast.js";
import { number, t } from "../../words.js";

/** As docs/guides/models.md has them. */
const PROVIDERS = {
  Ollama: { url: "http://127.0.0.1:11434", model: "qwen2.5:7b", embed: "bge-m3" },
  OpenAI: { url: "https://api.openai.com/v1", model: "gpt-4.1-mini", key: true, embed: "text-embedding-3-small" },
  DeepSeek: { url: "https://api.deepseek.com", model: "deepseek-chat", key: true },
  "llama.cpp": { url: "http://127.0.0.1:8080", model: "any" },
  vLLM: { url: "http://127.0.0.1:8000/v1", model: "as given to --model" },
  Gemini: { api: "gemini", model: "gemini-2.5-flash", key: true, embed: "gemini-embedding-001" },
};

function snippet(name, withEmbedding) {
  const { url, api, model, key, embed } = PROVIDERS[name];
  const table = (title, its) => [`[${title}]`, api ? `api = "${api}"` : `url = "${url}"`, `model = "${its}"`, key && 'key = "…"'].filter(Boolean).join("\n");
  return [table("models.chat", model), withEmbedding && embed && table("models.embedding", embed)].filter(Boolean).join("\n\n");
}

export function modelsPanel({ signal }) {
  const found = h("div", { class: "stack", "aria-live": "polite" });
  const spend = h("p", { class: "hint" });
  const button = h("button", { type: "button", class: "primary", onclick: guarded(async () => {
    button.disabled = true;
    replace(found, h("p", { class: "hint" }, t("models.testing")));
    try {
      const { models } = await post("/v1/models/test", {}, { signal });
      replace(found, models.length ? models.map(one) : howTo());
    } catch (error) {
      replace(found);
      throw error;
    } finally {
      button.disabled = false;
    }
  }) }, t("models.test"));

  // Whether there is any is told by what is depended upon, without asking one.
  get("/health", undefined, { signal }).then((health) => {
    const isAny = health.models?.driver !== "off" || (health.dependencies ?? []).some((one) => one.name.startsWith("models."));
    if (!isAny && !found.firstChild) replace(found, howTo());
    const { input_tokens = 0, output_tokens = 0 } = health.models?.spend ?? {};
    if (input_tokens + output_tokens > 0) spend.textContent = t("models.spend", { input: number(input_tokens), output: number(output_tokens) });
  }, () => {});

  return h("div", { class: "setting models", dataset: { key: "models" } }, h("p", { class: "actions" }, button), found, spend);
}

function one({ name, well, message, hint, server_said, offered, dimensions }) {
  return h("div", { class: "model-test" },
    h("p", {}, h("code", {}, name), " ", h("span", { class: well ? "chip good" : "chip bad" }, t(well ? "models.well" : "models.unwell")), dimensions && h("span", { class: "chip" }, t("models.dimensions", { n: dimensions }))),
    h("p", {}, message),
    hint && h("p", { class: "hint" }, hint),
    server_said && h("pre", {}, server_said),
    offered?.length > 0 && h("p", { class: "hint" }, t("models.offered", { names: offered.join(", ") })));
}

function howTo() {
  const text = h("code", {});
  const copy = h("span", {});
  const embed = h("input", { type: "checkbox", onchange: () => draw() });
  const choice = h("select", { "aria-label": t("models.provider"), onchange: () => draw() }, Object.keys(PROVIDERS).map((name) => h("option", { value: name }, name)));
  function draw() {
    embed.disabled = !PROVIDERS[choice.value].embed;
    text.textContent = snippet(choice.value, embed.checked);
    replace(copy, copyButton(text.textContent));
  }
  draw();
  return [
    h("p", {}, t("models.none")),
    h("p", {}, t("models.where")),
    h("p", { class: "bar" }, choice, h("label", { class: "check" }, embed, h("span", {}, t("models.embed")))),
    h("div", { class: "models-file" }, h("pre", {}, text), copy),
  ];
}
