// With what is each type of field changed? Every control takes a value and tells the new one; null means that the field says nothing.

import { freshId, h, replace } from "../../dom.js";
import { icon } from "../../parts/icon.js";
import { has, t, term } from "../../words.js";

const labelOf = (name) => t(`lorefield.${name}`);
const hintOf = (name) => (has(`lorehint.${name}`) ? h("span", { class: "hint" }, t(`lorehint.${name}`)) : null);

/** A label, its control, and what should be known about it; `kind` widens it. */
export function labelled(name, control, kind) {
  const id = freshId("field");
  (control.matches("input, select, textarea") ? control : control.querySelector("input, select, textarea"))?.setAttribute("id", id);
  return h("div", { class: kind ? `field ${kind}` : "field", dataset: { field: name } }, h("label", { class: "label", htmlFor: id }, labelOf(name)), control, hintOf(name));
}

const listOf = (value) => (Array.isArray(value) ? value.map(String) : value === undefined || value === null || value === "" ? [] : [String(value)]);

/** Texts as chips: Enter or a comma ends one, but not inside of a pattern, which may have commas. */
export function chips(value, changed, { label, suggestions }) {
  let texts = listOf(value);
  const shelf = h("span", { class: "chips-shelf" });
  const choices = suggestions?.length ? h("datalist", { id: freshId("choices") }, suggestions.map((one) => h("option", { value: one }))) : null;
  const input = h("input", { type: "text", list: choices?.id, placeholder: t("lore.addOne"), autocomplete: "off",
    onkeydown: (event) => {
      if (event.isComposing) return;
      const endsHere = event.key === "Enter" || ((event.key === "," || event.key === "，") && !input.value.startsWith("/"));
      if (endsHere) {
        event.preventDefault();
        take();
      } else if (event.key === "Backspace" && input.value === "" && texts.length) tell(texts.slice(0, -1));
    },
    onblur: () => take(),
    onpaste: (event) => {
      const text = event.clipboardData.getData("text");
      if (!text.includes("\n")) return;
      event.preventDefault();
      tell([...texts, ...text.split("\n").map((one) => one.trim()).filter(Boolean)]);
    } });
  const take = () => {
    const text = input.value.trim();
    input.value = "";
    if (text && !texts.includes(text)) tell([...texts, text]);
  };
  const tell = (next) => {
    texts = next;
    draw();
    changed(texts);
  };
  const draw = () => replace(shelf, texts.map((text, index) =>
    h("span", { class: text.startsWith("/") && text.lastIndexOf("/") > 0 ? "chip key pattern" : "chip key" }, h("span", {}, text),
      h("button", { type: "button", "aria-label": t("lore.removeOne", { one: text }), onclick: () => { tell(texts.filter((_, other) => other !== index)); input.focus(); } }, "×"))));
  draw();
  input.setAttribute("aria-label", label);
  return h("div", { class: "chips", onclick: (event) => event.target === event.currentTarget && input.focus() }, shelf, input, choices);
}

function number(field, value, changed) {
  return h("input", { type: "number", min: field.min, max: field.max, step: field.step, value: value ?? "", placeholder: t("lore.unset"),
    oninput: (event) => { if (event.target.checkValidity()) changed(event.target.value === "" ? null : Number(event.target.value)); },
    onchange: (event) => event.target.reportValidity() });
}

function choice(field, value, changed) {
  const isNamed = field.name === "trigger";
  const chosen = isNamed ? field.options.indexOf(value) : Number.isInteger(value) ? value : -1;
  return h("select", { onchange: (event) => changed(event.target.value === "" ? null : isNamed ? field.options[event.target.value] : Number(event.target.value)) },
    (chosen < 0 || isNamed) && h("option", { value: "", selected: chosen < 0 }, t("lore.unset")),
    field.options.map((option, index) => h("option", { value: index, selected: index === chosen }, term(`lore.${field.name}`, option))));
}

/** Any of a closed list. What a file says besides stays, and can be taken away. */
function several(field, value, changed) {
  const now = new Set(listOf(value));
  const all = [...field.options, ...[...now].filter((one) => !field.options.includes(one))];
  return h("div", { class: "several", role: "group", "aria-label": labelOf(field.name) }, all.map((one) => h("label", { class: "check" },
    h("input", { type: "checkbox", value: one, checked: now.has(one), onchange: ({ target }) => {
      if (target.checked) now.add(one);
      else now.delete(one);
      changed(all.filter((other) => now.has(other)));
    } }), h("span", {}, term(field.words, one)))));
}

function tri(value, changed) {
  return h("select", { onchange: (event) => changed(event.target.value === "" ? null : event.target.value === "true") },
    [["", t("lore.asWorld")], ["true", t("lore.yes")], ["false", t("lore.no")]].map(([name, words]) => h("option", { value: name, selected: String(value ?? "") === name }, words)));
}

function json(value, changed) {
  const area = h("textarea", { class: "mono", rows: 4, spellcheck: "false", value: JSON.stringify(value ?? {}, null, 2),
    onchange: () => {
      try {
        const parsed = area.value.trim() ? JSON.parse(area.value) : {};
        area.setCustomValidity("");
        changed(parsed);
      } catch (error) {
        area.setCustomValidity(String(error.message));
        area.reportValidity();
      }
    } });
  return area;
}

