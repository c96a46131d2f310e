// Settings as a file: what `PUT /v1/worlds/{world}` takes.

import { h } from "../../dom.js";
import { dialog } from "../../parts/dialog.js";
import { say } from "../../parts/toast.js";
import { t } from "../../words.js";
import { told } from "./control.js";
import { flatten, same } from "./values.js";

export function exportSettings(settings) {
  const text = JSON.stringify({ preset: settings.preset(), settings: settings.nested() }, null, 2);
  const link = h("a", { href: URL.createObjectURL(new Blob([`${text}\n`], { type: "application/json" })), download: `${settings.world}-settings.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export async function importSettings(settings, file) {
  let read;
  try {
    read = JSON.parse(await file.text());
  } catch {
    read = null;
  }
  if (!read || typeof read !== "object" || Array.isArray(read)) return say(t("settings.importBad"), { bad: true });
  const isWhole = typeof read.settings === "object" && read.settings !== null;
  const wanted = flatten(isWhole ? read.settings : read);
  const preset = isWhole && typeof read.preset === "string" && read.preset !== settings.preset() ? read.preset : undefined;
  const now = settings.flat();
  const changes = [...wanted].filter(([key, value]) => !same(value, now.get(key)));
  const gone = [...now.keys()].filter((key) => !wanted.has(key));
  if (!changes.length && !gone.length && !preset) return say(t("settings.importNothing"));

  const whole = h("input", { type: "checkbox", checked: isWhole });
  const line = (name, before, after) => h("tr", {}, h("td", {}, h("code", {}, name)), h("td", {}, before), h("td", {}, after));
  return dialog(t("settings.importTitle"), [
    h("div", { class: "scroll-x import-changes", tabindex: "0", role: "region", "aria-label": t("settings.importTitle") }, h("table", {},
      h("thead", {}, h("tr", {}, ["importKey", "importNow", "importThen"].map((key) => h("th", { scope: "col" }, t(`settings.${key}`))))),
      h("tbody", {},
        preset && line(t("settings.preset"), settings.preset(), preset),
        changes.map(([key, value]) => line(key, now.has(key) ? told(key, now.get(key)) : "–", told(key, value)))))),
    gone.length > 0 && h("label", { class: "check" }, whole, h("span", {}, t("settings.importWhole", { n: gone.length }))),
  ], {
    wide: true,
    agree: t("settings.importAgree"),
    async submit(close) {
      const patch = Object.fromEntries(changes);
      if (whole.checked) for (const key of gone) patch[key] = undefined;
      await settings.save(patch, { preset, told: t("settings.imported") });
      close();
    },
  });
}
