// Has anything changed? The revision of a world tells; it is asked for while somebody looks.

import { at, get } from "./api.js";

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
      revision = now.revision;
      if (isNew && !signal.aborted) await changed(now);
      again(EVERY_MS);
    } catch {
      again(WHEN_FAILING_MS); // The page itself says what is wrong when it is asked for something.
    }
  }
  signal.addEventListener("abort", () => clearTimeout(timer));
  look();
}
