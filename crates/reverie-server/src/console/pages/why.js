// Why does the model get what it gets? A cue is made here, and everything about its prompt is shown; nothing is written.

import { all, at, post } from "../api.js";
import { calm, h, replace } from "../dom.js";
import { watch } from "../live.js";
import { empty } from "../parts/states.js";
import { inWords } from "../parts/trouble.js";
import { remember } from "../router.js";
import { names } from "../shell.js";
import { learn, number, t } from "../words.js";
import optionWords from "../words/options.js";
import settingsWords from "../words/settings.js";
import words from "../words/why.js";
import { openSettings } from "./settings/values.js";
import { budgetView } from "./why/budget.js";
import { candidatesView } from "./why/candidates.js";
import { cueForm } from "./why/cue.js";
import { notesView } from "./why/notes.js";
import { promptView } from "./why/prompt.js";
import { trialPanel } from "./why/trial.js";

learn(words);
learn(optionWords);
learn(settingsWords);

const WAIT_MS = 300;
/** Who is there, and where they talk, is looked at again not more often than this while things happen. */
const MEET_MS = 2000;
/** More than that nobody chooses from; others are named by their id. */
const CONVERSATIONS = 300;
/** Of all that came to mind so many are told of, besides what is in the prompt: further down nobody looks. */
const EXPLAINED = 400;

export async function show(page, { world, query, revision, signal }) {
  page.classList.add("why-page");
  const around = () => Promise.all([names(world, signal), all(at`/v1/worlds/${world}/conversations`, { newest_first: true }, { most: CONVERSATIONS, signal })]);
  const [settings, [cast, conversations]] = await Promise.all([openSettings(world, signal), around()]);
  const head = h("div", { class: "head" }, h("div", { class: "grow" }, h("h1", {}, t("why.title")), h("p", { class: "hint lead" }, t("why.lead"))));
  if (!cast.characters.some((one) => one.kind !== "narrator")) {
    return replace(page, head, empty(t("why.noCharacter"), t("why.noCharacterText"), h("a", { class: "button primary", href: "#/" }, t("why.toStart"))));
  }

  const status = h("p", { class: "summary", role: "status" });
  const told = h("div", { class: "stack" });
  const came = h("div", { class: "stack" });
  const shown = {};
  let asking = new AbortController();
  let before = null;
  let beforeOf = "";

  const form = cueForm({ cast, conversations, hasMore: conversations.length >= CONVERSATIONS, query, changed: (isNow) => {
    trial.draw();
    remember(form.address());
    (isNow ? look : lookSoon)();
  } });
  const trial = trialPanel({ settings, cast, who: () => form.character(), changed: () => lookSoon() });

  async function look() {
    asking.abort();
    asking = new AbortController();
    const mine = asking.signal;
    const ask = (settingsOfCue) => post(at`/v1/worlds/${world}/recall`, { ...form.read(), explain: true, explain_limit: EXPLAINED, settings: settingsOfCue }, { signal: AbortSignal.any([signal, mine]) });
    const cue = JSON.stringify(form.read());
    const wanted = trial.settings();
    const soon = setTimeout(() => { status.textContent = t("why.asking"); }, 250);
    try {
      // What it is without the trial is asked for once, to tell what the trial changes.
      if (!wanted || beforeOf !== cue || !before) {
        before = await ask();
        beforeOf = cue;
      }
      let answer = before;
      trial.refuse(false);
      if (wanted) {
        try {
          answer = await ask(wanted);
        } catch (error) {
          if (error.status !== 400) throw error;
          if (/unknown field .?settings/.test(error.message)) trial.refuse(true);
          else trial.wrong(error);
        }
      }
      if (mine.aborted || signal.aborted) return;
      draw(answer);
    } catch (error) {
      if (mine.aborted || signal.aborted) return;
      before = null;
      status.textContent = "";
      replace(told, h("section", { class: "card" }, h("p", { class: "wrong", role: "alert" }, inWords(error))));
      replace(came);
    } finally {
      clearTimeout(soon);
    }
  }
  const lookSoon = calm(WAIT_MS, look);

  function draw(answer) {
    // Whatever was open stays open, and whoever was somewhere stays there, when things change by themselves.
    const open = new Map([...told.querySelectorAll("details[data-keep]")].map((one) => [one.dataset.keep, one.open]));
    const at = document.activeElement?.closest(".candidate")?.dataset.id;
    status.textContent = t("why.summary", { kept: number(answer.memories.length), all: number(answer.considered_in_all ?? answer.considered?.length ?? 0), tokens: number(answer.tokens.used) });
    replace(told, notesView(answer, world), budgetView(answer, trial.value), promptView(answer, world, cast));
    replace(came, candidatesView({ answer, before, value: trial.value, world, cast, character: form.character(), state: shown }));
    for (const one of told.querySelectorAll("details[data-keep]")) one.open = open.get(one.dataset.keep) ?? one.open;
    if (at) [...came.querySelectorAll(".candidate")].find((one) => one.dataset.id === at)?.querySelector("button").focus({ preventScroll: true });
  }

  replace(page, head, form.element, status, h("div", { class: "split why" }, told, h("div", { class: "stack" }, trial.element, came)));
  // A first look, before the page is shown.
  await look();

  /** Whoever came meanwhile, and where they talk, can be chosen, too. */
  async function meet() {
    const [met, talks] = await around();
    const told = (people, places) => JSON.stringify([people.map((one) => [one.id, one.display_name, one.kind]), places.map((one) => [one.id, one.name, one.participants, one.present])]);
    if (told(met.characters, talks) === told(cast.characters, conversations) || met.characters.every((one) => one.kind === "narrator")) return;
    cast.characters = met.characters;
    cast.byId.clear();
    for (const one of met.characters) cast.byId.set(one.id, one);
    conversations.splice(0, conversations.length, ...talks);
    form.renew();
  }
  let timer = 0;
  const meetSoon = () => {
    timer ||= setTimeout(() => {
      timer = 0;
      meet().catch(() => signal.aborted || meetSoon());
    }, MEET_MS);
  };
  watch(world, signal, () => { before = null; lookSoon(); meetSoon(); }, revision);
}
