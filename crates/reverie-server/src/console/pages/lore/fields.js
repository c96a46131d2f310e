// Which fields has an entry, of which type, and which of them belong together? The names are those of the API.

import { listed, number as written, t } from "../../words.js";

const text = (name) => ({ name, type: "text" });
const flag = (name) => ({ name, type: "flag" });
/** True, false, or as the world has it. */
const tri = (name) => ({ name, type: "tri" });
const list = (name, suggest) => ({ name, type: "list", suggest });
const number = (name, limits) => ({ name, type: "number", ...limits });
const choice = (name, options) => ({ name, type: "choice", options });
const count = { min: 0, step: 1 };

export const POSITIONS = ["before_char", "after_char", "note_top", "note_bottom", "at_depth", "examples_top", "examples_bottom", "outlet"];
export const LOGICS = ["and_any", "not_all", "not_any", "and_all"];
export const ROLES = ["system", "user", "assistant"];
export const TRIGGERS = ["keyword", "semantic", "temporal", "emotional"];
export const GENERATIONS = ["normal", "continue", "impersonate", "swipe", "regenerate", "quiet"];

/** What authors need every day comes first; the other groups are closed until they say something. */
export const GROUPS = [
  { name: "common", fields: [text("comment"), { name: "coming", type: "coming" }, list("key"), list("keysecondary"), choice("selectiveLogic", LOGICS), { name: "content", type: "long" }] },
  { name: "place", fields: [choice("position", POSITIONS), number("depth", count), choice("role", ROLES), text("outletName"), number("order", { step: 1 })] },
  { name: "chance", fields: [flag("useProbability"), number("probability", { min: 0, max: 100, step: "any" }), number("sticky", count), number("cooldown", count), number("delay", count), flag("ignoreBudget")] },
  { name: "search", fields: [number("scanDepth", count), tri("caseSensitive"), tri("matchWholeWords"), tri("use_regex"), flag("selective"), flag("matchPersonaDescription"), flag("matchCharacterDescription"), flag("matchCharacterPersonality"), flag("matchCharacterDepthPrompt"), flag("matchScenario"), flag("matchCreatorNotes")] },
  { name: "whom", fields: [list("known_by", "characters"), { name: "characterFilter", type: "filter" }, { name: "conditions", type: "conditions" }, { name: "triggers", type: "several", options: GENERATIONS, words: "lore.generation" }] },
  { name: "beyond", fields: [choice("trigger", TRIGGERS), list("topics"), list("emotions"), number("priority", { min: 0, max: 100, step: 1 }), number("relevance_weight", { min: 0, step: "any" }), number("emotional_weight", { min: 0, step: "any" }), number("time_decay", { min: 0, step: "any" }), number("tick", { step: 1 })] },
  { name: "recursion", fields: [flag("excludeRecursion"), flag("preventRecursion"), { name: "delayUntilRecursion", type: "level" }] },
  { name: "group", fields: [text("group"), number("groupWeight", { min: 0, step: "any" }), flag("groupOverride"), tri("useGroupScoring")] },
  { name: "other", fields: [text("automationId"), flag("addMemo"), number("displayIndex", { step: 1 }), { name: "extra", type: "json" }, { name: "extensions", type: "json" }] },
];

/** What a new entry of SillyTavern says: a group that says only this says nothing. */
const USUAL = { useProbability: true, probability: 100, selective: true, groupWeight: 100, addMemo: true, order: 100, depth: 4 };

export function saysSomething(entry, field) {
  const value = field.type === "json" ? entry[field.name] : entry.fields[field.name];
  if (value === undefined || value === null || value === false || value === "" || value === 0) return false;
  if (value === USUAL[field.name] || field.name === "displayIndex") return false;
  if (field.type === "filter") return (value.names?.length ?? 0) + (value.tags?.length ?? 0) > 0;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** What people call it. */
export function titleOf(entry) {
  const { comment, key, content } = entry.fields;
  return comment || (Array.isArray(key) && listed(key)) || String(content ?? "").slice(0, 80) || entry.id;
}

export const entryCount = (entries) => t(entries === 1 ? "lore.oneEntry" : "lore.entryCount", { entries: written(entries) });
