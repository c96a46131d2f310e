// What is this point? Its words, beside it.

import { h, replace } from "../../dom.js";
import { happened } from "../../parts/dates.js";
import { said } from "../../parts/said.js";
import { share, t, term } from "../../words.js";

/** `show(point, [x, y], box, isKept)`: one that is kept can be gone into, and has a link. */
export function tip(world, link) {
  const element = h("div", { class: "tip", hidden: true });
  let isKept = false;
  element.show = (point, [x, y], box, kept) => {
    isKept = kept;
    element.classList.toggle("kept", kept);
    replace(element,
      h("p", {}, said(point.text)),
      h("p", { class: "bar small" },
        h("span", { class: "chip", dataset: { kind: point.kind } }, term("kind", point.kind)),
        point.emotion && h("span", { class: "chip" }, point.emotion),
        h("span", { class: "faint" }, t("map.importance", { share: share(point.importance) })),
        h("span", { class: "faint" }, happened(world, point))),
      kept && h("p", { class: "actions" }, h("a", { class: "button", href: link(point) }, t("map.open"))));
    element.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = Math.max(6, Math.min(box.width - width - 6, x - width / 2));
    const top = y - height - 14 > 6 ? y - height - 14 : Math.min(box.height - height - 6, y + 14);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  };
  element.hide = () => {
    element.hidden = true;
    isKept = false;
  };
  element.isKept = () => isKept;
  return element;
}
