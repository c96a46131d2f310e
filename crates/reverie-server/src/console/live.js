// Has anything changed? The revision of a world tells; it is asked for while somebody looks.

import { at, get } from "./api.js";
import { complain } from "./parts/toast.js";

const EVERY_MS = 1000;
const WHEN_FAILING_MS = 5000;

/** Where a world stands: asked for before a page reads its lists, so that what happens meanwhile is news. */
export const revisionOf = async (world, signal) => (await get(at`/v1/worlds/${world}`, undefined, { signal })).revision;

/**
 * Calls `changed(world)` whenever the revision is another one than `since`, or than before, until `signal` ends it. What `changed` could not
 * show, and throws, is news the next time, too. A world that is gone is told once.
 */
export function watch(world, signal, changed, since) {
  let revision = since;
  let timer;
  const again = (delay) => {
    if (!signal.aborted) timer = setTimeout(look, delay);
  };

  async function look() {
    if (document.hidden) return again(EVERY_MS);
    let now;
    try {
      now = await get(at`/v1/worlds/${world}`, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error.status !== 404) return again(WHEN_FAILING_MS); // That the server does not answer is told already.
      return dispatchEvent(new CustomEvent("reverie:gone", { detail: world }));
    }
    try {
      if (now.revision !== revision) await show(now);
      revision = now.revision;
      return again(EVERY_MS);
    } catch {
      return again(WHEN_FAILING_MS);
    }
  }

  async function show(now) {
    try {
      await changed(now);
    } catch (error) {
      if (signal.aborted || error?.status !== 404) throw error;
      complain(error); // What the page is about is gone; that does not change by asking again.
    }
  }

  signal.addEventListener("abort", () => clearTimeout(timer));
  look();
}