function filter(value, changed, { characters }) {
  const now = { isExclude: false, names: [], tags: [], ...value };
  const tell = (part) => {
    Object.assign(now, part);
    changed({ ...now });
  };
  return h("div", { class: "parts" },
    h("select", { "aria-label": t("lore.filterHow"), onchange: (event) => tell({ isExclude: event.target.value === "true" }) },
      [[false, "lore.filterOnly"], [true, "lore.filterBut"]].map(([is, words]) => h("option", { value: String(is), selected: now.isExclude === is }, t(words)))),
    h("span", { class: "hint" }, t("lore.filterNames")), chips(now.names, (names) => tell({ names }), { label: t("lore.filterNames"), suggestions: characters }),
    h("span", { class: "hint" }, t("lore.filterTags")), chips(now.tags, (tags) => tell({ tags }), { label: t("lore.filterTags") }));
}

const TESTS = ["is", "is_not", "set", "not_set", "at_least", "at_most"];

/** [fact, test, text], or null if it is written in a way that these fields cannot show. */
function readable(condition) {
  const { fact, ...tests } = condition ?? {};
  const [test, ...more] = Object.keys(tests);
  if (typeof fact !== "string" || more.length || !TESTS.includes(test)) return null;
  if (test === "set") return [fact, tests.set === false ? "not_set" : "set", ""];
  return [fact, test, listOf(tests[test]).join(", ")];
}

function writable([fact, test, text]) {
  if (test === "set" || test === "not_set") return { fact, set: test === "set" };
  if (test === "at_least" || test === "at_most") return { fact, [test]: Number(text) || 0 };
  return { fact, [test]: text.split(/[,，]/).map((one) => one.trim()).filter(Boolean) };
}

function conditions(value, changed) {
  const rows = (Array.isArray(value) ? value : []).map(readable);
  if (rows.includes(null)) return json(value, changed);
  const box = h("div", { class: "parts" });
  const tell = () => changed(rows.filter(([fact]) => fact).map(writable));
  const draw = () => replace(box, rows.map((row, index) => h("div", { class: "condition" },
    h("input", { type: "text", "aria-label": t("lore.fact"), placeholder: t("lore.factExample"), value: row[0], onchange: (event) => { row[0] = event.target.value.trim(); tell(); } }),
    h("select", { "aria-label": t("lore.test"), onchange: (event) => { row[1] = event.target.value; draw(); tell(); } },
      TESTS.map((test) => h("option", { value: test, selected: test === row[1] }, t(`lore.test.${test}`)))),
    !row[1].endsWith("set") && h("input", { type: "text", "aria-label": t("lore.value"), value: row[2], onchange: (event) => { row[2] = event.target.value; tell(); } }),
    h("button", { type: "button", class: "quiet icon-only", "aria-label": t("lore.removeOne", { one: row[0] || t("lorefield.conditions") }), onclick: () => { rows.splice(index, 1); draw(); tell(); } }, icon("close")))),
  h("button", { type: "button", class: "quiet", onclick: () => { rows.push(["", "is", ""]); draw(); box.querySelector(".condition:last-of-type input")?.focus(); } }, icon("plus"), t("lore.addCondition")));
  draw();
  return box;
}

/** How an entry comes: three ways in two fields. */
function coming(read, changed) {
  const now = read("constant") ? "constant" : read("vectorized") ? "vectorized" : "keys";
  return h("select", { onchange: (event) => {
    changed("constant", event.target.value === "constant");
    changed("vectorized", event.target.value === "vectorized");
  } }, ["keys", "constant", "vectorized"].map((one) => h("option", { value: one, selected: one === now }, t(`lore.coming.${one}`))));
}

/** The control of a field. `read(name)` gives what the entry says now, `changed(name, value)` takes what it should say. */
export function control(field, read, changed, context) {
  const { name, type } = field;
  const value = read(name);
  const tell = (next) => changed(name, next);
  if (type === "flag") return h("label", { class: "check", dataset: { field: name } }, h("input", { type: "checkbox", checked: value === true, onchange: (event) => tell(event.target.checked) }), h("span", {}, labelOf(name)));
  if (type === "text") return labelled(name, h("input", { type: "text", value: value ?? "", oninput: (event) => tell(event.target.value) }), name === "comment" ? "wide" : null);
  if (type === "long") return labelled(name, h("textarea", { class: "grows", rows: 7, value: value ?? "", oninput: (event) => tell(event.target.value) }), "wide");
  if (type === "list") return labelled(name, chips(value, tell, { label: labelOf(name), suggestions: field.suggest && context[field.suggest] }), "wide");
  if (type === "number") return labelled(name, number(field, value, tell));
  if (type === "choice") return labelled(name, choice(field, value, tell));
  if (type === "several") return h("div", { class: "field wide", dataset: { field: name } }, h("span", { class: "label" }, labelOf(name)), several(field, value, tell), hintOf(name));
  if (type === "tri") return labelled(name, tri(value, tell));
  if (type === "level") return labelled(name, number({ min: 0, step: 1 }, value === true ? 1 : value === false ? null : value, (next) => tell(next ?? 0)));
  if (type === "filter") return labelled(name, filter(value, tell, context), "wide");
  if (type === "conditions") return labelled(name, conditions(value, tell), "wide");
  if (type === "json") return labelled(name, json(value, tell), "wide");
  return labelled(name, coming(read, changed));
}
