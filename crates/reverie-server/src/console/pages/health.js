// Is the server well? What it says of itself, while somebody looks.

import { h, replace } from "../dom.js";
import { guarded } from "../parts/toast.js";
import { trouble } from "../parts/trouble.js";
import { learn, t } from "../words.js";
import words from "../words/health.js";
import { backups } from "./health/backups.js";
import { dependencies, upstreams } from "./health/dependencies.js";
import { jobs } from "./health/jobs.js";
import { look } from "./health/look.js";
import { latencies } from "./health/latencies.js";
import { away, digest, models, overview } from "./health/overview.js";
import { sizes } from "./health/sizes.js";

learn(words);

const EVERY_MS = 2000;
const JOBS_EVERY = 8;

export async function show(page, { signal }) {
  page.classList.add("health-page");
  const told = h("p", { class: "faint small" });
  const verdict = h("p", { class: "visually-hidden", role: "status" });
  const parts = [overview, digest, models, latencies, sizes, dependencies, upstreams].map((draw) => ({ draw, place: h("section", { class: "card", dataset: { part: draw.name } }), said: "" }));
  const work = jobs(signal);
  const copies = backups(signal);
  const [first, ...rest] = parts.map(({ place }) => place);
  replace(page,
    h("div", { class: "head" }, h("h1", {}, t("health.title")), h("span", { class: "grow" }, told),
      h("button", { type: "button", onclick: guarded(async () => { await refresh().catch(doubt); await work.refresh(); }) }, t("health.refresh"))),
    first,
    h("div", { class: "health-grid" }, rest),
    work, copies, verdict);

  let round = 0;
  async function refresh() {
    const health = await look(signal);
    for (const part of parts) {
      const said = JSON.stringify(part.draw.of ? part.draw.of(health) : health);
      if (said === part.said) continue;
      part.said = said;
      const content = part.draw(health);
      part.place.hidden = !content;
      redraw(part.place, content ?? []);
    }
    // Said aloud when it changes, not every two seconds.
    const words = t(`health.status.${health.status}`);
    if (verdict.textContent !== words) verdict.textContent = words;
    told.textContent = t("health.asOf", { time: new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "medium" }).format(new Date()) });
  }

  /** What was true before is not known to be so any more. */
  function doubt(error) {
    const { words } = trouble(error);
    told.textContent = "";
    if (verdict.textContent === words) return;
    verdict.textContent = words;
    parts[0].said = "";
    redraw(parts[0].place, away(error));
  }

  await refresh();
  await Promise.all([work.refresh(), copies.refresh()]);
  const again = async () => {
    if (signal.aborted) return;
    if (!document.hidden) {
      round += 1;
      try {
        await refresh();
        if (round % JOBS_EVERY === 0) await work.refresh();
      } catch (error) {
        if (signal.aborted) return;
        doubt(error);
      }
    }
    timer = setTimeout(again, EVERY_MS);
  };
  let timer = setTimeout(again, EVERY_MS);
  signal.addEventListener("abort", () => clearTimeout(timer));
}

/** What the keyboard is on stays where it is. */
function redraw(place, content) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const opened = [...place.querySelectorAll("details[open][data-key]")].map((one) => one.dataset.key);
  replace(place, content);
  for (const one of place.querySelectorAll("details[data-key]")) if (opened.includes(one.dataset.key)) one.open = true;
  if (focused) [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus();
}
