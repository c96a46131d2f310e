// Every state that a memory had, with the way back to each.

import { at, get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { complain } from "../../parts/toast.js";
import { number, share, t, term } from "../../words.js";

/** `goBack(revision)`, and `takeBack()` if there is a change to take back. */
export function history(page, shared, { goBack, takeBack }) {
  const list = h("ol", { class: "past plain" });
  const read = async () => {
    const { states } = await get(at`/v1/worlds/${page.world}/memories/${shared.id}/history`, { holder: page.character }, { signal: page.signal });
    const told = states.map((state, index) => entry(state, states[index - 1], index === states.length - 1, goBack));
    replace(list, told.reverse());
  };
  read().catch((error) => !page.signal.aborted && complain(error));
  return [list, takeBack && h("p", {}, h("button", { type: "button", class: "quiet", dataset: { control: "undo" }, onclick: takeBack }, t("memory.undo")))];
}

function entry(state, before, isNow, goBack) {
  return h("li", { class: isNow ? "past-state now" : "past-state" },
    h("div", { class: "grow" }, h("p", {}, describe(state, before)),
      h("p", { class: "small faint" }, t("memory.revision", { revision: number(state.revision) }), isNow && [" · ", h("strong", {}, t("memory.now"))])),
    !isNow && state.held && h("button", { type: "button", class: "quiet", "aria-label": t("memory.backToOf", { revision: state.revision }), onclick: () => goBack(state.revision) }, t("memory.backTo")));
}

/** What became different, in words. */
function describe(state, before) {
  if (!before) return t("past.made");
  if (!state.held) return t("past.gone");
  const told = [];
  if (!before.held) told.push(t("past.back"));
  if (state.pinned !== before.pinned) told.push(t(state.pinned ? "past.pinned" : "past.unpinned"));
  if (state.shareable !== before.shareable) told.push(t(state.shareable ? "past.shared" : "past.unshared"));
  if (state.forgotten !== before.forgotten) told.push(t(!state.forgotten ? "past.remembered" : state.lines_forgotten ? "past.forgottenWords" : "past.forgotten"));
  if (state.text !== before.text) told.push(state.text === undefined ? t("past.ownText") : t("past.reworded", { text: state.text }));
  if (state.importance !== before.importance) told.push(state.importance === undefined ? t("past.ownWeight") : t("past.weighed", { value: share(state.importance) }));
  if (state.layer !== before.layer && state.layer) told.push(t("past.layer", { layer: term("layer", state.layer) }));
  if (state.summarised_by !== before.summarised_by && state.summarised_by) told.push(t("past.summarised", { id: state.summarised_by }));
  if (state.superseded_by !== before.superseded_by) told.push(state.superseded_by ? t("past.superseded", { id: state.superseded_by }) : t("past.standsAgain"));
  return told.length > 0 ? told.join(" · ") : t("past.refreshed");
}
