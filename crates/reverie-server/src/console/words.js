// In which language does the console speak? Each word list is a map from a key to [English, 简体中文].

const LANGUAGE = "reverie.language";
const LANGUAGES = ["en", "zh-CN"];

const known = new Map();

function chosen() {
  const kept = localStorage.getItem(LANGUAGE);
  if (LANGUAGES.includes(kept)) return kept;
  return navigator.languages.some((one) => one.toLowerCase().startsWith("zh")) ? "zh-CN" : "en";
}

let current = chosen();
document.documentElement.lang = current;

export const language = () => current;

export function speak(one) {
  current = one;
  localStorage.setItem(LANGUAGE, one);
  document.documentElement.lang = one;
  dispatchEvent(new Event("reverie:language"));
}

/** Makes the words of a list known. Said once per list, where it is imported. */
export function learn(list) {
  for (const [key, pair] of Object.entries(list)) known.set(key, pair);
}

/** Right-to-left words, and letters that turn the direction, keep to themselves inside of a sentence. */
const TURNS = /[\u0590-\u08ff\u202a-\u202e\u2066-\u2069\ufb1d-\ufeff]/;
const isolated = (value) => (TURNS.test(value) ? `\u2068${value}\u2069` : value);

/** The words for a key, with {names} filled in. A key without words is shown as it is, so that it is noticed. */
export function t(key, values) {
  const pair = known.get(key);
  if (!pair) return key;
  const text = pair[current === "en" ? 0 : 1];
  return values ? text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? isolated(String(values[name])) : all)) : text;
}

export const has = (key) => known.has(key);

/** Words that the API uses (kinds, layers, reasons …); those that are new to this console are shown as they are. */
export const term = (group, word) => (has(`${group}.${word}`) ? t(`${group}.${word}`) : String(word).replaceAll("_", " "));

/** A format of this language; they are costly to make, and lists need them for every row. */
const formats = new Map();
function formatOf(Kind, options) {
  const key = JSON.stringify([Kind.name, current, options]);
  if (!formats.has(key)) formats.set(key, new Kind(current, options));
  return formats.get(key);
}

export const number = (value, options) => formatOf(Intl.NumberFormat, options).format(value);
export const share = (value) => number(value, { style: "percent", maximumFractionDigits: 0 });

/** Names one after another. */
export const listed = (names) => names.join(current === "en" ? ", " : "、");

export function bytes(value) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return number(value, { style: "unit", unit: units[unit], unitDisplay: unit ? "short" : "long", maximumFractionDigits: value < 10 && unit ? 1 : 0 });
}

/** A moment of the API, for reading. */
export function moment(value) {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : formatOf(Intl.DateTimeFormat, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** A day, written as moments are. */
export const day = (year, month, date) => formatOf(Intl.DateTimeFormat, { dateStyle: "medium" }).format(new Date(year, month - 1, date));

/** From one day to another, each `[year, month, date]`. Chinese ranges would be written with other signs than days are. */
export function days(from, to) {
  if (current !== "en") return [from, to].map((one) => day(...one)).join(" – ");
  return formatOf(Intl.DateTimeFormat, { dateStyle: "medium" }).formatRange(...[from, to].map(([year, month, date]) => new Date(year, month - 1, date)));
}

export function ago(value) {
  const seconds = (new Date(value).getTime() - Date.now()) / 1000;
  const format = formatOf(Intl.RelativeTimeFormat, { numeric: "auto" });
  for (const [unit, length] of [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3_600], ["minute", 60]]) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? format.format(Math.trunc(seconds), "second") : t("time.justNow");
}
