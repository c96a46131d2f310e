// One setting on the page: its name, its control, what it is by default, whether it differs, and what the server says of it.

import { freshId, h, replace } from "../../dom.js";
import { icon } from "../../parts/icon.js";
import { complain } from "../../parts/toast.js";
import { inWords, serverWords } from "../../parts/trouble.js";
import { has, listed, number, t } from "../../words.js";
import { OPTIONS } from "./catalogue.js";
import { same } from "./values.js";

/** In a list of words: none of them. */
const OTHER = " ";

export const nameOf = (key) => (has(`option.${key}`) ? t(`option.${key}`) : key);
const shownBreaks = (text) => String(text).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
const realBreaks = (text) => text.replace(/\\([nt\\])/g, (_, one) => ({ n: "\n", t: "\t" })[one] ?? "\\");

/** A value, for reading. */
export function told(key, value) {
  const option = OPTIONS[key.split("@")[0]];
  if (value === undefined || value === null || value === "") return t("settings.none");
  if (typeof value === "boolean") return t(value ? "settings.on" : "settings.off");
  if (typeof value === "number") return number(value, { maximumFractionDigits: 6 });
  if (option?.values && has(`value.${key}.${value}`)) return t(`value.${key}.${value}`);
  if (Array.isArray(value)) return value.every((one) => typeof one === "string") ? listed(value) : JSON.stringify(value);
  if (typeof value === "object") return Object.keys(value).length ? JSON.stringify(value) : t("settings.none");
  return option?.type === "mark" ? `“${shownBreaks(value)}”` : String(value);
}

/** An input for a setting: `element`, and how to read and to show a value. `changed(isFinal)` is told of every change. */
export function input(key, { label, describedby, changed }) {
  const option = OPTIONS[key] ?? { type: "json" };
  const common = { "aria-label": label, "aria-describedby": describedby };
  const onchange = () => changed(true);
  switch (option.type) {
    case "flag": {
      const box = h("input", { type: "checkbox", class: "switch", role: "switch", ...common, onchange });
      return { element: box, read: () => box.checked, write: (value) => { box.checked = value === true || value === "true"; } };
    }
    case "slider": {
      const out = h("output", { class: "slider-value" });
      const range = h("input", { type: "range", min: option.least, max: option.most, step: option.step, ...common, onchange, oninput: () => { tell(); changed(false); } });
      const tell = () => { out.textContent = number(Number(range.value), { maximumFractionDigits: 3 }); };
      return { element: h("span", { class: "slider" }, range, out), control: range, read: () => Number(range.value), write: (value) => { range.value = value; tell(); } };
    }
    case "number": {
      const box = h("input", { type: "number", min: option.least, max: option.most, step: option.step, inputmode: "decimal", ...common, onchange });
      return { element: box, read: () => (box.value === "" ? undefined : Number(box.value)), write: (value) => { box.value = value ?? ""; } };
    }
    case "choice": {
      const select = h("select", { ...common, onchange }, option.values.map((value) => h("option", { value }, told(key, value))));
      return { element: select, read: () => select.value, write: (value) => { select.value = value; } };
    }
    case "names": {
      const box = h("input", { type: "text", ...common, onchange });
      const read = () => box.value.split(/[,，、]/).map((one) => one.trim()).filter(Boolean);
      return { element: box, read: () => (read().length ? read() : undefined), write: (value) => { box.value = (value ?? []).join(", "); } };
    }
    case "pairs": {
      const box = h("textarea", { rows: 3, ...common, onchange, placeholder: "1 = hero" });
      const read = () => Object.fromEntries(box.value.split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2).map((one) => one.trim())).filter(([id, name]) => id && name));
      return {
        element: box,
        read: () => (Object.keys(read()).length ? read() : undefined),
        write: (value) => { box.value = Object.entries(value ?? {}).map(([id, name]) => `${id} = ${name}`).join("\n"); },
      };
    }
    case "mark": {
      const box = h("input", { type: "text", class: "mark mono", ...common, onchange });
      return { element: box, read: () => realBreaks(box.value), write: (value) => { box.value = shownBreaks(value ?? ""); } };
    }
    case "long": {
      const box = h("textarea", { rows: 4, ...common, onchange });
      return { element: box, read: () => box.value, write: (value) => { box.value = value ?? ""; } };
    }
    case "offers": {
      const other = t(`value.${key}.other`);
      const box = h("input", { type: "text", "aria-label": t("settings.pair", { name: label, of: other }), "aria-describedby": describedby, onchange });
      const select = h("select", { ...common, onchange: () => {
        box.hidden = select.value !== OTHER;
        if (box.hidden) return onchange();
        return box.focus();
      } }, option.values.map((value) => h("option", { value }, told(key, value))), h("option", { value: OTHER }, other));
      const write = (value) => {
        const isOffered = option.values.includes(String(value ?? ""));
        select.value = isOffered ? value : OTHER;
        [box.hidden, box.value] = [isOffered, isOffered ? "" : value ?? ""];
      };
      return { element: h("span", { class: "offers" }, select, box), control: select, read: () => (select.value === OTHER ? box.value.trim() : select.value), write };
    }
    case "text": {
      const box = h("input", { type: "text", ...common, onchange });
      return { element: box, read: () => box.value.trim(), write: (value) => { box.value = value ?? ""; } };
    }
    default: {
      const box = h("input", { type: "text", class: "mono", ...common, onchange });
      const read = () => { try { return JSON.parse(box.value); } catch { return box.value; } };
      return { element: box, read: () => (box.value === "" ? undefined : read()), write: (value) => { box.value = typeof value === "string" ? value : JSON.stringify(value ?? ""); } };
    }
  }
}

