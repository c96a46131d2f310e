// The server wants to know who asks.

import { token } from "../api.js";
import { h } from "../dom.js";
import { dialog, field } from "./dialog.js";
import { t } from "../words.js";

let isOpen = false;

/** `isRefused`: the server was shown one, and did not take it. */
export function askForToken(then, { isRefused } = {}) {
  if (isOpen) return;
  isOpen = true;
  const input = h("input", { type: "password", autocomplete: "off", value: token.get(), placeholder: "rv_…", autofocus: true });
  const keep = h("input", { type: "checkbox", checked: localStorage.getItem("reverie.token") !== null });
  const box = dialog(t("token.title"), [
    h("p", {}, t("token.text")),
    isRefused && h("p", { class: "refused", role: "alert" }, t("token.refused")),
    field(t("token.label"), input),
    h("label", { class: "check" }, keep, h("span", {}, t("token.keep"))),
  ], {
    submit(close) {
      token.set(input.value.trim(), keep.checked);
      close();
      then();
    },
  });
  box.addEventListener("close", () => { isOpen = false; });
}
