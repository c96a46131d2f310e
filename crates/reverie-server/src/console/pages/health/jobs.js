// What are models to be asked, in all worlds, and what is stuck?

import { all, at, get, post } from "../../api.js";
import { h, replace } from "../../dom.js";
import { since } from "../../parts/since.js";
import { guarded, say } from "../../parts/toast.js";
import { inWords, noted, serverWords } from "../../parts/trouble.js";
import { to } from "../../router.js";
import { names } from "../../shell.js";
import { listed, number, t } from "../../words.js";

/** Looked at, and told if there is more. */
const MOST_WORLDS = 50;
const MOST_PAGES = 3;
const SHOWN = 60;
/** Of whoever a job is for. */
const NAMED = 4;

export function jobs(signal) {
  const body = h("div", {});
  const element = h("section", { class: "card jobs" }, h("h2", {}, t("health.jobs")), h("p", { class: "faint" }, t("health.jobsText")), body);
  let said = "";
  /** By world, for as long as nobody is met whom they do not know. */
  const casts = new Map();

  /** What cannot be read now is said here: the rest of the page says why. */
  element.refresh = async () => {
    try {
      await read();
    } catch (error) {
      if (signal.aborted) throw error;
      said = "";
      replace(body, h("p", { class: "faint" }, inWords(error)));
    }
  };

  async function read() {
    const worlds = await all("/v1/worlds", {}, { most: 500, signal });
    const found = [];
    let isMore = worlds.length > MOST_WORLDS;
    for (const { id } of worlds.slice(0, MOST_WORLDS)) {
      let cursor;
      for (let page = 0; page < MOST_PAGES; page++) {
        const answer = await get(at`/v1/worlds/${id}/jobs`, { limit: 100, cursor }, { signal });
        found.push(...answer.items.filter((job) => job.state !== "done").map((job) => ({ ...job, world: id })));
        cursor = answer.next;
        if (cursor === undefined) break;
      }
      isMore ||= cursor !== undefined;
    }
    await meet(found);
    const now = JSON.stringify([found, isMore]);
    if (now === said || signal.aborted) return;
    said = now;
    draw(found, isMore);
  }

  /** Whoever has no name, or whose names cannot be read now, goes by the id. */
  async function meet(found) {
    for (const [id, jobs] of Map.groupBy(found, (job) => job.world)) {
      const unknown = jobs.flatMap((job) => job.holders.slice(0, NAMED)).filter((one) => !casts.get(id)?.asked.has(one));
      if (unknown.length === 0) continue;
      const asked = new Set([...(casts.get(id)?.asked ?? []), ...unknown]);
      try {
        casts.set(id, { asked, name: (await names(id, signal)).name });
      } catch (error) {
        if (signal.aborted) throw error;
      }
    }
  }

  function draw(found, isMore) {
    if (found.length === 0) return replace(body, h("p", {}, h("span", { class: "chip good" }, t("health.noJobs"))));
    const stuck = (job) => Number(Boolean(job.held_up || job.trouble));
    const sorted = [...found].sort((a, b) => stuck(b) - stuck(a));
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    replace(body, h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("health.jobs") }, h("table", {},
      h("thead", {}, h("tr", {}, ["world", "what", "state", "why"].map((key) => h("th", { scope: "col" }, t(`health.job.${key}`))), h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, t("health.retry"))))),
      h("tbody", {}, sorted.slice(0, SHOWN).map(row)))),
      h("p", { class: "hint" }, t("health.jobsCount", { count: number(found.length) }), isMore && ` ${t("health.jobsMore")}`));
    if (focused) [...body.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus();
  }

  function row(job) {
    const what = t(`health.jobKind.${job.kind}`);
    const whom = listed(job.holders.slice(0, NAMED).map((one) => casts.get(job.world)?.name(one) ?? one)) + (job.holders.length > NAMED ? " …" : "");
    const reason = [job.held_up && t(`health.heldUp.${job.held_up.reason}`), serverWords(job.held_up?.message), job.trouble && noted(job.trouble)].filter(Boolean);
    const retry = guarded(async () => {
      await post(at`/v1/worlds/${job.world}/jobs/${job.id}/retry`, {}, { signal });
      say(t("health.retried"));
      await element.refresh();
    });
    return h("tr", {},
      h("td", {}, h("a", { href: to`/worlds/${job.world}` }, job.world)),
      h("td", {}, what, h("span", { class: "hint block" }, whom)),
      h("td", {}, h("span", { class: `chip ${job.state === "asked" ? "accent" : job.trouble || job.held_up ? "warn" : ""}` }, t(`health.jobState.${job.state}`)),
        job.due && job.state === "waiting" && h("span", { class: "hint block" }, since(job.due)),
        job.attempts > 0 && h("span", { class: "hint block" }, t("health.attempts", { count: number(job.attempts) }))),
      h("td", { class: "reason" }, reason.length ? reason.map((one, index) => h("span", { class: index ? "hint block" : "block" }, one)) : h("span", { class: "faint" }, "–")),
      h("td", {}, job.state !== "asked" && h("button", { type: "button", dataset: { key: `${job.world}/${job.id}` }, "aria-label": t("health.retryOf", { what, world: job.world }), onclick: retry }, t("health.retry"))));
  }
  return element;
}
