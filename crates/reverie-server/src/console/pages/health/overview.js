// How it is, in words; what becomes memories; what models are asked, and what that costs.

import { h } from "../../dom.js";
import { since } from "../../parts/since.js";
import { serverWords, trouble } from "../../parts/trouble.js";
import { moment, number, share, t } from "../../words.js";

const TONES = { ok: "good", degraded: "warn", unavailable: "bad" };

export function overview(health) {
  const troubles = [
    health.error && t("health.storeAway", { message: health.error.message }),
    health.digest.worker === "failing" && t("health.digestFails"),
    ...health.dependencies.filter((one) => one.state !== "closed").map((one) => t("health.without", { name: dependencyName(one.name) })),
  ].filter(Boolean);
  return [
    h("div", { class: `verdict ${TONES[health.status] ?? "warn"}` },
      h("span", { class: "light", "aria-hidden": "true" }),
      h("div", {}, h("h2", {}, t(`health.status.${health.status}`)), h("p", {}, t(`health.status.${health.status}.text`)),
        troubles.length > 0 && h("ul", {}, troubles.map((one) => h("li", {}, one))))),
    h("dl", { class: "numbers" },
      figure(t("health.version"), health.version),
      figure(t("health.uptime"), duration(health.uptime_seconds)),
      health.queue && figure(t("health.queue"), t("health.queueText", { working: number(health.queue.working), waiting: number(health.queue.waiting) })),
      health.recall && figure(t("health.prompts"), number(health.recall.recalls))),
  ];
}
overview.of = ({ recall, minds, ...rest }) => ({ ...rest, recalls: recall?.recalls });

/** Nobody says how it is. */
export function away(error) {
  const { words, detail } = trouble(error);
  return h("div", { class: "verdict bad" }, h("span", { class: "light", "aria-hidden": "true" }), h("div", {}, h("h2", {}, words), h("p", {}, t("health.away")), serverWords(detail)));
}

const figure = (label, value) => h("div", {}, h("dt", {}, label), h("dd", {}, value));

export function dependencyName(name) {
  const known = { database: "health.dep.database", vectors: "health.dep.vectors", "models.chat": "health.dep.chat", "models.embedding": "health.dep.embedding" };
  return known[name] ? t(known[name]) : name;
}

function duration(seconds) {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return t("health.daysHours", { days: number(days), hours });
  if (hours > 0) return t("health.hoursMinutes", { hours, minutes });
  return minutes > 0 ? t("health.minutes", { minutes }) : t("health.seconds", { seconds });
}

export function digest({ digest: told }) {
  return [
    h("h2", {}, t("health.digest")),
    h("p", {}, h("span", { class: `chip ${told.worker === "failing" ? "bad" : told.worker === "working" ? "accent" : "good"}` }, t(`health.worker.${told.worker}`)), " ",
      h("span", { class: "faint" }, told.last_run ? since(told.last_run, (ago) => t("health.lastRun", { ago })) : t("health.notYet"))),
    h("dl", { class: "facts" },
      h("dt", {}, t("health.waiting")), h("dd", {}, number(told.waiting_conversations)),
      h("dt", {}, t("health.made")), h("dd", {}, number(told.memories)),
      told.failing_worlds > 0 && [h("dt", {}, t("health.failingWorlds")), h("dd", {}, h("span", { class: "chip bad" }, number(told.failing_worlds)))]),
    h("p", { class: "hint" }, t("health.waitingHint")),
  ];
}

export function models({ models: told }) {
  const { spend } = told;
  const title = h("h2", {}, t("health.models"));
  if (told.driver === "off") return [title, h("p", {}, h("span", { class: "chip" }, t("health.driver.off"))), h("p", { class: "faint" }, t("health.modelsOff"))];
  const used = spend.per_hour ? Math.min(1, (spend.this_hour ?? 0) / spend.per_hour) : null;
  return [
    title,
    h("p", {}, h("span", { class: `chip ${told.driver === "resting" ? "warn" : "good"}` }, t(`health.driver.${told.driver}`)), " ",
      told.resting_until && h("span", { class: "faint" }, t("health.restsUntil", { time: moment(told.resting_until) }))),
    used !== null && h("div", { class: "measure" },
      h("p", { class: "measure-head" }, h("span", {}, t("health.budget")), h("span", {}, t("health.ofTokens", { used: number(spend.this_hour ?? 0), all: number(spend.per_hour) }))),
      bar(used, t("health.budget"), used >= 0.9)),
    h("dl", { class: "facts" },
      h("dt", {}, t("health.tokens")), h("dd", {}, t("health.tokensText", { input: number(spend.input_tokens), output: number(spend.output_tokens) })),
      used === null && [h("dt", {}, t("health.budget")), h("dd", {}, t("health.noBudget"))],
      h("dt", {}, t("health.answers")), h("dd", {}, t("health.answersText", { answered: number(told.answered), failed: number(told.failed) })),
      h("dt", {}, t("health.ofAnswers")), h("dd", {}, t("health.ofAnswersText", { memories: number(told.memories), rejected: number(told.rejected) }))),
  ];
}

/** How much of something is used. */
export function bar(part, label, isHigh) {
  return h("div", { class: isHigh ? "meter high" : "meter", role: "meter", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(part * 100), "aria-valuetext": share(part) },
    h("span", { style: { width: `${Math.max(part > 0 ? 1 : 0, part * 100)}%` } }));
}
