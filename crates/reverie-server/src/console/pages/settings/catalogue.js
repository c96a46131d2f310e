// Which settings does a world have, what are they when nobody sets them, and where do they stand on the page?
// Words for them are in words/options.js. Whether a value can be is for the server to say.

const flag = (usual) => ({ type: "flag", usual });
/** Moved by hand: what matters is more or less. */
const slider = (usual, most, step) => ({ type: "slider", usual, least: 0, most, step });
const weight = (usual) => slider(usual, 2, 0.05);
const part = (usual) => slider(usual, 1, 0.01);
const count = (usual, more) => ({ type: "number", usual, least: 0, step: 1, ...more });
const real = (usual, more) => ({ type: "number", usual, least: 0, most: 1, step: "any", ...more });
const choice = (usual, values, more) => ({ type: "choice", usual, values, ...more });
const text = (usual = "", more) => ({ type: "text", usual, ...more });
const long = () => ({ type: "long", usual: "" });
/** Marks in prompts: line breaks are seen as \n. */
const mark = (usual, more) => ({ type: "mark", usual, ...more });

export const KINDS = ["episodic", "semantic", "trait", "goal"];
export const LEGS = ["lexical", "semantic", "keyword", "temporal", "emotional", "related"];

const kinds = (name, of, usual) => Object.fromEntries(KINDS.map((kind, index) => [`recall.${name}.${kind}`, of(usual[index])]));

