// One line, as people should see it: who said it, to whose ears, how it was meant, and what became of it since.

import { h } from "../../dom.js";
import { dayOf, happened } from "../../parts/dates.js";
import { icon } from "../../parts/icon.js";
import { portrait } from "../../parts/portrait.js";
import { since } from "../../parts/since.js";
import { number, t, term } from "../../words.js";

/**
 * Who was there and did not hear it: of a participant set all others of it; in a scene, where people come and go, whoever heard
 * something shortly before and shortly after (or is present, at the end).
 */
export function unheard(line, before, after, conversation, isPerson) {
  if (line.attribute === "system") return [];
  const heard = new Set(line.witnesses);
  if (!conversation.name) return conversation.participants.filter((id) => !heard.has(id) && isPerson(id));
  const earlier = new Set(before.flatMap((one) => one.witnesses));
  const later = new Set(after.length ? after.flatMap((one) => one.witnesses) : conversation.present);
  return [...earlier].filter((id) => later.has(id) && !heard.has(id) && isPerson(id));
}

function marks(line, names) {
  const forgotten = line.forgotten_by ?? [];
  return [
    line.original_emotion && h("span", { class: "chip", title: t("talk.emotion") }, line.original_emotion),
    line.predicted_emotion && line.predicted_emotion !== line.original_emotion && h("span", { class: "chip", title: t("talk.predicted") }, `≈ ${line.predicted_emotion}`),
    line.hidden && h("span", { class: "chip warn" }, t("talk.hidden")),
    line.shown === false && h("span", { class: "chip warn" }, t("talk.unshown")),
    line.version > 0 && h("span", { class: "chip" }, line.version > 1 ? t("talk.editedTimes", { times: number(line.version) }) : t("talk.edited")),
    forgotten.length > 0 && h("span", { class: "chip warn" }, t("talk.forgottenBy", { names: forgotten.map(names.name).join(t("talk.comma")) })),
  ];
}

/** The day, where another one begins; whether it does is known of what stands behind something, and of the first line of all. */
function newDay(line, before, world) {
  const day = dayOf(world, line);
  const earlier = before.at(-1);
  if (!day || (earlier ? dayOf(world, earlier) === day : line.parent !== undefined)) return null;
  return h("p", { class: "day-mark" }, h("span", {}, day));
}

const button = (glyph, words, onclick, more) => h("button", { type: "button", class: "quiet icon-only", "aria-label": words, title: words, onclick, ...more }, icon(glyph));

/** `act` has what can be done with a line; `round` of the line, if one begins here. */
export function drawLine(line, { before, after, conversation, names, act, round, world }) {
  const speaker = line.speaker && names.byId.get(line.speaker);
  const name = line.display_name || (line.speaker ? names.name(line.speaker) : t("talk.nobody"));
  const isNarrator = speaker?.kind === "narrator" || (!line.speaker && line.attribute !== "system");
  const missed = unheard(line, before, after, conversation, (id) => names.byId.get(id)?.kind !== "narrator");
  const kind = line.attribute === "system" ? "system" : isNarrator ? "narrator" : line.attribute;
  const classes = ["line", kind, missed.length > 0 && "whisper", (line.hidden || line.shown === false) && "dim"].filter(Boolean);
  const swipes = h("span", { class: "swipes" });
  const heard = line.witnesses.length === 0 ? t("talk.heardByNobody") : t("talk.heardBy", { names: line.witnesses.map(names.name).join(t("talk.comma")) });
  const element = h("article", { class: classes.join(" ") },
    newDay(line, before, world),
    round && h("p", { class: "round-mark" }, h("span", {}, t("talk.round", { round: number(round.place) }), " · ", term("round", round.state))),
    portrait(speaker ?? name, "small"),
    h("div", { class: "said" },
      h("header", {},
        line.speaker && kind !== "narrator" && kind !== "system" ? h("a", { class: "speaker", href: act.characterAddress(line.speaker) }, name) : h("span", { class: "speaker" }, name),
        kind === "system" && h("span", { class: "chip accent" }, line.speaker ? t("talk.systemTo") : t("talk.system")),
        missed.length > 0 && h("span", { class: "chip accent" }, icon("eye"), t("talk.whisper", { names: missed.map(names.name).join(t("talk.comma")) })),
        marks(line, names),
        h("span", { class: "when faint" }, line.tick !== undefined && happened(world, { tick: line.tick }), line.time && since(line.time))),
      line.action_content && h("p", { class: "action" }, line.action_content),
      h("p", { class: "content" }, line.content || h("span", { class: "faint" }, t("talk.noWords"))),
      line.tts_content && h("details", { class: "small" }, h("summary", {}, t("talk.tts")), h("p", { class: "content" }, line.tts_content)),
      line.audio_file && h("p", { class: "hint mono" }, line.audio_file),
      h("footer", {},
        h("span", { class: "heard faint", title: heard }, icon("people"), h("span", {}, heard)),
        swipes,
        h("span", { class: "line-actions" },
          button("spark", t("talk.memoriesOf"), () => act.memories(line)),
          button("edit", t("talk.edit"), () => act.edit(line)),
          button("eye", line.hidden ? t("talk.show") : t("talk.hide"), () => act.hide(line), { "aria-pressed": line.hidden ? "true" : "false" }),
          button("branch", t("talk.another"), () => act.another(line)),
          button("undo", t("talk.backTo"), () => act.backTo(line)),
          button("trash", t("talk.delete"), () => act.remove(line))))));
  act.wantSwipes(line, swipes);
  return element;
}
