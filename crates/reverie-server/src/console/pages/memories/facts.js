// What is known about a memory besides its words.

import { at, get } from "../../api.js";
import { dotted, h, replace } from "../../dom.js";
import { happened } from "../../parts/dates.js";
import { guarded } from "../../parts/toast.js";
import { to } from "../../router.js";
import { number, t, term } from "../../words.js";
import { saying } from "./saying.js";

const AT_ONCE = 8;

export function facts(page, shared, held) {
  const fact = (key, value) => value && [h("dt", {}, t(`memory.${key}`)), h("dd", {}, value)];
  const words = (list) => list.length > 0 && h("span", { class: "chip-row" }, list.map((word) => h("span", { class: "chip" }, word)));
  const people = shared.about.map((id, index) => [index > 0 && page.comma, h("a", { href: to`/worlds/${page.world}/characters/${id}` }, page.name(id))]);
  return [
    h("dl", { class: "facts" },
      fact("when", time(page, shared)),
      fact("origin", term("origin", shared.origin)),
      fact("about", people.length > 0 && people),
      fact("emotions", words(shared.emotions)),
      fact("topics", words(shared.topics)),
      fact("keywords", words(shared.keywords)),
      fact("validFrom", held.valid_from && time(page, held.valid_from)),
      fact("validUntil", held.valid_until && time(page, held.valid_until)),
      fact("summarisedBy", held.summarised_by && link(page, held.summarised_by)),
      fact("supersededBy", held.superseded_by && link(page, held.superseded_by))),
    shared.from.length > 0 && summed(page, shared.from),
  ];
}

const link = (page, id) => h("button", { type: "button", class: "quiet as-link", onclick: () => page.open(id) }, t("memory.open", { id }));

/** By the calendar, with the clock on the wall behind it. */
const time = (page, { time: wall, tick, since }) => dotted(tick !== undefined && happened(page.world, { tick, since }), wall && happened(page.world, { time: wall, since }));

/** The memories in a summary, a few at a time and only when somebody asks. */
function summed(page, ids) {
  const list = h("ul", { class: "summed plain" });
  let shown = 0;
  const more = h("button", { type: "button", class: "quiet", onclick: guarded(load) });
  async function load() {
    const part = ids.slice(shown, shown + AT_ONCE);
    const read = await Promise.all(part.map((id) => get(at`/v1/worlds/${page.world}/memories/${id}`, undefined, { signal: page.signal }).catch((error) => (error.status === 404 ? null : Promise.reject(error)))));
    list.append(...read.filter(Boolean).map((one) => h("li", {}, h("button", { type: "button", class: "quiet as-link", onclick: () => page.open(one.id) }, saying(one).slice(0, 160)))));
    shown += part.length;
    more.hidden = shown >= ids.length;
    replace(more, t("memory.moreLines", { n: number(Math.min(AT_ONCE, ids.length - shown)) }));
  }
  const box = h("details", { class: "sums", ontoggle: () => { if (box.open && shown === 0) guarded(load)(); } }, h("summary", {}, t("memory.sums", { n: number(ids.length) })), list, more);
  return box;
}
