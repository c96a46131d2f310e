// Changing a memory, always with a way back.

import { at, patch, post } from "../../api.js";
import { say } from "../../parts/toast.js";
import { t } from "../../words.js";

/** `whose`: {holder} for one, {} for all who have it. Each gives the memory as it is then. */
export const changeMemory = (world, id, whose, change) => patch(at`/v1/worlds/${world}/memories/${id}`, { ...whose, ...change });

/** Takes back the last change, or goes back to a revision. */
export const undoMemory = (world, id, whose, revision) => post(at`/v1/worlds/${world}/memories/${id}/undo`, { ...whose, revision });

/** Does it, says it, and offers to take it back. `then(memory)` after both. */
export async function changeAndTell(world, id, whose, change, words, then) {
  const changed = await changeMemory(world, id, whose, change);
  say(words, {
    async undo() {
      // For all, only those whom it concerned: whoever had it so before keeps it so.
      await then(await undoMemory(world, id, whose));
    },
  });
  await then(changed);
}

export function forgetAndTell(world, id, whose, then, change = {}) {
  return changeAndTell(world, id, whose, { forgotten: true, ...change }, t("memory.forgotten"), then);
}
