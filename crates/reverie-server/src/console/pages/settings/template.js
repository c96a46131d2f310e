// How memories are written: a template, tried on real memories before it is saved.

import { at, get, post } from "../../api.js";
import { calm, freshId, h, replace } from "../../dom.js";
import { draftKey, drafts } from "../../parts/drafts.js";
import { guarded } from "../../parts/toast.js";
import { inWords } from "../../parts/trouble.js";
import { t } from "../../words.js";
import { bind, nameOf, told } from "./control.js";

/** What the built-in template does, as one that can be changed. */
const BUILT_IN = {
  zh: ["角色记忆", "情景记忆", "语义记忆", "特质记忆", "目标记忆"],
  en: ["Memories", "What happened", "Facts", "Traits", "Goals"],
};

/** As the settings have it now: `value(key)` tells them. */
function builtIn(value) {
  const [all, ...kinds] = BUILT_IN[value("language") === "en" ? "en" : "zh"];
  const item = `- ${value("recall.show_time") ? "{{#if time}}[{{time}}] {{/if}}" : ""}{{text}}${value("recall.show_source") ? "{{#if source}} ({{source}}){{/if}}" : ""}`;
  const list = (of) => `{{#each ${of}}}\n${item}\n{{/each}}`;
  const each = ["episodic", "semantic", "trait", "goal"].map((kind, index) => `{{#if ${kind}}}\n### ${kinds[index]}\n${list(kind)}\n{{/if}}`);
  return `## ${all}\n${value("recall.by_kind") ? each.join("\n") : list("memories")}\n`;
}

const WAIT_MS = 350;
/** Among so many somebody is sought who has something to show. */
const MOST_PEOPLE = 100;

/** Templates that are not saved yet, by world and character. */
const begun = drafts();

export function templateEditor({ settings, character, cast, signal }) {
  const key = "recall.template";
  const label = nameOf(key);
  const hintId = freshId("hint");
  const bound = bind(key, { settings, character, label, describedby: hintId });
  const mark = h("span", { class: "chip accent changed" }, t(character ? "settings.ownValue" : "settings.changed"));
  const usually = h("span", {});
  const area = h("textarea", { class: "mono", rows: 9, spellcheck: "false", "aria-label": label, "aria-describedby": hintId, oninput: () => { draw(); preview(); } });
  const save = h("button", { type: "button", class: "primary", onclick: guarded(async () => { await bound.save(area.value); draw(); }) }, t("template.save"));
  const discard = h("button", { type: "button", class: "quiet", onclick: () => { area.value = stored(); draw(); preview(); } }, t("template.discard"));
  const start = h("button", { type: "button", onclick: () => { area.value = builtIn((of) => settings.value(of, of.startsWith("recall.") ? character : undefined)); area.focus(); draw(); preview(); } }, t("template.start"));
  const unsaved = h("span", { class: "hint", role: "status" });
  const shown = h("pre", { class: "preview", tabindex: "0", "aria-live": "polite" });
  const people = cast.characters.filter((one) => one.kind !== "narrator");
  // Whoever has a persona is likely to remember something; who remembers most is asked for below.
  const first = character ?? (people.find((one) => one.persona) ?? people[0])?.id;
  const whose = h("select", { "aria-label": t("template.previewOf"), onchange: () => { isChosen = true; preview(); } },
    people.map((one) => h("option", { value: one.id, selected: one.id === first }, cast.name(one.id))));
  const whoseDraft = draftKey(settings.world, character ?? "");
  let isChosen = Boolean(character);
  if (!character) get(at`/v1/worlds/${settings.world}/stats`, { limit: MOST_PEOPLE }, { signal }).then(({ by_character: { items } }) => {
    const [best] = items.filter((one) => people.some(({ id }) => id === one.character)).sort((a, b) => b.memories - a.memories);
    if (isChosen || !best?.memories || best.character === whose.value) return;
    whose.value = best.character;
    preview();
  }, () => {}); // Then it is whoever stands first.
  let was = String(settings.value(key, character) ?? "");
  /** The template that the server does not take, to which its words stand beside. */
  let refused = null;
  area.value = begun.get(whoseDraft) ?? was;

  const stored = () => String(settings.value(key, character) ?? "");
  function draw() {
    // What came from elsewhere is shown, unless somebody is at work here.
    if (area.value === was && document.activeElement !== area) area.value = stored();
    was = stored();
    const isNew = area.value !== was;
    if (isNew) begun.set(whoseDraft, area.value);
    else begun.delete(whoseDraft);
    save.disabled = !isNew || refused === area.value;
    discard.hidden = !isNew;
    start.hidden = area.value !== "";
    unsaved.textContent = isNew ? t("template.unsaved") : "";
    mark.hidden = bound.reset.hidden;
    usually.textContent = t(character ? "settings.fromWorld" : "settings.default", { value: told(key, settings.fallback(key, character)) });
  }

  async function look() {
    const who = whose.value;
    const tried = area.value;
    if (!who) return replace(shown, t("template.noCharacter"));
    const trial = { "recall.enabled": true, "recall.threshold": 0, "recall.template": tried || null };
    // So that there is something to see of each kind, whatever is said.
    for (const kind of ["episodic", "semantic", "trait", "goal"]) trial[`recall.constant.${kind}`] = true;
    try {
      const answer = await post(at`/v1/worlds/${settings.world}/recall`, { character: who, history: [], message: "…", settings: trial }, { signal });
      const block = answer.blocks.find((one) => one.position === "memory");
      shown.classList.remove("wrong");
      const hasRoom = !answer.left_out.some((one) => one.memories.length > 0);
      replace(shown, block ? block.text : t(hasRoom ? "template.noMemories" : "template.noRoom", { name: cast.name(who) }));
    } catch (error) {
      if (error.name === "AbortError") return;
      shown.classList.add("wrong");
      const isOld = error.status === 400 && /unknown field .?settings/.test(error.message);
      replace(shown, isOld ? t("template.cannot") : inWords(error));
      if (error.status === 400 && error.message.startsWith(`${key}:`)) refused = tried;
      draw();
    }
  }
  const preview = calm(WAIT_MS, look);
  bound.onDraw(() => { draw(); preview(); });
  settings.onChange(preview);
  bound.draw();

  return h("div", { class: "setting template", dataset: { key } },
    h("div", { class: "what" },
      h("span", { class: "name" }, label, " ", mark),
      h("span", { class: "hint", id: hintId }, `${t(`option.${key}.hint`)} `, h("span", { class: "usually" }, h("code", {}, key), " · ", usually))),
    h("div", { class: "split" },
      h("div", {}, area, h("p", { class: "hint mono" }, t("template.tags")),
        h("p", { class: "actions" }, save, discard, start, bound.reset, unsaved), bound.wrong),
      h("div", {}, h("p", { class: "bar" }, h("span", { class: "name" }, t("template.preview")), h("span", { class: "hint" }, t("template.previewOf")), whose), shown)));
}
