// A word at the edge of the page: done, with a way back; or not done, and why.

import { h } from "../dom.js";
import { t } from "../words.js";
import { inWords } from "./trouble.js";

const STAYS_MS = 8000;
const PASSES_MS = 3500; // What only says that it is done must not stand in the way.
const MOST = 3;

/** Beside an open question nothing else can be read or clicked, so what concerns it is said inside. */
function shelf() {
  const home = document.querySelector("dialog:modal") ?? document.body;
  return home.querySelector(":scope > .toasts") ?? home.appendChild(h("div", { class: "toasts", role: "status", "aria-live": "polite" }));
}

/** A question is answered: what was said in it stays readable beside the page. */
export function keepSaid(box) {
  const said = box.querySelector(":scope > .toasts");
  if (!said) return;
  said.remove();
  shelf().append(...said.children);
}

/**
 * `undo`: an action that takes it back; the toast stays until it is over. `about`: what was changed; an offer to take back an earlier change
 * of the same goes, as it would take back this one.
 */
export function say(text, { undo, bad, about } = {}) {
  if (about) outdated(about);
  let cameFrom = null;
  const close = () => {
    const hadFocus = toast.contains(document.activeElement);
    toast.remove();
    if (hadFocus) (cameFrom?.isConnected ? cameFrom : document.querySelector("main"))?.focus({ preventScroll: true });
  };
  const toast = h("div", { class: bad ? "toast bad" : "toast", dataset: about ? { about } : {} }, h("span", {}, text),
    undo && h("button", { type: "button", onclick: () => { close(); takeBack(undo); } }, t("toast.undo")),
    h("button", { type: "button", class: "close", "aria-label": t("toast.close"), onclick: close }, "×"));
  const place = shelf();
  place.append(toast);
  while (place.children.length > MOST) place.firstChild.remove();
  let timer;
  const leave = () => { clearTimeout(timer); timer = setTimeout(close, undo || bad ? STAYS_MS : PASSES_MS); };
  // Whoever points at it, or is in it with the keyboard, is reading.
  toast.addEventListener("pointerenter", () => clearTimeout(timer));
  toast.addEventListener("pointerleave", () => toast.contains(document.activeElement) || leave());
  toast.addEventListener("focusin", ({ relatedTarget }) => {
    clearTimeout(timer);
    if (!toast.contains(relatedTarget)) cameFrom = relatedTarget;
  });
  toast.addEventListener("focusout", ({ relatedTarget }) => toast.contains(relatedTarget) || leave());
  leave();
  return close;
}

/** This was changed once more: what is offered to be taken back would not be what the offer names. */
export function outdated(about) {
  for (const toast of document.querySelectorAll(".toast[data-about]")) if (toast.dataset.about === about) toast.remove();
}

/** Somebody waits for this, wherever they are by now: that it did not happen is told, whatever the reason. */
async function takeBack(undo) {
  try {
    await undo();
    say(t("toast.undone"));
  } catch (error) {
    complain(error?.name === "AbortError" ? new Error(t("toast.notUndone")) : error);
  }
}

/** What was broken off because its page was left is nobody's trouble. */
export function complain(error) {
  if (error?.name !== "AbortError") say(inWords(error), { bad: true });
}

/** A listener whose failure is told, and that is not started twice. */
export function guarded(action) {
  let isBusy = false;
  return async (...values) => {
    if (isBusy) return undefined;
    isBusy = true;
    const had = document.activeElement;
    try {
      return await action(...values);
    } catch (error) {
      complain(error);
      return undefined;
    } finally {
      isBusy = false;
      // A button that was off while it worked has lost the focus to nobody.
      if (document.activeElement === document.body && had?.isConnected) had.focus({ preventScroll: true });
    }
  };
}
