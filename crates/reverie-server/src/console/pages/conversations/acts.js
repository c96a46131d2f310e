// What can be done with a line: reword, hide, delete, and see what is remembered of it.

import { at, get, patch, remove } from "../../api.js";
import { h, replace } from "../../dom.js";
import { confirm, dialog, field } from "../../parts/dialog.js";
import { happened } from "../../parts/dates.js";
import { said } from "../../parts/said.js";
import { complain, guarded, say } from "../../parts/toast.js";
import { inWords } from "../../parts/trouble.js";
import { to } from "../../router.js";
import { t, term } from "../../words.js";

const WORDING = ["content", "action_content", "original_emotion", "predicted_emotion", "tts_content"];

/** `changed(line)` hears what a line is now, `gone()` that one is deleted; `jump(id)` shows another one. */
export function acts({ world, names, signal, changed, gone, jump }) {
  const path = (line) => at`/v1/worlds/${world}/lines/${line.id}`;

  async function write(line, change, words, done) {
    const before = Object.fromEntries(Object.keys(change).map((name) => [name, line[name] ?? null]));
    changed(await patch(path(line), change));
    done?.(); // What is said stands beside the page, not in a dialog that closes.
    say(words, { about: JSON.stringify(["line", world, line.id]), undo: async () => changed(await patch(path(line), before)) });
  }

  function edit(line) {
    const inputs = Object.fromEntries(WORDING.map((name) => [name, name === "content" || name === "tts_content"
      ? h("textarea", { rows: name === "content" ? 6 : 2, value: line[name] ?? "", autofocus: name === "content" })
      : h("input", { type: "text", value: line[name] ?? "" })]));
    dialog(t("talk.editLine"), [
      field(t("talk.words"), inputs.content), field(t("talk.action"), inputs.action_content),
      h("div", { class: "fields" }, field(t("talk.emotion"), inputs.original_emotion), field(t("talk.predicted"), inputs.predicted_emotion)),
      field(t("talk.tts"), inputs.tts_content), h("p", { class: "hint" }, t("talk.editHint")),
    ], { agree: t("talk.save"), wide: true, submit: async (close) => {
      const change = {};
      for (const name of WORDING) {
        const value = inputs[name].value;
        if (value !== (line[name] ?? "")) change[name] = value === "" && name !== "content" ? null : value;
      }
      if (Object.keys(change).length) await write(line, change, t("talk.saved"), close);
      else close();
    } });
  }

  const hide = guarded((line) => write(line, { hidden: !line.hidden }, line.hidden ? t("talk.shownAgain") : t("talk.nowHidden")));

  const drop = guarded(async (line) => {
    const isSure = await confirm(t("talk.deleteLine"), t("talk.deleteText", { words: line.content.slice(0, 120) }), { agree: t("talk.delete"), danger: true });
    if (!isSure) return;
    await remove(path(line));
    await gone(line);
    say(t("talk.deleted"));
  });

  /** Those who have it, each with a way to their page. */
  const holders = (memory) => h("p", { class: "bar small" }, h("span", { class: "faint" }, t("talk.rememberedBy")), memory.holders.map(({ holder, forgotten, live, pinned }) =>
    h("a", { class: "chip accent", href: `${to`/worlds/${world}/characters/${holder}`}?memory=${encodeURIComponent(memory.id)}` },
      names.name(holder), pinned && " ★", forgotten && ` (${t("talk.memoryForgotten")})`, !forgotten && live === false && ` (${t("talk.memoryAway")})`)));

  const origin = (memory, line, close) => memory.sources.length > 1 && h("p", { class: "bar small" }, h("span", { class: "faint" }, t("talk.madeOf")),
    memory.sources.slice(0, 30).map((id) => h("button", { type: "button", class: "quiet chip", "aria-current": id === line.id ? "true" : null, onclick: () => { close(); jump(id); } }, `#${id}`)));

  function memories(line) {
    const list = h("div", { class: "stack" }, h("p", { class: "faint" }, t("list.loading")));
    const box = dialog(t("talk.memoriesOf"), [h("blockquote", { class: "quoted" }, line.content.slice(0, 300)), list], { wide: true });
    const close = () => box.close();
    let cursor;
    const read = async () => {
      const page = await get(`${path(line)}/memories`, { limit: 30, cursor }, { signal });
      if (cursor === undefined) replace(list, page.items.length === 0 && h("p", {}, t("talk.noMemories")));
      list.querySelector(".more")?.remove();
      cursor = page.next;
      list.append(...page.items.map((memory) => h("section", { class: "card memory-card" },
        h("p", { class: "bar" }, h("span", { class: "chip", dataset: { kind: memory.kind } }, term("kind", memory.kind)), h("span", { class: "faint small" }, happened(world, memory))),
        h("p", { class: "content" }, said(memory.text)), holders(memory), origin(memory, line, close))));
      if (cursor !== undefined) list.append(h("p", { class: "more" }, h("button", { type: "button", onclick: guarded(read) }, t("talk.readOn"))));
    };
    read().catch((error) => {
      replace(list, h("p", {}, error.status === 404 ? t("talk.memoriesUnknown") : inWords(error)));
      if (error.status !== 404) complain(error);
    });
  }

  return { edit, hide, remove: drop, memories, characterAddress: (id) => to`/worlds/${world}/characters/${id}` };
}
