// One server of models: where it is, with which key, and whether it answers. It is asked before it is saved. A key goes in and never comes back.

import { at, post, put, remove } from "../../api.js";
import { freshId, h, replace } from "../../dom.js";
import { confirm, field } from "../../parts/dialog.js";
import { guarded, say } from "../../parts/toast.js";
import { inWords, serverWords } from "../../parts/trouble.js";
import { listed, t } from "../../words.js";

/** As docs/guides/models.md has them. */
const PROVIDERS = {
  Ollama: { url: "http://127.0.0.1:11434", chat: "qwen2.5:7b", embedding: "bge-m3" },
  OpenAI: { url: "https://api.openai.com/v1", chat: "gpt-4.1-mini", embedding: "text-embedding-3-small" },
  DeepSeek: { url: "https://api.deepseek.com", chat: "deepseek-chat" },
  "llama.cpp": { url: "http://127.0.0.1:8080", chat: "any" },
  vLLM: { url: "http://127.0.0.1:8000/v1", chat: "" },
  Gemini: { url: "", api: "gemini", chat: "gemini-2.5-flash", embedding: "gemini-embedding-001" },
};
const HAS_MODEL = ["chat", "embedding"];
const TEST_MS = 120_000;

/** `first` as the API tells it; `file`: where the server keeps what is chosen. */
export function connectionForm(first, { file, signal }) {
  const { name } = first;
  const path = at`/v1/connections/${name}`;
  let now = first;
  const fits = Object.keys(PROVIDERS).filter((one) => name === "upstream" || PROVIDERS[one][name] !== undefined);

  const provider = h("select", { onchange: () => {
    const chosen = PROVIDERS[provider.value];
    if (!chosen) return;
    url.value = chosen.url;
    api.value = chosen.api ?? "";
    model.value = chosen[name] ?? "";
    edited();
  } }, h("option", { value: "" }, t("models.otherProvider")), fits.map((one) => h("option", { value: one }, one)));
  const url = h("input", { type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false", placeholder: "https://…/v1", oninput: () => edited() });
  const api = h("select", { onchange: () => edited() }, ["", "openai", "gemini"].map((one) => h("option", { value: one }, t(`models.api.${one || "auto"}`))));
  const offers = freshId("models");
  const offered = h("datalist", { id: offers });
  const model = h("input", { type: "text", list: offers, autocomplete: "off", spellcheck: "false", oninput: () => edited() });
  const key = h("input", { type: "password", autocomplete: "new-password", spellcheck: "false", oninput: () => edited() });
  const noKey = h("input", { type: "checkbox", onchange: () => { key.disabled = noKey.checked; edited(); } });
  const noKeyLabel = h("label", { class: "check" }, noKey, h("span", {}, t("models.noKey")));
  const dims = h("input", { type: "number", min: 1, max: 8192, step: 1, oninput: () => edited() });
  const keyField = field(t("models.key"), key, t("models.keyHint"));

  const chip = h("span", { class: "chip" });
  const from = h("p", { class: "hint" });
  const found = h("div", { class: "stack", "aria-live": "polite" });
  const test = h("button", { type: "button", onclick: guarded(() => ask()) }, t("models.test"));
  const save = h("button", { type: "submit", class: "primary" }, t("models.save"));
  const back = h("button", { type: "button", class: "quiet", onclick: guarded(reset) }, t("models.back"));
  const controls = [provider, url, api, model, key, noKey, dims, save];

  /** What stands in the fields. A key that nobody wrote is not spoken of. */
  function read() {
    const body = { url: url.value.trim(), api: api.value };
    if (HAS_MODEL.includes(name)) body.model = model.value.trim();
    if (name === "embedding" && dims.value !== "") body.dims = Number(dims.value);
    if (noKey.checked) body.key = null;
    else if (key.value !== "") body.key = key.value;
    for (const [part, value] of Object.entries(body)) if (value === "") delete body[part];
    return body;
  }

  function write(connection) {
    now = connection;
    url.value = now.url ?? "";
    // What follows from the address needs not be said.
    api.value = now.api === "gemini" && !now.url ? "gemini" : "";
    model.value = now.model ?? "";
    dims.value = now.dims ?? "";
    key.value = "";
    key.placeholder = now.has_key ? t("models.keyKept") : t("models.keyNone");
    noKey.checked = false;
    key.disabled = !now.can_be_chosen;
    noKeyLabel.hidden = !now.has_key;
    provider.value = fits.find((one) => PROVIDERS[one].url === (now.url ?? "-") && PROVIDERS[one].url) ?? "";
    for (const control of controls) control.disabled = !now.can_be_chosen;
    back.hidden = now.origin !== "chosen" || !now.can_be_chosen;
    test.disabled = now.origin === "none";
    chip.textContent = t(`models.origin.${now.origin}`);
    chip.classList.toggle("good", now.origin !== "none");
    from.textContent = now.origin === "environment" ? t("models.fixed", { names: listed(now.from) })
      : !now.can_be_chosen ? t("models.locked")
      : now.origin === "chosen" ? t("models.keptIn", { file })
      : now.origin === "file" ? t("models.inFile", { names: listed(now.from) })
      : t(`models.without.${name}`);
  }

  /** The first field that cannot be so, and why. */
  function unusable() {
    const address = url.value.trim();
    const isGemini = api.value === "gemini" && !address;
    if (!address && !isGemini) return [url, t("models.needsUrl")];
    if (address && !isAddress(address)) return [url, t("models.badUrl")];
    if (HAS_MODEL.includes(name) && !model.value.trim()) return [model, t("models.needsModel")];
    return null;
  }

  function edited() {
    for (const box of [url, model]) box.removeAttribute("aria-invalid");
    test.disabled = Object.keys(read()).length === 0;
    replace(found);
  }

  const isAsItIs = () => url.value.trim() === (now.url ?? "") && model.value.trim() === (now.model ?? "") && key.value === "" && !noKey.checked && dims.value === String(now.dims ?? "") && api.value === (now.api === "gemini" && !now.url ? "gemini" : "");

  /** True if it answers. */
  async function ask() {
    // The server would say that something is missing, and not where.
    const isSaved = isAsItIs() && now.origin !== "none";
    const missing = isSaved ? null : unusable();
    if (missing) {
      const [box, words] = missing;
      box.setAttribute("aria-invalid", "true");
      box.focus();
      replace(found, h("p", { class: "wrong", role: "alert" }, words));
      return null;
    }
    for (const one of [test, save]) one.disabled = true;
    replace(found, h("p", { class: "hint" }, t("models.testing")));
    try {
      const answer = await post(`${path}/test`, isSaved ? {} : read(), { signal, patience: TEST_MS });
      replace(found, testView(answer));
      replace(offered, (answer.offered ?? []).map((value) => h("option", { value })));
      return answer.well;
    } catch (error) {
      replace(found, h("p", { class: "wrong", role: "alert" }, inWords(error)));
      if (error.status === 400) return null;
      throw error;
    } finally {
      save.disabled = !now.can_be_chosen;
      test.disabled = false;
    }
  }

  const submit = guarded(async (event) => {
    event.preventDefault();
    const isWell = await ask();
    if (isWell === true) await keep();
    else if (isWell === false) found.append(h("p", { class: "actions" }, h("button", { type: "button", onclick: guarded(keep) }, t("models.saveAnyway"))));
  });

  async function keep() {
    write(await put(path, read()));
    for (const button of found.querySelectorAll(".actions")) button.remove();
    say(t("models.saved", { name: t(`models.name.${name}`) }));
  }

  async function reset() {
    const what = { name: t(`models.name.${name}`) };
    if (!(await confirm(t("models.backTitle", what), t("models.backText"), { agree: t("models.back"), danger: true }))) return;
    write(await remove(path));
    replace(found);
    say(t("models.wentBack", { name: t(`models.name.${name}`) }));
  }

  const element = h("form", { class: "connection", dataset: { connection: name }, "aria-label": t(`models.name.${name}`), onsubmit: (event) => { event.preventDefault(); submit(event); } },
    h("div", { class: "bar" }, h("h3", {}, t(`models.name.${name}`)), chip),
    h("p", { class: "hint" }, t(`models.for.${name}`)),
    h("div", { class: "fields" },
      field(t("models.provider"), provider),
      field(t("models.url"), url),
      HAS_MODEL.includes(name) && field(t("models.model"), model),
      keyField,
      field(t("models.api"), api),
      name === "embedding" && field(t("models.dims"), dims, t("models.dimsHint"))),
    offered, noKeyLabel, from,
    h("p", { class: "actions" }, save, test, back),
    found);
  write(first);
  return element;
}

/** A scheme may be missing: the server finds out which is meant. */
function isAddress(text) {
  const whole = text.includes("://") ? text : `http://${text}`;
  return /^https?:\/\//i.test(whole) && !/\s/.test(whole) && URL.canParse(whole);
}

function testView({ well, message, hint, server_said, offered, dimensions }) {
  // It answers, and there is something to say about that: not as it should.
  const tone = !well ? "bad" : hint ? "warn" : "good";
  return h("div", { class: "model-test" },
    h("p", {}, h("span", { class: `chip ${tone}` }, t({ good: "models.well", warn: "models.half", bad: "models.unwell" }[tone])), dimensions && [" ", h("span", { class: "chip" }, t("models.dimensions", { n: dimensions }))]),
    h("p", {}, serverWords(message)),
    hint && h("p", { class: "hint" }, serverWords(hint)),
    server_said && h("pre", {}, server_said),
    offered?.length > 0 && h("p", { class: "hint" }, t("models.offered", { names: listed(offered) })));
}
