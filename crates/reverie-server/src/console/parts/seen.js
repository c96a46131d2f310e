// What costs a request is asked for when somebody sees it.

import { complain } from "./toast.js";

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
