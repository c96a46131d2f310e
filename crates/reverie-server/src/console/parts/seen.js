// What costs a request is asked for when somebody sees it, and while they do.

import { complain } from "./toast.js";

/** `show`, which does nothing once the page is left: an undo may come later, and needs to be seen nowhere. */
export function whileSeen(signal, show) {
  return async (...values) => {
    try {
      if (!signal.aborted) await show(...values);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}

/** Calls `action` once, as soon as `element` is in view. A failure is told, unless what was asked about is gone. */
export function whenSeen(element, signal, action) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    if (signal.aborted) return;
    action().catch((error) => {
      if (!signal.aborted && error?.status !== 404) complain(error);
    });
  });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}
