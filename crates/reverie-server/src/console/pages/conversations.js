// Conversations: the list, and one of them beside it.

import { h, replace } from "../dom.js";
import { watch } from "../live.js";
import { icon } from "../parts/icon.js";
import { empty } from "../parts/states.js";
import { names as namesOf } from "../shell.js";
import { learn, t } from "../words.js";
import words from "../words/conversations.js";
import { conversationList } from "./conversations/list.js";
import { newDialog } from "./conversations/present.js";
import { talk } from "./conversations/talk.js";

learn(words);

export async function show(page, { world, conversation, query, revision, signal }) {
  page.classList.add("full", "conversations", conversation ? "one" : "all");
  const names = await namesOf(world, signal);
  const begin = () => newDialog({ world, names });
  const create = () => h("button", { type: "button", class: "primary", onclick: begin }, icon("plus"), t("talk.new"));
  // Where there is none, there is nothing to choose from.
  const list = conversationList({ world, names, chosen: conversation, signal, begin: conversation && begin, read: () => { if (!conversation) main.hidden = list.isEmpty(); },
    empty: () => empty(t("talk.none"), t("talk.noneText"), create()) });

  const main = conversation
    ? await talk({ world, id: conversation, names, line: query.get("line"), revision, signal, changed: () => list.again() })
    : h("section", { class: "talk-choose" }, h("p", { class: "faint" }, t("talk.choose")));
  replace(page,
    !conversation && h("div", { class: "head" }, h("h1", { class: "grow" }, t("talk.all")), create()),
    h("div", { class: "talk-split" }, list.element, main));
  await list.load();
  // Inside of a conversation its own look at the world tells.
  if (!conversation) watch(world, signal, () => list.again(), revision);
}
