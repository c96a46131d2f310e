// Has anything changed? The revision of a world tells; it is asked for while somebody looks. Whoever asks so often also knows first that the
// server is gone.

import { at, get, reach } from "./api.js";

const EVERY_MS = 1000;
const WHEN_FAILING_MS = 5000;

/** Calls `changed(world)` whenever the revision is another one than before, until `signal` ends it. */
export function watch(world, signal, changed) {
  let revision;
  let timer;
  const again = (delay) => {
    if (!signal.aborted) timer = setTimeout(look, delay);
  };
  async function look() {
    if (document.hidden) return again(EVERY_MS);
    try {
      const now = await get(at`/v1/worlds/${world}`, undefined, { signal });
      const isNew = revision !== undefined && now.revision !== revision;
      if (isNew && !signal.aborted) await changed(now);
      // What could not be shown is news the next time, too.
      revision = now.revision;
      again(EVERY_MS);
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === 0) reach(false);
      again(WHEN_FAILING_MS); // Anything else the page itself says when it is asked for something.
    }
  }
  signal.addEventListener("abort", () => clearTimeout(timer));
  look();
}
