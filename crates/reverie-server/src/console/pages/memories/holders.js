// Who else has this memory, and what is it to them?

import { h } from "../../dom.js";
import { meter } from "../../parts/counts.js";
import { portrait } from "../../parts/portrait.js";
import { to } from "../../router.js";
import { number, t, term } from "../../words.js";

const MOST = 24;

export function holders(page, shared) {
  const others = shared.holders.filter((one) => one.holder !== page.character);
  if (others.length === 0) return h("p", { class: "faint" }, t("memory.nobodyElse"));
  return [
    h("ul", { class: "holders plain" }, others.slice(0, MOST).map((one) => h("li", {}, holder(page, shared, one)))),
    others.length > MOST && h("p", { class: "faint" }, t("memory.moreHolders", { n: number(others.length - MOST) })),
  ];
}

function holder(page, shared, one) {
  return h("div", { class: "holder" },
    portrait(page.person(one.holder), "small"),
    h("a", { class: "grow", href: `${to`/worlds/${page.world}/characters/${one.holder}`}?memory=${shared.id}` }, page.name(one.holder)),
    h("span", { class: "chip-row" },
      one.layer && h("span", { class: "chip" }, term("layer", one.layer)),
      one.dormant && h("span", { class: "chip warn" }, term("dormant", one.dormant)),
      one.pinned && h("span", { class: "chip accent" }, t("memories.pinned")),
      one.forgotten && h("span", { class: "chip bad" }, t("memories.forgotten")),
      one.text !== undefined && h("span", { class: "chip" }, t("memories.reworded"))),
    one.activity !== undefined && one.layer && meter(t("memories.activity"), one.activity, one.dormant ? "asleep" : ""));
}
