// What does it lean on, and what fails?

import { h } from "../../dom.js";
import { since } from "../../parts/since.js";
import { noted } from "../../parts/trouble.js";
import { listed, moment, number, t } from "../../words.js";
import { dependencyName } from "./overview.js";

const TONES = { closed: "good", open: "bad", half_open: "warn" };

export function dependencies(health) {
  return [
    h("h2", {}, t("health.dependencies")),
    h("ul", { class: "leans" }, health.dependencies.map((one) => h("li", {},
      h("p", { class: "leans-head" }, h("strong", {}, dependencyName(one.name)), h("span", { class: `chip ${TONES[one.state] ?? "warn"}` }, t(`health.breaker.${one.state}`)), one.failures > 0 && h("span", { class: "faint small" }, t("health.failures", { count: number(one.failures) }))),
      one.state !== "closed" && one.since && h("p", { class: "small faint" }, t("health.since", { time: moment(one.since) }), one.next_probe && [" · ", since(one.next_probe, (time) => t("health.nextProbe", { time }))]),
      trouble(one.last_failure)))),
  ];
}
dependencies.of = (health) => health.dependencies;

export function upstreams(health) {
  if (!health.upstreams) return null;
  const title = h("h2", {}, t("health.upstreams"));
  if (health.upstreams.length === 0) return [title, h("p", { class: "faint" }, t("health.noUpstream"), " ", h("a", { href: "#/" }, t("nav.start")))];
  return [
    title,
    h("ul", { class: "leans" }, health.upstreams.map((one) => h("li", {},
      h("p", { class: "leans-head" }, h("strong", {}, one.name), h("span", { class: isFailing(one) ? "chip bad" : "chip good" }, isFailing(one) ? t("health.upstreamFails") : one.last_answer ? t("health.upstreamWell") : t("health.upstreamUnused")),
        h("span", { class: "faint small" }, t("health.answersText", { answered: number(one.answered), failed: number(one.failed) }))),
      one.models.length > 0 && h("p", { class: "small faint" }, listed(one.models)),
      one.last_answer && h("p", { class: "small faint" }, since(one.last_answer, (ago) => t("health.lastAnswer", { ago }))),
      trouble(one.last_failure)))),
  ];
}
upstreams.of = (health) => health.upstreams;

/** The last word was a failure. */
const isFailing = (one) => Boolean(one.last_failure) && !(one.last_answer && Date.parse(one.last_answer) > Date.parse(one.last_failure.at ?? 0));

const trouble = (failure) => failure && h("p", { class: "trouble small" }, h("span", { class: "faint" }, failure.at && since(failure.at, (ago) => `${ago}: `)), noted(failure));
