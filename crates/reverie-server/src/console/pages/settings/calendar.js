// How ticks become dates. The parts of a calendar belong together, so that all of them are sent at once, whichever was changed.

import { freshId, h, replace } from "../../dom.js";
import { icon } from "../../parts/icon.js";
import { complain } from "../../parts/toast.js";
import { inWords } from "../../parts/trouble.js";
import { t } from "../../words.js";
import { OPTIONS } from "./catalogue.js";
import { same } from "./values.js";

const FIELDS = {
  none: [],
  rimworld: ["format.zh", "format.en", "hemisphere", "longitude", "base_year", "ticks", "start_tick"],
  gregorian: ["format.zh", "format.en", "time_zone", "epoch", "ticks_per_second"],
  custom: ["units", "format.zh", "format.en", "start_tick"],
};
const NAMES = {
  rimworld: "{year} {season} {quadrum} {day} {day_of_year} {hour}",
  gregorian: "{year} {month} {day} {weekday} {hour} {minute}",
};
const NUMBERS = ["longitude", "base_year", "start_tick"];
/** A calendar of one's own begins with something that works. */
const FIRST_UNITS = [{ name: "minute", size: 60 }, { name: "hour", size: 60 }, { name: "day", size: 24, first: 1 }];
const FIRST_FORMATS = { "format.zh": "[时间: 第{day}天 {hour:02}:{minute:02}]", "format.en": "[Time: day {day}, {hour:02}:{minute:02}]" };