/** What cannot be set: where the page knows what may be, it says so itself. */
function refusal(option, error) {
  const { least, most, step } = option ?? {};
  if (error.code !== "invalid" || least === undefined || most === undefined) return inWords(error);
  return [t(step === 1 ? "settings.wholeRange" : "settings.range", { least: number(least), most: number(most) }), serverWords(error.message)];
}

/** What binds an input to a setting: shows it, saves it, resets it, says what is wrong. Used by rows and by cells of tables. */
export function bind(key, { settings, character, label, describedby }) {
  const full = character ? `${key}@${character}` : key;
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const reset = h("button", { type: "button", class: "quiet icon-only reset", "aria-label": t("settings.reset", { name: label }), title: t("settings.reset", { name: label }), onclick: () => save(undefined) }, icon("undo"));
  const made = input(key, { label, describedby, changed: (isFinal) => isFinal && save(made.read()) });
  const control = made.control ?? made.element;
  const watchers = [];

  function draw() {
    const isBeingEdited = made.element.contains(document.activeElement) && control.type !== "checkbox" && control.type !== "range";
    if (!isBeingEdited && wrong.hidden) made.write(settings.value(key, character));
    reset.hidden = !settings.isChanged(key, character);
    for (const watcher of watchers) watcher();
  }

  function complaint(error) {
    wrong.hidden = !error;
    replace(wrong, error && refusal(OPTIONS[key], error));
    control.toggleAttribute("aria-invalid", Boolean(error));
    if (error) control.setAttribute("aria-invalid", "true");
  }

  async function save(value) {
    const isBack = value === undefined || value === "" || same(value, settings.fallback(key, character));
    const patch = { [full]: isBack ? undefined : value };
    if (isBack && !settings.isChanged(key, character)) {
      complaint(null);
      made.write(settings.value(key, character));
      return;
    }
    try {
      await settings.save(patch, { told: t(isBack ? "settings.resetDone" : "settings.savedOne", { name: label }) });
      complaint(null);
      made.write(settings.value(key, character));
      draw();
    } catch (error) {
      if (error.status === 400) complaint(error);
      else {
        complain(error);
        made.write(settings.value(key, character));
      }
    }
  }

  settings.onChange(draw);
  return { element: made.element, control, wrong, reset, draw, read: made.read, write: made.write, save, onDraw: (watcher) => watchers.push(watcher) };
}

/** A row of the page. */
export function settingRow(key, { settings, character }) {
  const label = nameOf(key);
  const hintId = freshId("hint");
  const bound = bind(key, { settings, character, label, describedby: hintId });
  const option = OPTIONS[key];
  const mark = h("span", { class: "chip accent changed" }, t(character ? "settings.ownValue" : "settings.changed"));
  const usually = h("span", {});
  const caution = h("p", { class: "caution", role: "status", hidden: true });
  const row = h("div", { class: `setting ${option?.type ?? "json"}`, dataset: { key } },
    h("div", { class: "what" },
      h("span", { class: "name" }, label, " ", mark),
      h("span", { class: "hint", id: hintId },
        has(`option.${key}.hint`) && `${t(`option.${key}.hint`)} `, option?.type === "mark" && `${t("settings.breaks")} `,
        h("span", { class: "usually" }, h("code", {}, key), " · ", usually))),
    h("div", { class: "how" }, bound.element, bound.reset),
    caution, bound.wrong);
  bound.onDraw(() => {
    const value = settings.fallback(key, character);
    mark.hidden = bound.reset.hidden;
    usually.textContent = t(character ? "settings.fromWorld" : "settings.default", { value: told(key, value) });
    if (option?.tooLittle) {
      const [least, words] = option.tooLittle;
      caution.hidden = settings.value(key, character) >= least;
      caution.textContent = caution.hidden ? "" : t(words, { least: number(least) });
    }
    if (option?.when) {
      const [other, wanted] = option.when;
      row.hidden = settings.value(other, character) !== wanted;
    }
  });
  bound.draw();
  return row;
}
