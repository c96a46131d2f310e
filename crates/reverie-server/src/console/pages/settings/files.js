// Settings as a file: what `PUT /v1/worlds/{world}` takes.

import { h } from "../../dom.js";
import { dialog } from "../../parts/dialog.js";
import { say } from "../../parts/toast.js";
import { has, t, term } from "../../words.js";
import { OPTIONS, canBePersonal } from "./catalogue.js";
import { nameOf, told } from "./control.js";
import { flatten, same } from "./values.js";

export function exportSettings(settings) {
  const text = JSON.stringify({ preset: settings.preset(), settings: settings.nested() }, null, 2);
  const link = h("a", { href: URL.createObjectURL(new Blob([`${text}\n`], { type: "application/json" })), download: `${settings.world}-settings.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export async function importSettings(settings, file, cast) {
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

  // What the file does not speak of stays, unless that is asked for.
  const whole = h("input", { type: "checkbox" });
  const before = (key) => (!isKnown(key) && !now.has(key) ? "–" : now.has(key) ? told(key, now.get(key)) : t("settings.default", { value: told(key, settings.value(...key.split(/@(.*)/s))) }));
  const line = (name, was, then) => h("tr", {}, h("td", {}, name), h("td", {}, was), h("td", {}, then));
  return dialog(t("settings.importTitle"), [
    h("div", { class: "scroll-x import-changes", tabindex: "0", role: "region", "aria-label": t("settings.importTitle") }, h("table", {},
      h("thead", {}, h("tr", {}, ["importKey", "importNow", "importThen"].map((key) => h("th", { scope: "col" }, t(`settings.${key}`))))),
      h("tbody", {},
        preset && line(t("settings.preset"), term("preset", settings.preset()), term("preset", preset)),
        changes.map(([key, value]) => line(called(key, cast), before(key), told(key, value)))))),
    gone.length > 0 && h("div", {}, h("label", { class: "check" }, whole, h("span", {}, t("settings.importWhole", { n: gone.length }))),
      h("ul", { class: "import-gone small" }, gone.map((key) => h("li", {}, called(key, cast))))),
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

/** A setting by its name, for whom it is, and its key; and whether this page knows it at all. */
function called(key, cast) {
  const [name, id] = key.split(/@(.*)/s);
  const own = nameIn(name);
  return [own, id !== undefined && ` · ${cast.name(id)}`, own && " ", h("code", { class: own ? "faint" : "" }, name), !isKnown(key) && [" ", h("span", { class: "chip warn" }, t("settings.importUnknown"))]];
}

function isKnown(key) {
  const [name, id] = key.split(/@(.*)/s);
  return name.startsWith("calendar.") || Boolean(OPTIONS[name] && (id === undefined || canBePersonal(name)));
}

/** Also of those that stand in tables: of a kind of memory, or of a layer. */
function nameIn(name) {
  if (has(`option.${name}`)) return nameOf(name);
  if (name.startsWith("calendar.")) return has(name) ? t(name) : "";
  const [group, first, second] = name.split(".");
  const [column, row] = group === "layers" ? [second, first] : [first, second];
  if (!has(`option.${group}.${column}`)) return "";
  return t("settings.pair", { name: nameOf(`${group}.${column}`), of: has(`kind.${row}`) ? term("kind", row) : term("layer", row) });
}
