// @ts-check
// Draws the reference page from openapi.json: every operation with its parameters, schemas, examples, and a form that
// calls it. Everything becomes text nodes; nothing from the description is ever parsed as HTML.

const WORDS = {
  en: {
    filter: "Find an operation", token: "Token", other: "中文", parameters: "Parameters", name: "Name", where: "In",
    type: "Type", meaning: "Meaning", request: "Request body", responses: "Responses", example: "Example", try: "Try it",
    send: "Send", sending: "Sending…", required: "required", perLine: "one value a line", noBody: "(no body)",
    failed: "The request failed: ", notLoaded: "openapi.json could not be loaded: ", general: "General", took: " ms",
    missing: "Please fill in: ", warns: "This may change stored data.", oneOf: "one of", items: "items", any: "any",
    or: " or ", arrayOf: (/** @type {string} */ type) => `array of ${type}`,
    groups: {},
  },
  zh: {
    filter: "查找接口", token: "令牌", other: "English", parameters: "参数", name: "名称", where: "位置",
    type: "类型", meaning: "含义", request: "请求体", responses: "响应", example: "示例", try: "试一试",
    send: "发送", sending: "发送中…", required: "必填", perLine: "每行一个值", noBody: "（无内容）",
    failed: "请求失败：", notLoaded: "无法加载 openapi.json：", general: "通用", took: " 毫秒",
    missing: "请填写：", warns: "此操作可能修改已存储的数据。", oneOf: "其中之一", items: "元素", any: "任意",
    or: " 或 ", arrayOf: (/** @type {string} */ type) => `${type} 的数组`,
    groups: {
      worlds: "世界", characters: "角色", conversations: "对话", lines: "台词", rounds: "轮", memories: "记忆", jobs: "任务", prompts: "提示词", checkpoints: "检查点", books: "世界书", cards: "角色卡", lore: "设定触发",
      server: "服务器",
    },
  },
};
const METHODS = ["get", "put", "post", "patch", "delete", "head", "options"];

let language = remembered("reverie-language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");
/** @type {any} */
let description = null;

const words = () => WORDS[language === "zh" ? "zh" : "en"];
const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

/** Storage may be switched off; the page works without. */
function remembered(/** @type {string} */ key) {
  try { return sessionStorage.getItem(key); } catch { return null; }
}
function remember(/** @type {string} */ key, /** @type {string} */ value) {
  try { sessionStorage.setItem(key, value); } catch { /* then not */ }
}

/** An element; attributes that are undefined or false are left out. */
function h(/** @type {string} */ tag, /** @type {Record<string, any>} */ attributes = {}, /** @type {any[]} */ ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== ""));
  return element;
}

/** Prose as nodes: what stands in backticks is code. */
const prose = (/** @type {string | undefined} */ text) => (text ?? "").split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));

const summaryOf = (/** @type {any} */ operation) => (language === "zh" && operation["x-summary-zh"]) || operation.summary || operation.path;
const groupName = (/** @type {string} */ group) => /** @type {Record<string, string>} */ (words().groups)[group] ?? group;

