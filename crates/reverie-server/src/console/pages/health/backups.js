// A copy of the data file, made while the server runs.

import { get, post } from "../../api.js";
import { h, replace } from "../../dom.js";
import { guarded, say } from "../../parts/toast.js";
import { inWords } from "../../parts/trouble.js";
import { bytes, moment, number, t } from "../../words.js";

export function backups(signal) {
  const body = h("div", {});
  const button = h("button", { type: "button", class: "primary", onclick: guarded(async () => {
    button.disabled = true;
    try {
      const made = await post("/v1/backup", {}, { signal, patience: 600_000 });
      say(t("health.backedUp", { file: made.file, bytes: bytes(made.bytes) }));
      await element.refresh();
    } finally {
      button.disabled = false;
    }
  }) }, t("health.backup"));
  const element = h("section", { class: "card" },
    h("div", { class: "head" }, h("h2", { class: "grow" }, t("health.backups")), button),
    h("p", { class: "faint" }, t("health.backupText")), body);

  element.refresh = async () => {
    let answer;
    try {
      answer = await get("/v1/backups", {}, { signal });
    } catch (error) {
      if (signal.aborted) throw error;
      button.disabled = error.status === 404;
      return replace(body, h("p", { class: "faint" }, error.status === 404 ? t("health.noBackups") : inWords(error)));
    }
    const where = h("p", { class: "hint" }, t("health.backupWhere", { keep: number(answer.keep) }), " ", h("code", {}, answer.folder));
    if (answer.backups.length === 0) return replace(body, h("p", { class: "faint" }, t("health.backupNone")), where);
    return replace(body, h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("health.backups") }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("health.backupAt")), h("th", { scope: "col" }, t("health.backupFile")), h("th", { scope: "col", class: "number" }, t("health.backupSize")))),
      h("tbody", {}, answer.backups.map((one) => h("tr", {}, h("td", {}, one.at ? moment(one.at) : "–"), h("td", { class: "mono" }, one.file), h("td", { class: "number" }, bytes(one.bytes))))))), where);
  };
  return element;
}