export function calendarEditor({ settings }) {
  const box = h("div", { class: "calendar setting", dataset: { key: "calendar" } });
  let draft = read();
  let isRefused = false;

  function read() {
    const found = {};
    for (const [key, value] of settings.flat()) if (key.startsWith("calendar.")) found[key.slice(9)] = structuredClone(value);
    return found;
  }
  const kind = () => draft.kind ?? "none";

  async function save() {
    const patch = {};
    for (const key of settings.flat().keys()) if (key.startsWith("calendar.")) patch[key] = undefined;
    for (const [name, value] of Object.entries(draft)) if (value !== "" && value !== undefined) patch[`calendar.${name}`] = value;
    if (same(patch, Object.fromEntries([...settings.flat()].filter(([key]) => key.startsWith("calendar."))))) return complaint(null);
    try {
      await settings.save(patch, { told: t("calendar.saved") });
      complaint(null);
    } catch (error) {
      if (error.status === 400) complaint(error);
      else complain(error);
    }
  }

  /** At the field that it names, or below them all. */
  function complaint(error) {
    isRefused = Boolean(error);
    for (const one of box.querySelectorAll(".wrong")) one.remove();
    for (const one of box.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    if (!error) return;
    const words = h("p", { class: "wrong", role: "alert" }, inWords(error));
    const named = [...box.querySelectorAll("[data-name]")].find((one) => error.message.startsWith(`calendar.${one.dataset.name}`));
    named?.querySelector("input, select")?.setAttribute("aria-invalid", "true");
    (named ?? box).append(words);
  }

  function choose(next) {
    draft = next === "none" ? {} : { kind: next };
    if (next === "custom") Object.assign(draft, structuredClone({ units: FIRST_UNITS }), FIRST_FORMATS);
    draw();
    save();
  }

  const set = (name, value) => {
    if (value === "" || value === undefined) delete draft[name];
    else draft[name] = value;
    save();
  };

  function field(name) {
    if (name === "units") return units();
    const value = draft[name];
    const id = freshId("calendar");
    const usual = OPTIONS[`calendar.${name}`]?.differs[kind()] ?? OPTIONS[`calendar.${name}`]?.usual;
    const hints = { epoch: "calendar.epochHint", ticks_per_second: "calendar.tpsHint" };
    const isFormat = name.startsWith("format");
    const fields = NAMES[kind()] ?? (draft.units ?? []).map((unit) => `{${unit.name}}`).join(" ");
    const hint = isFormat ? t("calendar.fields", { fields }) : hints[name] && t(hints[name]);
    const { values } = OPTIONS[`calendar.${name}`] ?? {};
    const control = values
      ? h("select", { id, onchange: () => set(name, control.value === usual ? "" : control.value) }, values.map((one) => h("option", { value: one, selected: one === (value ?? usual) }, t(`calendar.${name}.${one}`))))
      : h("input", { id, type: NUMBERS.includes(name) ? "number" : "text", step: "any", value: value ?? "", placeholder: usual ?? "", class: isFormat ? "mono" : null,
        onchange: () => set(name, NUMBERS.includes(name) && control.value !== "" ? Number(control.value) : control.value.trim()) });
    return h("div", { class: isFormat ? "field wide" : "field", dataset: { name } }, h("label", { class: "label", htmlFor: id }, t(`calendar.${name}`)), control, hint && h("span", { class: "hint" }, hint));
  }

  function units() {
    const list = draft.units ?? [];
    const part = (index, name, type, value, store) => {
      const one = h("input", { type, value: value ?? "", "aria-label": t("calendar.unit.of", { field: t(`calendar.unit.${name}`), n: index + 1 }), onchange: () => { store(one.value.trim()); save(); } });
      return h("td", {}, one);
    };
    const named = (unit, language) => (value) => {
      const words = value.split(/[,，、]/).map((one) => one.trim()).filter(Boolean);
      const names = { ...unit.names, [language]: words };
      for (const [one, its] of Object.entries(names)) if (!its?.length) delete names[one];
      if (Object.keys(names).length) unit.names = names;
      else delete unit.names;
    };
    const numbered = (unit, name) => (value) => { if (value === "") delete unit[name]; else unit[name] = Number(value); };
    const row = (unit, index) => h("tr", {},
      part(index, "name", "text", unit.name, (value) => { unit.name = value; }),
      part(index, "size", "number", unit.size, numbered(unit, "size")),
      part(index, "first", "number", unit.first, numbered(unit, "first")),
      part(index, "zh", "text", unit.names?.zh?.join("、"), named(unit, "zh")),
      part(index, "en", "text", unit.names?.en?.join(", "), named(unit, "en")),
      h("td", {}, h("button", { type: "button", class: "quiet icon-only", "aria-label": t("calendar.unit.remove", { n: index + 1 }), onclick: () => { list.splice(index, 1); draw(); save(); } }, icon("trash"))));
    return h("div", { class: "field wide", dataset: { name: "units" } },
      h("span", { class: "label" }, t("calendar.units")),
      h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("calendar.units") }, h("table", {},
        h("thead", {}, h("tr", {}, ["name", "size", "first", "zh", "en"].map((name) => h("th", { scope: "col" }, t(`calendar.unit.${name}`))), h("td", {}))),
        h("tbody", {}, list.map(row)))),
      h("span", { class: "hint" }, t("calendar.unitsHint")),
      h("p", { class: "actions" }, h("button", { type: "button", onclick: () => { draft.units = [...list, { name: "", size: 10 }]; draw(); } }, icon("plus"), t("calendar.unit.add"))));
  }

  function draw() {
    const id = freshId("calendar");
    const select = h("select", { id, onchange: () => choose(select.value) }, Object.keys(FIELDS).map((one) => h("option", { value: one, selected: one === kind() }, t(`calendar.kind.${one}`))));
    replace(box,
      h("div", { class: "field", dataset: { name: "kind" } }, h("label", { class: "label", htmlFor: id }, t("calendar.kind")), select),
      h("div", { class: "fields" }, FIELDS[kind()].map(field)));
  }

  settings.onChange(() => {
    const isAtWork = isRefused || box.contains(document.activeElement);
    const next = read();
    if (same(next, draft) || isAtWork) return;
    draft = next;
    draw();
  });
  draw();
  return box;
}