/** Follows `$ref` inside the document. */
function resolve(/** @type {any} */ node) {
  for (let hops = 0; node?.$ref && hops < 20; hops++) {
    const keys = node.$ref.replace(/^#\//, "").split("/");
    node = keys.reduce((at, key) => at?.[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")], description);
  }
  return node ?? {};
}

const refName = (/** @type {any} */ schema) => schema?.$ref?.split("/").pop();
const branches = (/** @type {any} */ schema) => schema.oneOf ?? schema.anyOf;

/** Such as `array of NewLine or null`: an object with a name is only named. */
function typeText(/** @type {any} */ schema) {
  const node = resolve(schema);
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (branches(node)) return [...new Set(branches(node).map(typeText))].join(words().or);
  const types = [node.type ?? (node.properties ? "object" : words().any)].flat();
  return types.map((type) => oneType(type, schema, node)).join(words().or);
}

function oneType(/** @type {string} */ type, /** @type {any} */ schema, /** @type {any} */ node) {
  if (type === "null") return type;
  if (type === "object") return refName(schema) ?? type;
  if (type === "array") return node.items ? words().arrayOf(grouped(typeText(node.items))) : type;
  return node.format ? `${type} (${node.format})` : type;
}

/** An array of several kinds of things is told from one of several things. */
const grouped = (/** @type {string} */ text) => (text.includes(words().or) || text.includes(" | ") ? `(${text})` : text);

function notes(/** @type {any} */ node) {
  const parts = [];
  for (const key of ["default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"]) {
    if (node[key] !== undefined) parts.push(`${key} ${JSON.stringify(node[key])}`);
  }
  return parts.length ? h("span", { class: "note" }, ` [${parts.join(", ")}]`) : "";
}

/** What is inside a schema, as nested lists; a schema inside itself is only named. */
function schemaTree(/** @type {any} */ schema, /** @type {any[]} */ seen = []) {
  const node = resolve(schema);
  if (seen.includes(node)) return "";
  const inside = [...seen, node];
  if (node.allOf) return node.allOf.map((part) => schemaTree(part, inside));
  if (branches(node)) {
    const inner = branches(node).filter((part) => schemaTree(part, inside));
    return inner.length ? h("ul", { class: "schema" }, inner.map((part) => row(words().oneOf, part, false, inside))) : "";
  }
  if (node.items) return schemaTree(node.items, inside);
  const rows = Object.entries(node.properties ?? {})
    .map(([name, part]) => row(name, part, (node.required ?? []).includes(name), inside));
  if (typeof node.additionalProperties === "object") rows.push(row("*", node.additionalProperties, false, inside));
  return rows.length ? h("ul", { class: "schema" }, rows) : "";
}

function row(/** @type {string} */ name, /** @type {any} */ schema, /** @type {boolean} */ required, /** @type {any[]} */ seen) {
  const node = resolve(schema);
  const line = [
    h("code", {}, name), " ", h("span", { class: "type" }, typeText(schema)),
    required ? h("span", { class: "required" }, ` ${words().required}`) : "", notes(node),
    node.description ? h("div", { class: "note text" }, prose(node.description)) : "",
  ];
  const inner = schemaTree(schema, seen);
  const deep = seen.length > 2;
  return h("li", {}, inner ? h("details", { open: !deep }, h("summary", {}, line), inner) : line);
}

/** The example that is written down, or one made from the schema. */
function exampleOf(/** @type {any} */ holder) {
  if (!holder) return undefined;
  if (holder.example !== undefined) return holder.example;
  const first = Object.values(holder.examples ?? {})[0];
  if (first !== undefined) return resolve(first)?.value ?? first;
  return holder.schema ? sample(holder.schema) : undefined;
}

function sample(/** @type {any} */ schema, /** @type {any[]} */ seen = []) {
  const node = resolve(schema);
  for (const known of [node.example, node.examples?.[0], node.default, node.const, node.enum?.[0]]) {
    if (known !== undefined) return known;
  }
  if (seen.includes(node)) return null;
  const inside = [...seen, node];
  if (node.allOf) return Object.assign({}, ...node.allOf.map((part) => sample(part, inside)));
  if (branches(node)) return sample(branches(node)[0], inside);
  const type = [node.type].flat()[0];
  if (type === "array" || node.items) return node.items ? [sample(node.items, inside)] : [];
  if (type === "object" || node.properties) {
    const names = Object.keys(node.properties ?? {}).filter((name) => (node.required ?? []).includes(name));
    return Object.fromEntries(names.map((name) => [name, sample(node.properties[name], inside)]));
  }
  return { string: "", integer: 0, number: 0, boolean: false }[type] ?? null;
}

const pretty = (/** @type {any} */ value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** Media types with schema and example. */
function content(/** @type {any} */ holder) {
  return Object.entries(holder?.content ?? {}).map(([type, media]) => {
    const example = exampleOf(media);
    return [
      h("p", {}, h("code", {}, type), " ", media.schema ? h("span", { class: "type" }, typeText(media.schema)) : ""),
      media.schema ? schemaTree(media.schema) : "",
      example !== undefined && example !== null ? [h("div", { class: "note" }, words().example), h("pre", {}, pretty(example))] : "",
    ];
  });
}

function parameterTable(/** @type {any[]} */ parameters) {
  if (!parameters.length) return "";
  const head = [words().name, words().where, words().type, words().meaning].map((text) => h("th", { scope: "col" }, text));
  return [
    h("h3", {}, words().parameters),
    h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, parameters.map((parameter) => h("tr", {},
      h("td", {}, h("code", {}, parameter.name), parameter.required ? h("span", { class: "required" }, ` ${words().required}`) : ""),
      h("td", {}, parameter.in),
      h("td", {}, h("span", { class: "type" }, typeText(parameter.schema ?? {})), notes(resolve(parameter.schema))),
      h("td", { class: "text" }, prose(parameter.description)),
    )))),
  ];
}

/** What a first start puts into the data file, so that a call can be tried with one click. Deleting is left to whoever means it. */
const SAMPLE = { world: "harbour", character: "mo", conversation: "lighthouse", line: "1", participants: ["mo", "you"] };

function sampleOf(/** @type {any} */ operation, /** @type {any} */ parameter) {
  const isNeeded = parameter.in === "path" || parameter.name === "participants";
  return isNeeded && operation.method !== "delete" ? /** @type {any} */ (SAMPLE)[parameter.name] : undefined;
}

/** These read what a GET could not carry. */
const READS_BY_POST = ["recall", "perspective", "scanLore", "previewLore"];
const isReading = (/** @type {any} */ operation) => operation.method === "get" || operation.method === "head" || READS_BY_POST.includes(operation.id);

/** The form that calls the operation. */
function tryIt(/** @type {any} */ operation) {
  const isList = (/** @type {any} */ parameter) => [resolve(parameter.schema).type].flat().includes("array");
  const fields = operation.parameters.filter((parameter) => parameter.in === "path" || parameter.in === "query").map((parameter) => {
    const example = exampleOf({ ...parameter, schema: undefined }) ?? resolve(parameter.schema).example ?? sampleOf(operation, parameter) ?? "";
    const id = `${operation.id}-${parameter.name}`;
    const input = isList(parameter)
      ? h("textarea", { id, rows: 2, placeholder: words().perLine }, [example].flat().join("\n"))
      : h("input", { id, value: example, autocomplete: "off" });
    return { parameter, input: /** @type {any} */ (input), row: h("div", { class: "field" }, h("label", { for: id }, h("code", {}, parameter.name)), input) };
  });
  const [mediaType, media] = /** @type {any} */ (Object.entries(resolve(operation.requestBody).content ?? {})[0] ?? []);
  const body = /** @type {any} */ (mediaType ? h("textarea", { class: "body", spellcheck: "false", "aria-label": words().request }, pretty(exampleOf(media) ?? "")) : null);
  const send = /** @type {any} */ (h("button", { class: "send", type: "submit" }, words().send));
  const answer = h("div", { "aria-live": "polite" });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const missing = fields.filter((field) => field.parameter.in === "path" && field.input.value === "");
    if (missing.length) return answer.replaceChildren(words().missing + missing.map((field) => field.parameter.name).join(", "));
    send.disabled = true;
    answer.replaceChildren(words().sending);
    answer.replaceChildren(...(await call(operation, fields, body ? { mediaType, text: body.value } : null, isList)));
    send.disabled = false;
  };
  const warning = isReading(operation) ? "" : h("span", { class: "note" }, ` ${words().warns}`);
  return h("form", { class: "try", onsubmit: submit }, h("h3", {}, words().try), fields.map((field) => field.row), body ?? "",
    h("p", {}, send, warning), answer);
}

async function call(/** @type {any} */ operation, /** @type {any[]} */ fields, /** @type {any} */ body, /** @type {any} */ isList) {
  let path = operation.path;
  const query = new URLSearchParams();
  for (const { parameter, input } of fields) {
    if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    else for (const value of isList(parameter) ? input.value.split("\n") : [input.value]) if (value !== "") query.append(parameter.name, value);
  }
  /** @type {Record<string, string>} */
  const headers = {};
  if (byId("token").value) headers.authorization = `Bearer ${byId("token").value}`;
  if (body) headers["content-type"] = body.mediaType;
  const url = path.replace(/^\//, "") + (query.size ? `?${query}` : "");
  const started = performance.now();
  try {
    const response = await fetch(url, { method: operation.method.toUpperCase(), headers, body: body?.text });
    const text = await response.text();
    const took = Math.round(performance.now() - started);
    const shown = response.headers.get("content-type")?.includes("json") && text ? JSON.stringify(JSON.parse(text), null, 2) : text;
    const kind = response.ok ? "good" : "bad";
    return [
      h("p", {}, h("span", { class: `status ${kind}` }, `${response.status} ${response.statusText}`), " ",
        h("code", {}, `${operation.method.toUpperCase()} /${url}`), h("span", { class: "note" }, ` ${took}${words().took}`)),
      h("pre", {}, shown || words().noBody),
    ];
  } catch (error) {
    return [h("p", { class: "status bad" }, words().failed + error)];
  }
}

/** All operations, flat, in the order of the document. */
function operations() {
  return Object.entries(description.paths ?? {}).flatMap(([path, item]) => METHODS.filter((method) => item[method]).map((method) => {
    const operation = item[method];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
    const id = operation.operationId ?? `${method}-${path}`;
    return { ...operation, path, method, parameters, id, group: operation.tags?.[0] ?? words().general };
  }));
}

function article(/** @type {any} */ operation) {
  const draw = () => h("div", {},
    operation.description ? h("p", { class: "text" }, prose(operation.description)) : "",
    parameterTable(operation.parameters),
    operation.requestBody ? [h("h3", {}, words().request), h("p", { class: "text" }, prose(resolve(operation.requestBody).description)), content(resolve(operation.requestBody))] : "",
    h("h3", {}, words().responses),
    Object.entries(operation.responses ?? {}).map(([status, response]) => h("details", { open: status.startsWith("2") },
      h("summary", {}, h("code", {}, status), " ", prose(resolve(response).description)), content(resolve(response)))),
    tryIt(operation));
  // The inside is drawn when it is first opened: long descriptions stay quick.
  const details = h("details", { ontoggle: () => { if (details.children.length === 1) details.append(draw()); } },
    h("summary", {}, h("span", { class: `method ${operation.method}` }, operation.method), h("span", { class: "path" }, operation.path),
      h("span", { class: "summary" }, prose(summaryOf(operation))), h("span", { class: "id" }, operation.id)));
  return h("article", { id: operation.id, "data-text": searchText(operation) }, details);
}

function searchText(/** @type {any} */ operation) {
  const { method, path, id, summary = "", "x-summary-zh": chinese = "", description: text = "" } = operation;
  return `${method} ${path} ${id} ${summary} ${chinese} ${text}`.toLowerCase();
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = /** @type {any} */ (target?.querySelector("details"));
  if (details) details.open = true;
  target?.scrollIntoView();
}

function applyFilter() {
  const wanted = byId("filter").value.toLowerCase().split(/\s+/);
  for (const element of document.querySelectorAll("[data-text]")) {
    const text = element.getAttribute("data-text") ?? "";
    /** @type {any} */ (element).hidden = !wanted.every((word) => text.includes(word));
  }
  // A heading with nothing below it says nothing.
  for (const group of document.querySelectorAll("section.group")) {
    /** @type {any} */ (group).hidden = !group.querySelector("[data-text]:not([hidden])");
  }
}

function draw() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  byId("filter").placeholder = words().filter;
  byId("filter").setAttribute("aria-label", words().filter);
  byId("token-label").textContent = words().token;
  byId("language").textContent = words().other;
  if (!description) return;
  const all = operations();
  const groups = [...new Set(all.map((operation) => operation.group))];
  byId("version").textContent = description.info?.version ?? "";
  byId("contents").replaceChildren(...groups.map((group) => h("section", { class: "group" }, h("h2", {}, groupName(group)),
    all.filter((operation) => operation.group === group).map((operation) => h("a", { href: `#${encodeURIComponent(operation.id)}`, "data-text": searchText(operation) },
      h("span", { class: `method ${operation.method}` }, operation.method), h("span", {}, prose(summaryOf(operation))))))));
  const intro = description.info?.description ? [h("p", { class: "intro" }, prose(description.info.description))] : [];
  byId("operations").replaceChildren(...intro, ...groups.map((group) => h("section", { class: "group" }, h("h2", {}, groupName(group)), all.filter((operation) => operation.group === group).map(article))));
  applyFilter();
  openTarget();
}

byId("token").value = remembered("reverie-token") ?? "";
byId("token").addEventListener("input", () => remember("reverie-token", byId("token").value));
byId("filter").addEventListener("input", applyFilter);
byId("language").addEventListener("click", () => {
  language = language === "zh" ? "en" : "zh";
  remember("reverie-language", language);
  draw();
});
addEventListener("hashchange", openTarget);
draw();
try {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  description = await response.json();
  draw();
} catch (error) {
  byId("state").textContent = words().notLoaded + error;
}
