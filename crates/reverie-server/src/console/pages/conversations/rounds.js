// The rounds of a conversation: which exchanges are over, and which of them are remembered.

import { at, get, post } from "../../api.js";
import { dotted, h } from "../../dom.js";
import { confirm, dialog } from "../../parts/dialog.js";
import { since } from "../../parts/since.js";
import { guarded, say } from "../../parts/toast.js";
import { virtualList } from "../../parts/virtual.js";
import { listed, number, t, term } from "../../words.js";

const FEW = 500;
const TONES = { open: "chip accent", closed: "chip warn", digested: "chip good" };

/** Rounds by their first line, each with its `place` in this conversation, where they are few enough to be read at once. */
export async function roundMarks(world, conversation, signal) {
  const page = await get(at`/v1/worlds/${world}/conversations/${conversation}/rounds`, { limit: FEW }, { signal });
  return page.next === undefined ? new Map(page.items.map((round, index) => [round.first_line, { ...round, place: index + 1 }])) : new Map();
}

export function roundsDialog({ world, conversation, names, jump, signal }) {
  const end = (round, place, how) => guarded(async () => {
    if (how === "abort" && !(await confirm(t("talk.abortTitle", { round: number(place) }), t("talk.abortText"), { agree: t("talk.abort"), danger: true }))) return;
    await post(at`/v1/worlds/${world}/rounds/${round.id}/${how}`, {});
    say(t(how === "complete" ? "talk.roundCompleted" : "talk.roundAborted"));
    await list.reload({ keepPlace: true });
  });
  const list = virtualList({
    label: t("talk.rounds"),
    rowHeight: 60,
    load: (cursor) => get(at`/v1/worlds/${world}/conversations/${conversation}/rounds`, { limit: 100, cursor }, { signal }),
    empty: () => h("p", { class: "empty" }, t("talk.noRounds")),
    row: (round, index) => h("div", { class: "round-row" },
      h("span", { class: TONES[round.state] ?? "chip" }, term("round", round.state)),
      h("span", { class: "grow" }, h("span", {}, t("talk.round", { round: number(index + 1) }), " ", h("span", { class: "faint small" }, round.explicit ? t("talk.explicit") : t("talk.found"))),
        h("span", { class: "faint small" }, dotted(round.opened && since(round.opened), listed(round.present.map((one) => one.display_name || names.name(one.character)))))),
      round.state === "open" && round.explicit && h("button", { type: "button", onclick: end(round, index + 1, "complete") }, t("talk.complete")),
      round.state === "open" && round.explicit && h("button", { type: "button", class: "quiet", onclick: end(round, index + 1, "abort") }, t("talk.abort")),
      round.first_line && h("button", { type: "button", class: "quiet", "aria-label": t("talk.showRound", { round: number(index + 1) }), onclick: () => { box.close(); jump(round.first_line); } }, t("talk.showIt"))),
  });
  const box = dialog(t("talk.rounds"), [h("p", { class: "hint" }, t("talk.roundsHint")), h("div", { class: "rounds-list" }, list)], { wide: true });
  list.reload();
}
