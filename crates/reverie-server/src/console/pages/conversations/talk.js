// One conversation: its active path, live, with all that can be done to it.

import { at, download, get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { watch } from "../../live.js";
import { learnDates } from "../../parts/dates.js";
import { icon } from "../../parts/icon.js";
import { whileSeen } from "../../parts/seen.js";
import { empty } from "../../parts/states.js";
import { talkName } from "../../parts/talk-name.js";
import { guarded } from "../../parts/toast.js";
import { remember, to } from "../../router.js";
import { names as namesOf } from "../../shell.js";
import { t } from "../../words.js";
import { acts } from "./acts.js";
import { branchesDialog } from "./branches.js";
import { drawLine } from "./line.js";
import { presentDialog } from "./present.js";
import { roundMarks, roundsDialog } from "./rounds.js";
import { stream } from "./stream.js";
import { swipes } from "./swipes.js";
import { composer } from "./write.js";

const PAGE = 30;
const TAIL = 100;

export const titleOf = (conversation, names) => talkName(conversation, names.name);

/** `changed()` hears of every change of the world, for the list beside it. */
export async function talk({ world, id, names, line: wanted, revision, signal, changed }) {
  const path = at`/v1/worlds/${world}/conversations/${id}`;
  let conversation = await get(path, undefined, { signal });
  let marks = await roundMarks(world, id, signal).catch(() => new Map());

  /** Whose view: of everybody, or what one of them witnessed. */
  const eyes = h("select", { "aria-label": t("talk.eyes"), onchange: guarded(async () => { replace(notice); await lines.openEnd(); tellAll(); }) });
  /** Whoever joins while the page is open has eyes, too. */
  function fillEyes() {
    const chosen = eyes.value;
    replace(eyes, h("option", { value: "" }, t("talk.allEyes")),
      conversation.participants.filter((one) => names.byId.get(one)?.kind !== "narrator").map((one) => h("option", { value: one, selected: one === chosen }, t("talk.eyesOf", { name: names.name(one) }))));
  }
  fillEyes();

  const load = async ({ older, newer, fromStart }) => {
    const isForward = newer !== undefined || fromStart;
    const page = await get(`${path}/lines`, { limit: PAGE, as: eyes.value, newest: isForward ? undefined : true, cursor: newer ?? older }, { signal });
    await learnDates(world, page.items.map((line) => line.tick));
    return { lines: isForward ? page.items : page.items.reverse(), more: page.next !== undefined };
  };

  const versions = swipes({ world, conversation: id, signal, head: () => conversation.head, moved: whileSeen(signal, async (shown) => {
    conversation = await get(path, undefined, { signal });
    const old = shown?.instead && lines.elementOf(shown.instead);
    const top = old ? old.getBoundingClientRect().top - lines.getBoundingClientRect().top : undefined;
    if (!shown || !(await lines.openAt(shown.id, top ?? lines.clientHeight / 2))) await lines.openEnd();
    writer.presentChanged();
    tellAll();
  }) });

  const jump = guarded(async (line) => {
    replace(notice);
    remember({ line });
    if (await lines.openAt(String(line))) return;
    const found = await get(at`/v1/worlds/${world}/lines/${line}`, undefined, { signal });
    if (lines.lines().length === 0) await lines.openEnd();
    replace(notice, h("div", { class: "notice" }, h("span", { class: "grow" }, t("talk.offPath"), " ", h("q", {}, found.content.slice(0, 120))),
      found.conversation === id
        ? h("button", { type: "button", onclick: guarded(async () => { replace(notice); await versions.choose(found); }) }, t("talk.goThere"))
        : h("a", { class: "button", href: `${to`/worlds/${world}/conversations/${found.conversation}`}?line=${encodeURIComponent(line)}` }, t("talk.goThere"))));
  });

  const act = {
    ...acts({ world, names, signal, jump, changed: (line) => lines.change(line), gone: async () => { versions.forget(); await refresh(); } }),
    wantSwipes: versions.want,
    backTo: guarded((line) => versions.backTo(line)),
    another: (line) => writer.besides(line),
  };

  const word = h("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  const notice = h("div", {});
  const newer = h("button", { type: "button", class: "primary to-end", hidden: true, onclick: guarded(async () => { if (lines.atNewest()) lines.toEnd(); else await lines.openEnd(); tellEnd(); }) }, t("talk.toEnd"));
  const lines = stream({ label: t("talk.linesOf"), load, moved: () => tellEnd(),
    draw: (line, before, after) => drawLine(line, { before, after, conversation, names, act, world, round: marks.get(line.id) }) });
  const place = h("div", { class: "stream-place" }, lines, newer);
  const nothing = h("div", { class: "stream-place", hidden: true }, empty(t("talk.silent"), t("talk.silentText")));
  /** Toasts stand above it, whatever is folded out in it. */
  const measureWriter = new ResizeObserver(() => {
    if (writer.element.isConnected) document.body.style.setProperty("--composer-top", `${Math.max(0, Math.round(innerHeight - writer.element.getBoundingClientRect().top))}px`);
  });
  signal.addEventListener("abort", () => measureWriter.disconnect(), { once: true });
  const tellEnd = () => { newer.hidden = lines.isAtEnd() || lines.lines().length === 0; };

  const present = h("p", { class: "present faint" });
  const writer = composer({ world, conversation, names, present: () => conversation.present, head: () => conversation.head, lastOf: (who) => lines.lines().findLast((line) => line.speaker === who), written: async (recorded, instead) => { if (instead) versions.leave(instead.version, instead.end); await refresh(); if (lines.atNewest()) lines.toEnd(); else await lines.openEnd(); } });

  function tellAll() {
    replace(present, icon("people"), h("span", {}, conversation.present.length ? t("talk.presentNow", { names: conversation.present.map(names.name).join(t("talk.comma")) }) : t("talk.presentNobody")),
      conversation.name && h("button", { type: "button", class: "quiet icon-only", "aria-label": t("talk.whoIsPresent"), title: t("talk.whoIsPresent"), onclick: () => presentDialog({ world, conversation, names, changed: guarded(async (next) => { conversation = next; await meet([]); fillEyes(); writer.presentChanged(); tellAll(); }) }) }, icon("edit")));
    nothing.hidden = lines.lines().length > 0;
    writer.linesChanged();
    place.hidden = !nothing.hidden;
    tellEnd();
  }

  /** What is new, reworded or gone, without moving what is being read. */
  async function refresh() {
    const before = conversation;
    const had = lines.lines().length;
    conversation = await get(path, undefined, { signal });
    await meet([]);
    if (String(conversation.present) !== String(before.present)) writer.presentChanged();
    if (String(conversation.participants) !== String(before.participants)) fillEyes();
    if (lines.atNewest()) {
      const page = await get(`${path}/lines`, { newest: true, limit: TAIL, as: eyes.value }, { signal });
      await learnDates(world, page.items.map((line) => line.tick));
      const known = new Set(lines.lines().map((line) => line.id));
      const fresh = page.items.reverse();
      const added = fresh.filter((line) => !known.has(line.id));
      for (const line of added) versions.forget(line.parent);
      const follows = lines.isAtEnd() || had === 0;
      if (!lines.reconcile(fresh, { isTail: true })) {
        if (follows) await lines.openEnd();
        else lines.cutOff();
      }
      await meet(fresh);
      if (added.length > 0 && had > 0) word.textContent = t("talk.newLine", { name: added.at(-1).display_name ?? "", words: added.at(-1).content.slice(0, 200) });
    }
    const seen = lines.seen();
    const isInTail = lines.atNewest() && lines.lines().length - lines.lines().findIndex((line) => line.id === seen[0]?.id) <= TAIL;
    if (seen.length > 0 && !isInTail) {
      const page = await get(`${path}/lines`, { cursor: String(Math.max(1, Number(seen[0].id) - 1)), limit: Math.min(TAIL, seen.length), as: eyes.value }, { signal });
      if (!lines.reconcile(page.items, { isTail: false })) await lines.openEnd();
    }
    tellAll();
  }

  /** Whoever joined, spoke or listened for the first time has a name, too. */
  const strangers = new Set();
  async function meet(some) {
    const unknown = [...conversation.participants, ...some.flatMap((line) => [line.speaker, ...line.witnesses])].filter((one) => one && !names.byId.has(one) && !strangers.has(one));
    if (unknown.length === 0) return;
    unknown.forEach((one) => strangers.add(one));
    names.characters = (await namesOf(world, signal)).characters;
    for (const one of names.characters) names.byId.set(one.id, one);
    for (const line of some) if (unknown.some((one) => one === line.speaker || line.witnesses.includes(one))) lines.change(line);
    writer.peopleChanged();
    fillEyes();
  }

  let roundsAt = 0;
  watch(world, signal, async () => {
    if (Date.now() - roundsAt > 3000) {
      roundsAt = Date.now();
      marks = await roundMarks(world, id, signal).catch(() => marks);
    }
    await refresh();
    changed?.();
  }, revision);

  const element = h("section", { class: "talk" },
    h("div", { class: "head" },
      h("div", { class: "grow" }, h("p", { class: "crumb" }, h("a", { href: to`/worlds/${world}/conversations` }, t("talk.all"))), h("h1", {}, titleOf(conversation, names)), present),
      h("div", { class: "actions" }, eyes,
        h("button", { type: "button", onclick: () => branchesDialog({ world, conversation: id, head: conversation.head, names, jump, choose: versions.choose, signal }) }, icon("branch"), t("talk.branches")),
        h("button", { type: "button", onclick: () => roundsDialog({ world, conversation: id, names, jump, signal }) }, icon("clock"), t("talk.rounds")),
        h("button", { type: "button", onclick: guarded(() => lines.openStart()) }, t("talk.toStart")),
        h("button", { type: "button", onclick: guarded(() => download(`${path}/chat`, {}, `${titleOf(conversation, names)}.jsonl`)) }, icon("download"), t("talk.export")))),
    notice, word, nothing, place, writer.element);

  for (const one of [writer.element, document.body]) measureWriter.observe(one);
  if (wanted) await jump(wanted);
  if (!wanted || lines.lines().length === 0) await lines.openEnd();
  tellAll();
  return element;
}
