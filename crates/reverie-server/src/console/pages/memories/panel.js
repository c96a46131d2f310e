// One memory, opened: what it says, what it is to its holder, and everything that can be done with it.

import { at, get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { meter } from "../../parts/counts.js";
import { confirm } from "../../parts/dialog.js";
import { icon } from "../../parts/icon.js";
import { said } from "../../parts/said.js";
import { problem } from "../../parts/states.js";
import { guarded, say } from "../../parts/toast.js";
import { share, t, term } from "../../words.js";
import { asHeld } from "./asking.js";
import { changeAndTell, changeMemory, changedSilently, forgetAndTell, tellWithUndo, undoMemory } from "./changing.js";
import { dropMemoryDraft, editor, memoryDraft } from "./editor.js";
import { facts } from "./facts.js";
import { holders } from "./holders.js";
import { history } from "./history.js";
import { sources } from "./sources.js";

/** `page.memoryChanged(id, held)` when something was done here. The result has `show(id)`, `follow()` and `close()`. */
export function memoryPanel(page) {
  const panel = h("aside", { class: "memory-panel", hidden: true, tabindex: "-1", onkeydown: (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || editing) return;
    event.preventDefault();
    page.close();
  } });
  let [id, shared, editing, forAll, isGone] = ["", null, null, false, false];

  const whose = () => (forAll ? {} : { holder: page.character });
  const path = () => at`/v1/worlds/${page.world}/memories/${id}`;

  async function done(now) {
    if (now.id === id) {
      [shared, editing, isGone] = [now, null, false];
      takeUp();
      draw();
    }
    await page.memoryChanged(now.id, asHeld(now, page.character));
  }

  const act = (change, words) => guarded(() => changeAndTell(page.world, id, whose(), change, words, done));

  const head = () => h("div", { class: "panel-head" },
    h("h2", {}, t("memory.label", { id })),
    h("button", { type: "button", class: "quiet icon-only", dataset: { control: "close" }, "aria-label": t("memory.close"), title: t("memory.close"), onclick: () => page.close() }, icon("close")));

  function draw() {
    const held = asHeld(shared, page.character);
    panel.setAttribute("aria-label", t("memory.label", { id }));
    const [focus, scroll] = [panel.contains(document.activeElement) ? document.activeElement.dataset.control : undefined, panel.scrollTop];
    if (!held) {
      replace(panel, head(), h("p", { class: "memory-words" }, said(shared.text)), section("memory.holders", holders(page, shared)));
      return;
    }
    replace(panel, head(), badges(held), notes(held), words(held), !editing && levels(held), scope(), !editing && actions(held),
      section("memory.lines", shared.sources.length > 0 && sources(page, shared)),
      section("memory.details", facts(page, shared, held)),
      section("memory.holders", holders(page, shared)),
      section("memory.history", history(page, shared, { goBack, takeBack: held.version > 0 ? takeBack : null })));
    panel.scrollTop = scroll;
    if (focus) panel.querySelector(`[data-control="${focus}"]`)?.focus({ preventScroll: true });
  }

  const section = (key, content) => content && h("section", { class: "panel-part" }, h("h3", {}, t(key)), content);

  const badges = (held) => h("p", { class: "chip-row" },
    h("span", { class: "chip", dataset: { kind: held.kind } }, term("kind", held.kind)),
    held.layer && h("span", { class: "chip" }, term("layer", held.layer)),
    held.dormant && h("span", { class: "chip warn" }, term("dormant", held.dormant)),
    held.pinned && h("span", { class: "chip accent" }, icon("pin"), t("memories.pinned")),
    held.shareable && h("span", { class: "chip good" }, t("memories.shareable")));

  const notes = (held) => [
    held.forgotten && h("p", { class: "memory-note" }, t("memory.isForgotten")),
    !held.forgotten && !held.live && h("p", { class: "memory-note" }, t("memory.isNotLive")),
  ];

  function words(held) {
    if (editing) return editing;
    return h("div", {},
      h("p", { class: "memory-words" }, said(held.text)),
      held.own_text !== undefined && h("details", { class: "own-text" }, h("summary", { class: "small faint" }, t("memory.own")), h("p", { class: "memory-words faint" }, held.own_text),
        h("button", { type: "button", onclick: act({ text: null }, t("memory.saved")) }, icon("undo"), t("memory.giveBack"))));
  }

  const levels = (held) => h("dl", { class: "levels" },
    h("dt", {}, t("memory.importance")), h("dd", {}, meter(t("memory.importance"), held.importance), share(held.importance)),
    held.activity !== undefined && held.layer && [h("dt", {}, t("memories.activity")), h("dd", {}, meter(t("memories.activity"), held.activity, held.dormant ? "asleep" : ""), share(held.activity))]);

  function scope() {
    if (shared.holders.length < 2) return null;
    const box = h("input", { type: "checkbox", dataset: { control: "all" }, checked: forAll, onchange: () => { forAll = box.checked; } });
    return h("label", { class: "check" }, box, h("span", {}, t("memory.forAll", { n: shared.holders.length })));
  }

  function actions(held) {
    const button = (control, glyph, key, action, how = "") => h("button", { type: "button", class: how, dataset: { control }, title: control === "share" ? t("memories.shareable") : null, onclick: action }, icon(glyph), t(key));
    return h("div", { class: "panel-actions" },
      h("div", { class: "actions" },
        held.forgotten
          ? button("forget", "undo", "memory.bringBack", guarded(async () => { const now = await changeMemory(page.world, id, whose(), { forgotten: false }); changedSilently(page.world, id); say(t("memory.back")); await done(now); }), "primary")
          : [
              button("edit", "edit", "memory.edit", () => edit(held)),
              held.pinned ? button("pin", "pin", "memory.unpin", act({ pinned: false }, t("memory.doUnpin"))) : button("pin", "pin", "memory.pin", act({ pinned: true }, t("memory.doPin"))),
              held.shareable ? button("share", "people", "memory.unshare", act({ shareable: false }, t("memory.doUnshare"))) : button("share", "people", "memory.share", act({ shareable: true }, t("memory.doShare"))),
              button("forget", "trash", "memory.forget", guarded(() => forgetAndTell(page.world, id, whose(), done))),
              (shared.sources.length > 0 || shared.from.length > 0) && button("words", "trash", "memory.forgetWords", guarded(forgetWords), "quiet"),
            ]));
  }

  async function forgetWords() {
    const agreed = await confirm(t("memory.forgetWordsTitle"), t("memory.forgetWordsText"), { agree: t("memory.forget"), danger: true });
    if (agreed) await forgetAndTell(page.world, id, whose(), done, { lines: true });
  }

  function edit(held) {
    write(held);
    draw();
    editing.querySelector("textarea").focus();
  }

  function write(held) {
    editing = editor(page.world, held, {
      async save(change) {
        let isSaved = false;
        if (Object.keys(change).length > 0) {
          await changeAndTell(page.world, held.id, whose(), change, t("memory.saved"), async (now) => {
            if (!isSaved) dropMemoryDraft(page.world, held); // What is begun before an undo stays.
            isSaved = true;
            await done(now);
          });
        }
        stopEditing();
      },
      cancel: stopEditing,
    });
  }

  function stopEditing() {
    panel.discard();
    page.redraw();
    draw();
    panel.querySelector('[data-control="edit"]')?.focus({ preventScroll: true });
  }

  const goBack = guarded(async (revision) => {
    const now = await undoMemory(page.world, id, { holder: page.character }, revision);
    tellWithUndo(page.world, id, { holder: page.character }, now, t("memory.wentBack"), done);
    await done(now);
  });
  const takeBack = guarded(async () => {
    const now = await undoMemory(page.world, id, { holder: page.character });
    changedSilently(page.world, id);
    await done(now);
  });

  panel.show = async (which) => {
    if (which !== id) [editing, forAll] = [null, false];
    id = which;
    panel.hidden = false;
    try {
      const now = await get(path(), undefined, { signal: page.signal });
      if (which !== id) return;
      [shared, isGone] = [now, false];
      takeUp();
      draw();
      panel.scrollTop = 0;
    } catch (error) {
      if (page.signal.aborted || which !== id) return;
      replace(panel, h("div", { class: "panel-head" }, h("span"), h("button", { type: "button", class: "quiet icon-only", "aria-label": t("memory.close"), onclick: () => page.close() }, icon("close"))), problem(error));
    }
    panel.focus({ preventScroll: true });
  };

  /** Whoever was writing here and went elsewhere goes on. */
  function takeUp() {
    const held = asHeld(shared, page.character);
    if (!editing && held && memoryDraft(page.world, held)) write(held);
  }

  /** What others do is shown, unless somebody is writing here. */
  panel.follow = async () => {
    if (panel.hidden) return;
    const which = id;
    let now;
    try {
      now = await get(path(), undefined, { signal: page.signal });
    } catch (error) {
      if (error.status !== 404) throw error;
      if (which === id && shared?.id === id) drawGone();
      return;
    }
    if (which !== id || (!isGone && JSON.stringify(now) === JSON.stringify(shared))) return;
    const wasGone = isGone;
    [shared, isGone] = [now, false];
    if (editing) return editing.warn();
    if (wasGone) takeUp();
    draw();
  };

  /** It may come back: with another checkpoint, or when restoring is undone. */
  function drawGone() {
    if (isGone) return;
    [isGone, editing] = [true, null];
    const hadFocus = panel.contains(document.activeElement);
    replace(panel, head(), h("p", { class: "memory-note", role: "status" }, t("memory.gone")), h("p", { class: "memory-words faint" }, asHeld(shared, page.character)?.text ?? shared.text));
    if (hadFocus) panel.focus({ preventScroll: true });
  }

  panel.close = () => {
    [id, shared, editing, isGone] = ["", null, null, false];
    panel.hidden = true;
    replace(panel);
  };
  /** What is being written here is thrown away. */
  panel.discard = () => {
    const held = shared && asHeld(shared, page.character);
    if (held) dropMemoryDraft(page.world, held);
    editing = null;
  };
  panel.isEditing = () => Boolean(editing?.isChanged());
  return panel;
}