export const OPTIONS = {
  "recall.enabled": flag(true),
  "recall.threshold": part(0.3),
  "recall.lexical": weight(1),
  "recall.semantic": weight(1),
  "recall.keyword": weight(0.5),
  "recall.temporal": weight(0.4),
  "recall.emotional": weight(0.2),
  "recall.related": weight(0.15),
  "recall.time_decay": flag(true),
  "recall.emotional_boost": flag(true),
  "recall.semantic_top": count(0),
  "recall.semantic_floor": part(0),
  "recall.near_duplicate": part(0.85),
  "recall.archive": flag(true),
  "recall.said": count(4, { most: 1000 }),
  ...kinds("most", count, [3, 2, 5, 3]),
  ...kinds("weight", (usual) => real(usual, { most: 2 }), [0.8, 0.9, 1, 0.8]),
  ...kinds("emotional_weight", (usual) => real(usual, { most: 2 }), [0.5, 0.3, 0.5, 0.7]),
  ...kinds("decay", real, [0.1, 0.05, 0.01, 0.02]),
  ...kinds("constant", flag, [false, false, true, false]),
  "recall.max_chars": count(2000),
  "recall.max_tokens": count(0),
  "recall.max_memory_chars": count(600),
  "recall.position": choice("system", ["system", "user", "assistant", "depth"]),
  "recall.depth": count(4, { most: 10_000, when: ["recall.position", "depth"] }),
  "recall.by_kind": flag(true),
  "recall.show_time": flag(false),
  "recall.show_source": flag(false),
  "recall.template": { type: "template", usual: "" },
  "prompt.budget": count(16_384),
  "prompt.history": choice("primary", ["primary", "conversation"], { bot: "conversation" }),
  "prompt.background_lines": count(10),
  "prompt.background_percent": count(25, { most: 100 }),
  "prompt.counter": choice("estimate", ["estimate", "o200k"]),
  "prompt.embed_ms": count(300, { most: 60_000 }),
  embedder: text("default", { offers: ["default", "offline", "none"] }),
  language: choice("zh", ["zh", "en"]),
  "narrator.names": { type: "names", usual: ["旁白", "Narrator"] },
  audience: choice("open", ["open", "same-conversation", "strict"], { bot: "strict" }),
  "digest.enabled": flag(true),
  "digest.models": flag(true),
  "digest.idle_seconds": count(300),
  "digest.round_lines": count(60),
  "digest.abandoned_seconds": count(3600),
  "digest.decide": flag(true),
  "digest.prompts": choice("full", ["full", "single"]),
  "digest.batch_rounds": count(4, { most: 100 }),
  "digest.batch_seconds": count(600),
  "digest.batch_tokens": count(3000),
  "digest.chunk_chars": count(300),
  "digest.decide_prompt": long(),
  "digest.summarise_prompt": long(),
  "digest.retell_prompt": long(),
  "layers.hour": text("calendar", { offers: ["calendar", "wall", "never"] }),
  "layers.floor": part(0.025),
  "layers.era_days": count(15),
  "layers.active.capacity": count(6),
  "layers.active.hours": count(24),
  "layers.situational.capacity": count(20),
  "layers.situational.decay": real(0.05),
  "layers.events.capacity": count(50),
  "layers.events.decay": real(0.00384),
  "layers.archive.capacity": count(50),
  "layers.archive.decay": real(0.00128),
  "layers.semantic.capacity": count(500),
  "layers.trait.capacity": count(100),
  "layers.goal.capacity": count(100),
  "lore.depth": count(2),
  "lore.budget_percent": count(25, { most: 100 }),
  "lore.budget_cap": count(0),
  "lore.recursive": flag(false),
  "lore.max_recursion_steps": count(0),
  "lore.min_activations": count(0),
  "lore.min_activations_depth_max": count(0),
  "lore.include_names": flag(true),
  "lore.case_sensitive": flag(false),
  "lore.whole_words": flag(false),
  "lore.group_scoring": flag(false),
  "lore.fold_width": flag(false),
  "lore.fold_script": flag(false),
  "lore.similarity": part(0.3),
  "lore.similar_entries": count(5, { most: 1000 }),
  "lore.tags": { type: "pairs", usual: {} },
  "perspective.profile": choice("example", ["example", "rule-text"]),
  "perspective.emotion_in_scene": choice("hidden", ["hidden", "before-content"], { ruled: "before-content" }),
  "perspective.addressed_names": choice("hidden", ["hidden", "when-several", "always"], { bot: "when-several" }),
  "perspective.name_separator": mark("：", { ruled: ": " }),
  "perspective.unknown_name": mark("未知"),
  "perspective.scene_open": mark("{"),
  "perspective.scene_close": mark("}"),
  "perspective.emotion_open": mark("【"),
  "perspective.emotion_close": mark("】"),
  "perspective.tts_open": mark("<"),
  "perspective.tts_close": mark(">"),
  "perspective.action_open": mark("（"),
  "perspective.action_close": mark("）"),
  "perspective.scene_joiner": mark("\n"),
  "perspective.after_scene": mark("\n", { ruled: " \n " }),
  "perspective.addressed_joiner": mark("", { bot: "\n", ruled: " " }),
  "perspective.own_joiner": mark(""),
};

const below = (prefix) => Object.keys(OPTIONS).filter((key) => key.startsWith(prefix));
const rest = (prefix, shown) => below(prefix).filter((key) => !shown.includes(key) && !/^layers\.\w+\.(capacity|decay|hours)$/.test(key));

const loreFirst = ["lore.depth", "lore.budget_percent", "lore.recursive", "lore.similarity"];
const digestFirst = ["digest.enabled", "digest.models", "digest.idle_seconds"];
const perspectiveFirst = ["perspective.profile", "perspective.addressed_names", "perspective.emotion_in_scene"];

/** A table of settings: rows × columns of keys. */
const table = (name, rows, columns, key) => ({ table: name, rows, columns, key });
const byKind = (name, columns) => table(name, KINDS, columns, (kind, column) => `recall.${column}.${kind}`);

/** In the order of the page. `personal`: can be set for one character alone. */
export const GROUPS = [
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
export function usual(key, preset, profile) {
  const option = OPTIONS[key];
  if (!option) return undefined;
  if (profile === "rule-text" && option.ruled !== undefined) return option.ruled;
  // A profile that is named is taken as it is, without what a bot's preset does to it.
  const isNamed = key.startsWith("perspective.") && profile !== undefined;
  return preset === "bot" && option.bot !== undefined && !isNamed ? option.bot : option.usual;
}

export const canBePersonal = (key) => key.startsWith("recall.");
