// Which settings does a world have, and where do they stand on the page? What each of them may be, and what it is when nobody sets it, the
// server tells. Words for them are in words/options.js.

import { get } from "../../api.js";

export const KINDS = ["episodic", "semantic", "trait", "goal"];
export const LEGS = ["lexical", "semantic", "keyword", "temporal", "emotional", "related"];

/** Moved by hand: what matters is more or less. */
const SLIDERS = { "recall.threshold": 0.01, "recall.semantic_floor": 0.01, "recall.near_duplicate": 0.01, "layers.floor": 0.005, "lore.similarity": 0.01, ...Object.fromEntries(LEGS.map((leg) => [`recall.${leg}`, 0.05])) };
/** Marks in prompts: line breaks are seen as \n. */
const isMark = ({ name, kind }) => name.startsWith("perspective.") && kind === "text";
const isLong = (name) => /^digest\.\w+_prompt$/.test(name);
/** Shown only where another one is this. */
const WHEN = { "recall.depth": ["recall.position", "depth"] };

/** Accepted, and yet of no use below: `[least, words]`. */
const TOO_LITTLE = { "prompt.budget": [200, "settings.smallBudget"] };

/** By name; filled once, before any page is drawn that needs it. */
export const OPTIONS = {};
let loading = null;

export function loadOptions() {
  loading ??= get("/v1/settings").then(({ settings }) => {
    for (const one of settings) OPTIONS[one.name] = option(one);
  }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

function option(one) {
  const { name, kind, minimum: least, maximum: most, choices: values = [] } = one;
  const common = { usual: one.default, differs: one.differs ?? {}, personal: one.personal, when: WHEN[name], tooLittle: TOO_LITTLE[name] };
  if (name === "recall.template") return { ...common, type: "template", usual: "" };
  if (isMark(one)) return { ...common, type: "mark" };
  if (isLong(name)) return { ...common, type: "long", usual: "" };
  switch (kind) {
    case "flag": return { ...common, type: "flag" };
    case "integer": return { ...common, type: "number", least, most, step: 1 };
    case "number": return SLIDERS[name] ? { ...common, type: "slider", least, most, step: SLIDERS[name] } : { ...common, type: "number", least, most, step: "any" };
    case "choice": return { ...common, type: "choice", values };
    case "texts": return { ...common, type: "names" };
    case "named": return { ...common, type: "pairs", usual: {} };
    // Some words, or something else: a number, a name.
    case "text": return values.length ? { ...common, type: "offers", values } : { ...common, type: "text", usual: one.default ?? "" };
    // One that this page does not know yet is shown as it is.
    default: return { ...common, type: "json" };
  }
}

/** In the order of the server's own list. */
const below = (prefix) => Object.keys(OPTIONS).filter((key) => key.startsWith(prefix));
const rest = (prefix, shown) => below(prefix).filter((key) => !shown.includes(key) && !/^layers\.\w+\.(capacity|decay|hours)$/.test(key));

const loreFirst = ["lore.depth", "lore.budget_percent", "lore.recursive", "lore.similarity"];
const digestFirst = ["digest.enabled", "digest.models", "digest.idle_seconds"];
const perspectiveFirst = ["perspective.profile", "perspective.addressed_names", "perspective.emotion_in_scene"];

/** A table of settings: rows × columns of keys. */
const table = (name, rows, columns, key) => ({ table: name, rows, columns, key });
const byKind = (name, columns) => table(name, KINDS, columns, (kind, column) => `recall.${column}.${kind}`);

/** In the order of the page. `personal`: can be set for one character alone. */
export const groups = () => [
  {
    id: "recall",
    personal: true,
    first: ["recall.enabled", "recall.threshold", byKind("kinds", ["most", "constant"]), "recall.time_decay", "recall.emotional_boost"],
    more: [
      ...LEGS.map((leg) => `recall.${leg}`),
      byKind("worth", ["weight", "emotional_weight", "decay"]),
      "recall.said", "recall.near_duplicate", "recall.archive", "recall.semantic_top", "recall.semantic_floor",
    ],
  },
  {
    id: "writing",
    personal: true,
    first: ["recall.max_chars", "recall.max_memory_chars", "recall.position", "recall.depth", "recall.by_kind", "recall.show_time", "recall.show_source", "recall.template"],
    more: ["recall.max_tokens"],
  },
  {
    id: "prompt",
    first: ["prompt.budget", "language", "prompt.history"],
    more: ["prompt.background_lines", "prompt.background_percent", "prompt.counter", "narrator.names", "embedder", "prompt.embed_ms"],
  },
  { id: "audience", first: ["audience"], more: [] },
  { id: "digest", first: digestFirst, more: rest("digest.", digestFirst) },
  {
    id: "layers",
    first: [
      table("layers", ["active", "situational", "events", "archive"], ["capacity", "decay", "hours"], (layer, column) => `layers.${layer}.${column}`),
      "layers.hour",
    ],
    more: [table("storage", ["semantic", "trait", "goal"], ["capacity"], (kind, column) => `layers.${kind}.${column}`), "layers.floor", "layers.era_days"],
  },
  { id: "calendar", first: [], more: [], special: "calendar" },
  { id: "lore", first: loreFirst, more: rest("lore.", loreFirst) },
  { id: "perspective", first: perspectiveFirst, more: rest("perspective.", perspectiveFirst) },
  { id: "models", first: [], more: [], special: "models" },
];

/** What a setting is where nobody sets it. */
export function usual(key, preset, profile, language) {
  const option = OPTIONS[key];
  if (!option) return undefined;
  // A profile that is named is taken as it is, without what a preset does to it.
  const isNamed = key.startsWith("perspective.") && profile !== undefined;
  const value = option.differs[isNamed ? profile : preset] ?? option.usual;
  // What a language says counts where there would be nothing.
  return value === "" ? (option.differs[language] ?? value) : value;
}

export const canBePersonal = (key) => OPTIONS[key]?.personal === true;
