// Other settings for this one prompt: moved by hand, seen at once, saved when they are good.

import { h, replace } from "../../dom.js";
import { drafts } from "../../parts/drafts.js";
import { guarded } from "../../parts/toast.js";
import { inWords } from "../../parts/trouble.js";
import { to } from "../../router.js";
import { t, term } from "../../words.js";
import { KINDS, LEGS } from "../settings/catalogue.js";
import { input, nameOf } from "../settings/control.js";
import { same } from "../settings/values.js";

const of = (name) => KINDS.map((kind) => `recall.${name}.${kind}`);
const LIMITS = ["recall.threshold", ...of("most"), "recall.max_chars"];
const MORE = ["recall.enabled", "recall.time_decay", "recall.emotional_boost", "recall.archive", "recall.by_kind", "recall.said", "recall.near_duplicate", "recall.semantic_floor", ...of("weight"), ...of("decay")];

const label = (key) => {
  const [, name, kind] = key.split(".");
  return kind ? t("settings.pair", { name: nameOf(`recall.${name}`), of: term("kind", kind) }) : LEGS.includes(name) ? t(`leg.${name}`) : nameOf(key);
};

/** Trials that are not saved yet, by world. */
const begun = drafts((trial) => trial.size > 0);

/** `who()`: the character that is about to speak. `changed()` is told whenever the trial is another one. */
export function trialPanel({ settings, who, cast, changed }) {
  const trial = begun.get(settings.world) ?? new Map();
  begun.set(settings.world, trial);
  const rows = new Map();
  const status = h("p", { class: "hint", role: "status", tabindex: "-1" });
  const cannot = h("p", { class: "wrong", hidden: true }, t("trial.cannot"));

  const stored = (key) => settings.value(key, who());
  function put(key, value) {
    if (value === undefined || same(value, stored(key))) trial.delete(key);
    else trial.set(key, value);
    tell();
    changed();
  }

  const row = (key) => {
    const made = input(key, { label: label(key), changed: () => put(key, made.read()) });
    // Numbers are tried while they are typed, too.
    if (made.element.type === "number") made.element.addEventListener("input", () => made.read() !== undefined && made.element.validity.valid && put(key, made.read()));
    const element = h("div", { class: "dial", dataset: { key, type: made.element.type ?? "slider" } }, h("span", { class: "dial-name", "aria-hidden": "true", title: key }, label(key)), made.element);
    rows.set(key, { made, element });
    return element;
  };

  const allOf = h("a", {}, t("trial.all"));
  const saveCharacter = h("button", { type: "button", class: "primary", onclick: guarded(() => save(who())) });
  const saveWorld = h("button", { type: "button", onclick: guarded(() => save()) }, t("trial.saveWorld"));
  const reset = h("button", { type: "button", class: "quiet", onclick: () => { clear(); status.focus({ preventScroll: true }); } }, t("trial.reset"));

  async function save(character) {
    const patch = Object.fromEntries([...trial].map(([key, value]) => [character ? `${key}@${character}` : key, value]));
    const hidden = !character && [...trial.keys()].some((key) => settings.own(key, who()) !== undefined);
    const told = character ? t("trial.savedCharacter", { name: cast.name(character) }) : t("trial.savedWorld");
    await settings.save(patch, { told: hidden ? `${told} ${t("trial.hidesOwn", { name: cast.name(who()) })}` : told });
    const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
    clear();
    // With nothing to save the button that was clicked cannot hold the focus.
    if (hadFocus) status.focus({ preventScroll: true });
  }

  function clear() {
    trial.clear();
    draw();
    changed();
  }

  function tell() {
    const n = trial.size;
    for (const [key, { element }] of rows) element.classList.toggle("changed", trial.has(key));
    for (const button of [saveCharacter, saveWorld, reset]) button.disabled = n === 0;
    saveCharacter.textContent = t("trial.saveCharacter", { name: cast.name(who()) });
    allOf.href = `${to`/worlds/${settings.world}/settings`}?character=${encodeURIComponent(who())}`;
    status.textContent = n ? t("trial.changed", { n }) : t("trial.none");
  }
  function draw() {
    for (const [key, { made }] of rows) if (!trial.has(key) && document.activeElement !== made.element) made.write(stored(key));
    tell();
  }

  const element = h("details", { class: "card trial", open: matchMedia("(min-width: 52rem)").matches },
    h("summary", {}, h("h2", {}, t("trial.title")), h("span", { class: "hint" }, t("trial.hint"))),
    h("h3", {}, t("trial.legs")), h("div", { class: "dials" }, LEGS.map((leg) => row(`recall.${leg}`))),
    h("h3", {}, t("trial.limits")), h("div", { class: "dials" }, LIMITS.map(row)),
    h("details", {}, h("summary", {}, t("trial.more")), h("div", { class: "dials" }, MORE.map(row))),
    cannot,
    h("p", { class: "actions" }, saveCharacter, saveWorld, reset, status, allOf));
  settings.onChange(() => {
    for (const [key, value] of trial) if (same(value, stored(key))) trial.delete(key);
    draw();
    changed();
  });
  for (const [key, value] of trial) {
    if (same(value, stored(key))) trial.delete(key);
    else rows.get(key)?.made.write(value);
  }
  draw();
  return {
    element,
    draw,
    settings: () => (trial.size ? Object.fromEntries(trial) : undefined),
    /** What counts for the prompt. */
    value: (key) => (trial.has(key) ? trial.get(key) : stored(key)),
    /** An older server takes no settings with a cue. */
    refuse: (isSo) => { cannot.hidden = !isSo; },
    wrong(error) { replace(cannot, inWords(error)); cannot.hidden = false; },
  };
}
