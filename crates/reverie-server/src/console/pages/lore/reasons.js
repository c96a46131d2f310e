// Why is an entry active, or not? The reason and its details as a sentence.

import { number, t, term } from "../../words.js";

const some = (value, more) => [value].flat().map(String).join(t("lore.comma")) + (more ? ` … +${more}` : "");

function where(detail, nameOf) {
  if (detail.in === "message") return detail.message === 0 ? t("lorewhy.newest") : t(detail.message === 1 ? "lorewhy.second" : "lorewhy.message", { number: number(detail.message), place: number(detail.message + 1) });
  if (detail.in === "entry") return t("lorewhy.entry", { entry: nameOf(detail) });
  return term("lorewhy.in", detail.in);
}

function test(detail) {
  const [name] = ["is", "is_not", "set", "at_least", "at_most"].filter((one) => one in detail);
  if (!name) return "";
  return name === "set" ? t(detail.set ? "lore.test.set" : "lore.test.not_set") : `${t(`lore.test.${name}`)} ${some(detail[name])}`;
}

const SENTENCES = {
  key: (detail, nameOf) => t("lorewhy.key", { key: detail.key, where: where(detail, nameOf) }) + (detail.secondary ? t("lorewhy.with", { keys: some(detail.secondary) }) : ""),
  similarity: (detail) => t("lorewhy.similarity", { score: number(detail.score) }),
  time: (detail) => t("lorewhy.time", { near: number(detail.near) }),
  mood: (detail) => t("lorewhy.mood", { emotion: detail.emotion }),
  topic: (detail) => t("lorewhy.topic", { topic: detail.topic }),
  disabled: (detail) => (detail.category ? t("lorewhy.category", { category: detail.category }) : t("lorewhy.disabled")),
  other_generation: (detail) => t("lorewhy.other_generation", { wanted: some(detail.wanted), present: some(detail.present) }),
  filtered: (detail) => t(detail.unwanted ? "lorewhy.unwanted" : "lorewhy.wanted", { named: some(detail.unwanted ?? detail.wanted), present: some(detail.present, detail.present_more) }),
  not_known_by_character: (detail) => t("lorewhy.not_known_by_character", { wanted: some(detail.wanted) }),
  condition: (detail) => (detail.unreadable ? t("lorewhy.unreadable", { why: detail.unreadable })
    : t("lorewhy.condition", { fact: detail.fact, test: test(detail), present: detail.given === false ? t("lorewhy.notGiven") : some(detail.present, detail.present_more) })),
  delayed: (detail) => t("lorewhy.delayed", { missing: number(detail.missing) }),
  not_this_time: (detail) => t("lorewhy.not_this_time", { every: number(detail.every) }),
  cooling_down: (detail) => t("lorewhy.cooling_down", { left: number(detail.left) }),
  not_searched: (detail) => t("lorewhy.not_searched", { key: detail.key }),
  not_reached: (detail, nameOf) => t("lorewhy.not_reached", { key: detail.key ?? "", where: where(detail, nameOf), stop: term("lorewhy.stop", detail.stopped_by) }),
  secondary: (detail) => t("lorewhy.secondary", { key: detail.key, logic: term("lore.selectiveLogic", detail.logic), found: [detail.found].flat().length ? some(detail.found) : t("lorewhy.none") }),
  excluded_by: (detail) => t("lorewhy.excluded_by", { key: detail.key, by: detail.by }),
  lost_group: (detail, nameOf) => t("lorewhy.lost_group", { group: detail.group, how: term("lorewhy.how", detail.how), winner: detail.winner ? nameOf({ entry: detail.winner }) : "" }),
  over_budget: (detail) => t("lorewhy.over_budget", { needed: number(detail.needed), budget: number(detail.budget) }),
};

/** What besides keys could have set it off, and what was there instead. */
function missed({ similarity, mood, topic, time }) {
  return [
    similarity && (similarity.unknown ? t("lorewhy.unlikeUnknown", { why: term("lorewhy.unknown", similarity.unknown) }) : t("lorewhy.unlike", { score: number(similarity.score), threshold: number(similarity.threshold ?? 0) })),
    time && (time.unknown ? t("lorewhy.timeUnknown", { why: term("lorewhy.unknown", time.unknown) }) : t("lorewhy.farAway", { days: number(time.days) })),
    mood && t("lorewhy.otherMood", { wanted: some(mood.wanted), present: mood.present?.length ? some(mood.present, mood.present_more) : t("lorewhy.none") }),
    topic && t("lorewhy.otherTopic", { wanted: some(topic.wanted), named: topic.named?.length ? some(topic.named, topic.named_more) : t("lorewhy.none") }),
  ].filter(Boolean);
}

/** `nameOf({book?, entry})` knows what entries are called. */
export function sentence(why, nameOf) {
  const { reason, detail } = why;
  const main = SENTENCES[reason] ? SENTENCES[reason](detail, nameOf) : term("lorewhy", reason);
  const isObject = (part) => typeof part === "object";
  const more = missed(Object.fromEntries(Object.entries(detail).filter(([, part]) => isObject(part) && !Array.isArray(part))));
  // A chance is of a hundred; what is drawn from a group is of what all in it weigh.
  if (detail.roll !== undefined) more.push(detail.total === undefined ? t("lorewhy.roll", { roll: number(detail.roll), chance: number(detail.chance) }) : t("lorewhy.drawn", { roll: number(detail.roll), total: number(detail.total) }));
  const isSaid = ["not_similar", "not_its_time", "not_in_mood", "not_on_topic"].includes(reason) && more.length > 0;
  return [isSaid ? null : main, ...more].filter(Boolean).join(" · ");
}
