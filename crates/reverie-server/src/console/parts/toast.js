// A word at the edge of the page: done, with a way back; or not done, and why.

import { h } from "../dom.js";
import { t } from "../words.js";

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

/** `undo`: an action that takes it back; the toast stays until it is over. */
export function say(text, { undo, bad } = {}) {
  const close = () => toast.remove();
  const toast = h("div", { class: bad ? "toast bad" : "toast" }, h("span", {}, text),
    undo && h("button", { type: "button", onclick: async () => { close(); await guarded(undo)(); } }, t("toast.undo")),
    h("button", { type: "button", class: "close", "aria-label": t("toast.close"), onclick: close }, "×"));
  const place = shelf();
  place.append(toast);
  while (place.children.length > MOST) place.firstChild.remove();
  const timer = setTimeout(close, undo || bad ? STAYS_MS : PASSES_MS);
  toast.addEventListener("pointerenter", () => clearTimeout(timer));
  return close;
}

export function complain(error) {
  if (error?.name === "AbortError") return;
  const words = error?.status === 0 ? t("problem.unreachable") : (error?.message ?? String(error));
  say(error?.hint ? `${words} — ${error.hint}` : words, { bad: true });
}

/** A listener whose failure is told, and that is not started twice. */
export function guarded(action) {
  let isBusy = false;
  return async (...values) => {
    if (isBusy) return undefined;
    isBusy = true;
    try {
      return await action(...values);
    } catch (error) {
      complain(error);
      return undefined;
    } finally {
      isBusy = false;
    }
  };
}
