// Everything that a world can set. What most people change stands first, all else behind “more”; each change is saved at once.

import { h, replace } from "../dom.js";
import { field } from "../parts/dialog.js";
import { icon } from "../parts/icon.js";
import { complain, guarded } from "../parts/toast.js";
import { remember } from "../router.js";
import { names } from "../shell.js";
import { learn, t } from "../words.js";
import optionWords from "../words/options.js";
import words from "../words/settings.js";
import { calendarEditor } from "./settings/calendar.js";
import { OPTIONS, canBePersonal, groups as groupsOfPage } from "./settings/catalogue.js";
import { settingRow } from "./settings/control.js";
import { exportSettings, importSettings } from "./settings/files.js";
import { modelsPanel } from "./settings/models.js";
import { settingTable } from "./settings/table.js";
import { templateEditor } from "./settings/template.js";
import { openSettings } from "./settings/values.js";

learn(words);
learn(optionWords);

const PRESETS = ["companion", "game", "bot"];

export async function show(page, { world, query, signal }) {
  page.classList.add("settings-root");
  const [settings, cast] = await Promise.all([openSettings(world, signal), names(world, signal)]);
  let character = cast.byId.has(query.get("character")) ? query.get("character") : "";
  const groups = h("div", { class: "stack groups" });
  const contents = h("nav", { class: "settings-contents", "aria-label": t("settings.groups") });
  const nothing = h("p", { class: "hint", role: "status" });
  const note = h("p", { class: "hint scope-note" });
  const preset = presetChoice(settings);
  const presetField = field(t("settings.preset"), preset, t("settings.presetHint"));

  const scope = h("select", { onchange: () => { character = scope.value; remember({ character }); draw(); } },
    h("option", { value: "" }, t("settings.scopeWorld")),
    cast.characters.filter((one) => one.kind !== "narrator").map((one) => h("option", { value: one.id, selected: one.id === character }, cast.name(one.id))));
  const find = h("input", { type: "search", "aria-label": t("settings.find"), placeholder: t("settings.find"), oninput: () => sift() });
  const file = h("input", { type: "file", accept: ".json,application/json", class: "visually-hidden", tabindex: "-1", "aria-label": t("settings.importTitle"), onchange: guarded(async () => {
    const [chosen] = file.files;
    file.value = "";
    if (chosen) await importSettings(settings, chosen, cast);
  }) });

  replace(page,
    h("div", { class: "head" },
      h("div", { class: "grow" }, h("h1", {}, t("settings.title")), h("p", { class: "hint lead" }, t("settings.lead"))),
      h("div", { class: "actions" }, find,
        file, h("button", { type: "button", onclick: () => file.click() }, icon("upload"), t("settings.import")),
        h("button", { type: "button", onclick: () => exportSettings(settings) }, icon("download"), t("settings.export")))),
    h("div", { class: "settings-page" }, contents, h("div", { class: "stack" },
      h("section", { class: "card scope" }, field(t("settings.scope"), scope), presetField, note),
      groups, nothing)));

  function draw() {
    settings.forgetListeners();
    settings.onChange(() => { preset.value = settings.preset(); others(); });
    presetField.hidden = Boolean(character);
    note.textContent = character ? t("settings.scopeNote", { name: cast.name(character) }) : "";
    const context = { settings, character: character || undefined, cast, signal };
    const shown = groupsOfPage().filter((group) => !character || group.personal);
    replace(groups, shown.map((group) => groupCard(group, context)), !character && otherCard());
    replace(contents, [...groups.children].filter((one) => !one.hidden).map((card) => h("button", { type: "button", class: "quiet", onclick: () => {
      card.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth", block: "start" });
      card.querySelector("h2").focus({ preventScroll: true });
    } }, card.querySelector("h2").textContent)));
    sift();
  }

  /** Settings that this page does not know: of a newer server, or of a character that is gone. */
  function unknown() {
    return [...settings.flat().keys()].filter((key) => {
      const [name, id] = key.split(/@(.*)/s);
      return id === undefined ? !OPTIONS[name] && !name.startsWith("calendar.") : !(canBePersonal(name) && OPTIONS[name] && cast.byId.has(id));
    });
  }
  let known = "";
  function others() {
    if (character || unknown().join("\n") === known) return;
    groups.querySelector("[data-group=other]")?.replaceWith(otherCard());
  }
  function otherCard() {
    const keys = unknown();
    known = keys.join("\n");
    const card = h("section", { class: "card group", dataset: { group: "other" }, hidden: keys.length === 0 }, heading("other"), keys.map((key) => settingRow(key, { settings })));
    return card;
  }

  function sift() {
    const wanted = find.value.trim().toLowerCase();
    let found = 0;
    for (const card of groups.children) {
      let inside = 0;
      for (const row of card.querySelectorAll(".setting")) {
        const isIn = !wanted || `${row.dataset.key} ${row.textContent} ${card.querySelector("h2").textContent}`.toLowerCase().includes(wanted);
        row.classList.toggle("sifted", !isIn);
        if (isIn) inside += 1;
      }
      card.classList.toggle("sifted", inside === 0 && Boolean(wanted));
      for (const details of card.querySelectorAll("details")) if (wanted) details.open = [...details.querySelectorAll(".setting")].some((row) => !row.classList.contains("sifted"));
      found += inside;
    }
    nothing.textContent = found || !wanted ? "" : t("settings.nothingFound");
  }

  draw();
  // Somebody was sent here for one of them: when the page is seen.
  const sought = groups.querySelector(`[data-group="${CSS.escape(query.get("group") ?? "")}"]`);
  if (sought) lead(sought, query.get("connection") ?? "", signal);
}

/** Goes there, and stays there while what is above it finds its height; until the person does anything. `connection`: to which form in it. */
function lead(card, connection, signal) {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  for (const event of ["wheel", "pointerdown", "keydown", "touchstart"]) addEventListener(event, () => over.abort(), { signal: until, passive: true });
  for (const [index, delay] of [30, 200, 500, 1000].entries()) {
    setTimeout(() => {
      if (until.aborted) return;
      const form = connection && card.querySelector(`[data-connection="${CSS.escape(connection)}"]`);
      (form || card).scrollIntoView({ block: "start" });
      const field = form ? form.querySelector("input[inputmode=url]") : index === 0 && card.querySelector("h2");
      if (field && document.activeElement !== field) field.focus({ preventScroll: true });
    }, delay);
  }
  setTimeout(() => over.abort(), 1100);
}

const heading = (id) => [h("h2", { tabindex: "-1" }, t(`settings.group.${id}`)), h("p", { class: "hint" }, t(`settings.group.${id}.hint`))];

function groupCard(group, context) {
  const make = (one) => {
    if (typeof one !== "string") return settingTable(one, context);
    return one === "recall.template" ? templateEditor(context) : settingRow(one, context);
  };
  const special = { calendar: calendarEditor, models: modelsPanel }[group.special];
  return h("section", { class: "card group", dataset: { group: group.id } },
    heading(group.id),
    group.first.map(make),
    special?.(context),
    group.more.length > 0 && h("details", { class: "more" }, h("summary", {}, t("settings.more", { n: group.more.length })), group.more.map(make)));
}

function presetChoice(settings) {
  const select = h("select", { onchange: async () => {
    try {
      await settings.save({}, { preset: select.value, told: t("settings.savedOne", { name: t("settings.preset") }) });
    } catch (error) {
      complain(error);
      select.value = settings.preset();
    }
  } }, PRESETS.map((one) => h("option", { value: one, selected: one === settings.preset() }, t(`settings.preset.${one}`))));
  return select;
}
