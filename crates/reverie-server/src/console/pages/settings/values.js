// What is set in a world, and how is it changed? Each change is one request; the server says whether it can be.

import { at, get, put } from "../../api.js";
import { watch } from "../../live.js";
import { say } from "../../parts/toast.js";
import { t } from "../../words.js";
import { OPTIONS, loadOptions, usual } from "./catalogue.js";

/** These are set as a whole, whatever is in them. */
const isWhole = (key, value) => Array.isArray(value) || key === "lore.tags" || value === null || typeof value !== "object";

/** Nested settings as keys with dots. */
export function flatten(settings, prefix = "", flat = new Map()) {
  for (const [name, value] of Object.entries(settings ?? {})) {
    const key = prefix + name;
    if (isWhole(key, value)) flat.set(key, value);
    else flatten(value, `${key}.`, flat);
  }
  return flat;
}

export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The settings of a world, kept up to date until `signal` ends it. */
export async function openSettings(world, signal) {
  const listeners = new Set();
  let [now] = await Promise.all([get(at`/v1/worlds/${world}`, undefined, { signal }), loadOptions()]);
  let flat = flatten(now.settings);
  let lastToast = () => {};

  function take(answer) {
    // Of two answers that overtook each other the later state counts.
    if (answer.revision < now.revision) return;
    const before = flat;
    const hadPreset = now.preset;
    now = answer;
    flat = flatten(answer.settings);
    if (hadPreset !== now.preset || !same([...before], [...flat])) for (const listener of listeners) listener();
  }

  const settings = {
    world,
    preset: () => now.preset,
    nested: () => now.settings,
    flat: () => flat,
    /** What is set here itself: for the world, or for one character. */
    own: (key, character) => flat.get(character ? `${key}@${character}` : key),
    /** What counts if nothing is set here. */
    fallback: (key, character) => (character && flat.has(key) ? flat.get(key) : usual(key, now.preset, flat.get("perspective.profile"), flat.get("language"))),
    value: (key, character) => settings.own(key, character) ?? settings.fallback(key, character),
    isChanged: (key, character) => settings.own(key, character) !== undefined,
    onChange: (listener) => listeners.add(listener),
    /** Before everything is drawn anew. */
    forgetListeners: () => listeners.clear(),

    /**
     * Sends what is in `patch` (full keys; undefined takes a setting back) in one go. Throws what the server says. Told in a toast with a
     * way back.
     */
    async save(patch, { told, preset } = {}) {
      const before = new Map(Object.keys(patch).map((key) => [key, flat.get(key)]));
      const presetBefore = now.preset;
      await send(patch, preset);
      // One at a time: whoever turns many knobs is not to be covered with words.
      lastToast();
      lastToast = say(told ?? t("settings.saved"), {
        undo: () => send(Object.fromEntries(before), preset && presetBefore),
      });
    },
  };

  async function send(patch, preset) {
    const body = {};
    for (const [key, value] of Object.entries(patch)) {
      // An empty text takes back one key; null also all below it, which only lists and maps have.
      const isList = Array.isArray(value) || key === "lore.tags";
      if (value === undefined) body[key] = needsNull(key) ? null : "";
      else if (isList && !Array.isArray(value)) {
        body[key] = null;
        for (const [name, one] of Object.entries(value)) body[`${key}.${name}`] = one;
      } else body[key] = value;
    }
    take(await put(at`/v1/worlds/${world}`, { settings: body, ...(preset ? { preset } : {}) }));
  }

  watch(world, signal, take, now.revision);
  return settings;
}

const needsNull = (key) => ["names", "pairs"].includes(OPTIONS[key]?.type) || /^calendar(\.units)?$/.test(key);
