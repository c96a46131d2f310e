// Which memories did the person pick, to do one thing with all of them?

import { h, replace } from "../../dom.js";
import { icon } from "../../parts/icon.js";
import { complain, guarded, say } from "../../parts/toast.js";
import { trouble } from "../../parts/trouble.js";
import { number, t } from "../../words.js";
import { changeMemory, changedSilently } from "./changing.js";

const AT_ONCE = 4;

const CHANGES = {
  pin: { glyph: "pin", change: { pinned: true }, back: { pinned: false }, concerns: (memory) => !memory.pinned },
  unpin: { glyph: "pin", change: { pinned: false }, back: { pinned: true }, concerns: (memory) => memory.pinned },
  forget: { glyph: "trash", change: { forgotten: true }, back: { forgotten: false }, concerns: (memory) => !memory.forgotten },
  restore: { glyph: "undo", change: { forgotten: false }, back: { forgotten: true }, concerns: (memory) => memory.forgotten },
};

/** `page`: world, character, signal, items(), isBin(), redraw(), focusList(), changed(). */
export function selection(page) {
  const chosen = new Map();
  const bar = h("div", { class: "bulk", role: "region", "aria-label": t("bulk.title"), hidden: true });
  let isWorking = false;

  function draw() {
    bar.hidden = chosen.size === 0;
    if (chosen.size === 0 || isWorking) return;
    const loaded = page.items().length;
    replace(bar,
      h("span", { role: "status" }, t("bulk.selected", { n: number(chosen.size) })),
      (page.isBin() ? ["restore"] : ["pin", "unpin", "forget"]).map((what) => h("button", { type: "button", onclick: guarded(() => run(what)) }, icon(CHANGES[what].glyph), t(`bulk.${what}`))),
      h("span", { class: "grow" }),
      loaded > chosen.size && h("button", { type: "button", class: "quiet", onclick: () => { for (const memory of page.items()) chosen.set(memory.id, memory); after(); } }, t("bulk.all", { n: number(loaded) })),
      h("button", { type: "button", class: "quiet", onclick: () => clear() }, t("bulk.clear")));
  }

  function after() {
    draw();
    page.redraw();
  }

  function clear() {
    chosen.clear();
    after();
  }

  async function run(what) {
    const { change, back, concerns } = CHANGES[what];
    const wanted = [...chosen.values()].filter(concerns).map((memory) => memory.id);
    isWorking = true;
    try {
      const done = await forEach(wanted, change);
      chosen.clear();
      say(t(`bulk.done.${what}`, { n: number(done.length) }), {
        async undo() {
          isWorking = true;
          try {
            await forEach(done, back, { isUndo: true });
          } finally {
            isWorking = false;
            draw();
          }
          await page.changed();
        },
      });
    } finally {
      isWorking = false;
      after();
      page.focusList(); // The bar that was clicked is gone.
    }
    await page.changed();
  }

  /** The ids of those that were changed. One failure does not stop the others; it is told once. */
  async function forEach(ids, change, { isUndo } = {}) {
    const [queue, done, failed] = [[...ids], [], []];
    const stop = h("button", { type: "button", onclick: () => { queue.length = 0; } }, t("bulk.stop"));
    const told = h("span", { role: "status" });
    if (ids.length > AT_ONCE) {
      bar.hidden = false;
      replace(bar, told, stop);
    }
    const work = async () => {
      // Whoever leaves has seen how far it went; what is taken back is taken back wholly.
      while (queue.length > 0 && (isUndo || !page.signal.aborted)) {
        const id = queue.shift();
        try {
          await changeMemory(page.world, id, { holder: page.character }, change);
          changedSilently(page.world, id);
          done.push(id);
        } catch (error) {
          failed.push(error);
        }
        told.textContent = t("bulk.working", { done: number(done.length + failed.length), all: number(ids.length) });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (failed.length > 0) complain(new Error(t("bulk.failed", { n: number(failed.length), why: trouble(failed[0]).words })));
    return done;
  }

  return {
    bar,
    has: (id) => chosen.has(id),
    clear,
    isWorking: () => isWorking,
    toggle(memory, isChosen) {
      if (isChosen) chosen.set(memory.id, memory);
      else chosen.delete(memory.id);
      draw();
    },
  };
}
