// Changing a memory, always with a way back.

import { at, get, patch, post } from "../../api.js";
import { outdated, say } from "../../parts/toast.js";
import { t } from "../../words.js";

/** `whose`: {holder} for one, {} for all who have it. Each gives the memory as it is then. */
export const changeMemory = (world, id, whose, change) => patch(at`/v1/worlds/${world}/memories/${id}`, { ...whose, ...change });

/** Takes back the last change, or goes back to a revision. */
export const undoMemory = (world, id, whose, revision) => post(at`/v1/worlds/${world}/memories/${id}/undo`, { ...whose, revision });

const topic = (world, id) => JSON.stringify(["memory", world, id]);

/** It was changed without a word here that offers to take that back. */
export const changedSilently = (world, id) => outdated(topic(world, id));

/** Says what became of it, and offers to take back that, and nothing that came later. `then(memory)` after it. */
export function tellWithUndo(world, id, whose, changed, words, then) {
  const versions = (memory) => JSON.stringify(memory.holders.filter((one) => !whose.holder || one.holder === whose.holder).map((one) => [one.holder, one.version]));
  const was = versions(changed);
  say(words, {
    about: topic(world, id),
    async undo() {
      // A game, or another window, may have changed it within these seconds.
      const now = await get(at`/v1/worlds/${world}/memories/${id}`);
      if (versions({ holders: now.holders.filter((one) => changed.holders.some(({ holder }) => holder === one.holder)) }) !== was) throw new Error(t("memory.changedSince"));
      // For all, only those whom it concerned: whoever had it so before keeps it so.
      await then(await undoMemory(world, id, whose));
    },
  });
}

/** Does it, says it, and offers to take it back. `then(memory)` after both. */
export async function changeAndTell(world, id, whose, change, words, then) {
  const changed = await changeMemory(world, id, whose, change);
  tellWithUndo(world, id, whose, changed, words, then);
  await then(changed);
}

export function forgetAndTell(world, id, whose, then, change = {}) {
  return changeAndTell(world, id, whose, { forgotten: true, ...change }, t("memory.forgotten"), then);
}
