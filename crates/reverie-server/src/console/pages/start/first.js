// A first world in four small steps: a place, somebody, a few words, and what is remembered of them.

import { at, get, post, put } from "../../api.js";
import { h, replace } from "../../dom.js";
import { field } from "../../parts/dialog.js";
import { freeId, makeWorld, remember } from "../../parts/files/bring.js";
import { said } from "../../parts/said.js";
import { guarded } from "../../parts/toast.js";
import { to } from "../../router.js";
import { t, term } from "../../words.js";

const STEPS = ["world", "character", "lines", "memory"];
const PRESETS = ["companion", "game", "bot"];

/** What was typed so far; it survives a change of language and a look at another page. */
let draft = fresh();

function fresh() {
  return { step: 0, world: "", preset: "companion", name: "", persona: "", you: "", said: "", answered: "", memories: null, conversation: "" };
}

/** `arrived(world)` is told when somebody new can be spoken with. */
export function firstWorld(worlds, signal, arrived) {
  const body = h("div", { class: "step" });
  const progress = h("ol", { class: "progress" });
  const element = h("section", { class: "card first-world", "aria-labelledby": "start-first" }, h("h2", { id: "start-first" }, t("start.first")), progress, body);
  const taken = new Set(worlds.map((one) => one.id));

  function draw(hasMoved) {
    replace(progress, STEPS.map((step, index) => h("li", { "aria-current": index === draft.step ? "step" : null, class: index < draft.step ? "past" : null }, h("span", {}, t(`start.step.${step}`)))));
    replace(body, [worldStep, characterStep, linesStep, memoryStep][draft.step]());
    if (hasMoved) (body.querySelector("input, textarea, a.button") ?? body).focus();
  }

  const step = (text, fields, next, more) => h("form", {
    onsubmit: guarded(async (event) => {
      event.preventDefault();
      const form = event.currentTarget;
      form.inert = true; // What is typed meanwhile would belong to neither step.
      try {
        await next();
      } finally {
        form.inert = false;
      }
      if (signal.aborted) return;
      draft.step += 1;
      draw(true);
    }),
  }, h("p", { class: "faint" }, text), fields, h("p", { class: "actions" },
    h("button", { type: "submit", class: "primary" }, more ?? t("start.next")),
    draft.step > 0 && h("button", { type: "button", class: "quiet", onclick: () => { draft.step -= 1; draw(true); } }, t("start.back")),
    h("button", { type: "button", class: "quiet", onclick: example }, t("start.example"))));

  const typed = (key, attributes) => h(attributes?.long ? "textarea" : "input", {
    ...(attributes?.long ? { rows: 3 } : { type: "text", autocomplete: "off" }),
    maxlength: attributes?.long ? 20_000 : 100,
    required: attributes?.required ?? true,
    placeholder: attributes?.placeholder ? t(attributes.placeholder) : null,
    value: draft[key],
    oninput: (event) => { draft[key] = event.target.value; },
  });

  function example() {
    const filled = { world: freeId(t("start.ex.world"), taken), name: t("start.ex.name"), persona: t("start.ex.persona"), you: t("start.ex.you"), said: t("start.ex.said"), answered: t("start.ex.answered") };
    for (const [key, value] of Object.entries(filled)) if (!draft[key]) draft[key] = value;
    draw(true);
  }

  function worldStep() {
    const preset = h("div", { class: "first-choices", role: "radiogroup", "aria-label": t("start.preset") }, PRESETS.map((one) => h("label", { class: "check" },
      h("input", { type: "radio", name: "preset", value: one, checked: draft.preset === one, onchange: () => { draft.preset = one; } }),
      h("span", {}, h("strong", {}, term("preset", one)), " ", h("span", { class: "faint" }, t(`start.preset.${one}`))))));
    return step(t("start.worldText"), [field(t("start.worldName"), typed("world", { placeholder: "start.ex.world" })), h("span", { class: "label" }, t("start.preset")), preset], async () => {
      const id = draft.world.trim();
      if (taken.has(id) && draft.made !== id) throw new Error(t("start.taken", { id }));
      await makeWorld(id, draft.preset);
      [draft.world, draft.made] = [id, id];
      taken.add(id);
    });
  }

  function characterStep() {
    return step(t("start.characterText", { world: draft.world }), [
      field(t("start.characterName"), typed("name", { placeholder: "start.ex.name" })),
      field(t("start.persona"), typed("persona", { long: true, required: false, placeholder: "start.ex.persona" }), t("start.personaHint")),
    ], async () => {
      draft.name = draft.name.trim();
      await put(at`/v1/worlds/${draft.world}/characters/${draft.name}`, { display_name: draft.name, persona: draft.persona.trim() || null });
      await arrived(draft.world);
    });
  }

  function linesStep() {
    return step(t("start.linesText"), [
      field(t("start.you"), typed("you", { placeholder: "start.ex.you" })),
      field(t("start.said"), typed("said", { long: true, placeholder: "start.ex.said" })),
      field(t("start.answered", { name: draft.name }), typed("answered", { long: true, placeholder: "start.ex.answered" })),
    ], async () => {
      const you = draft.you.trim();
      if (you === draft.name) throw new Error(t("start.sameName"));
      const conversation = await post(at`/v1/worlds/${draft.world}/conversations`, { participants: [you, draft.name] });
      await post(at`/v1/worlds/${draft.world}/conversations/${conversation.id}/lines`, {
        // The same words are recorded once, also if the step is taken again.
        key: `first-${hash([you, draft.said, draft.answered].join("\n"))}`,
        lines: [
          { speaker: you, attribute: "user", content: draft.said.trim() },
          { speaker: draft.name, attribute: "assistant", content: draft.answered.trim() },
        ],
      });
      draft.conversation = conversation.id;
      await remember(draft.world, signal);
      draft.memories = (await get(at`/v1/worlds/${draft.world}/characters/${draft.name}/memories`, { limit: 5, newest: true }, { signal })).items;
    }, t("start.record"));
  }

  function memoryStep() {
    const { world, name, memories } = draft;
    return [
      h("p", { role: "status" }, memories?.length ? t("start.remembered", { name }) : t("start.notYet", { name })),
      h("ul", { class: "remembered" }, (memories ?? []).map((one) => h("li", {},
        h("span", { class: "chip", dataset: { kind: one.kind } }, term("kind", one.kind)), h("p", {}, said(one.text))))),
      h("p", { class: "actions" },
        h("a", { class: "button primary", href: to`/worlds/${world}/characters/${name}` }, t("start.seeMemories", { name })),
        h("a", { class: "button", href: to`/worlds/${world}/why` }, t("start.seeWhy")),
        h("button", { type: "button", class: "quiet", onclick: () => { draft = { ...draft, step: 2, said: "", answered: "" }; draw(true); } }, t("start.moreLines")),
        h("button", { type: "button", class: "quiet", onclick: () => { draft = fresh(); draw(true); } }, t("start.again"))),
    ];
  }

  draw();
  return element;
}

function hash(text) {
  let value = 5381;
  for (const letter of text) value = (Math.imul(value, 33) ^ letter.codePointAt(0)) >>> 0;
  return value.toString(36);
}
