// What do colours and shapes mean? Each entry also hides and shows its points.

import { h, replace, svg } from "../../dom.js";
import { number, t } from "../../words.js";

export function legend(scene, { toggled, chosen }) {
  const entries = h("div", { class: "legend" });
  const by = (key) => h("button", { type: "button", "aria-pressed": String(scene.colourBy === key), dataset: { by: key }, onclick: () => {
    element.redraw(chosen(key));
    for (const button of choice.children) button.setAttribute("aria-pressed", String(button.dataset.by === key));
  } }, t(`map.by.${key}`));
  const choice = h("div", { class: "bar segments", role: "group", "aria-label": t("map.colourBy") }, by("kind"), by("emotion"));
  const element = h("section", {}, h("h2", {}, t("map.legend")), choice, entries, h("p", { class: "hint" }, t("map.sizeHint")));

  element.redraw = ({ all }) => replace(entries, all.map((group) => h("button", {
    type: "button",
    class: "quiet",
    "aria-pressed": String(!scene.hidden.has(group.key)),
    title: t("map.toggle"),
    onclick: (event) => {
      if (!scene.hidden.delete(group.key)) scene.hidden.add(group.key);
      event.currentTarget.setAttribute("aria-pressed", String(!scene.hidden.has(group.key)));
      toggled();
    },
  }, sign(group), h("span", {}, group.label), h("span", { class: "faint" }, number(group.count)))));
  return element;
}

const FORMS = {
  disc: () => svg("circle", { cx: 8, cy: 8, r: 5.5 }),
  ring: () => svg("circle", { cx: 8, cy: 8, r: 5, class: "hollow" }),
  square: () => svg("rect", { x: 3, y: 3, width: 10, height: 10 }),
  triangle: () => svg("path", { d: "M8 2l6.500 11.500h-13z" }),
  diamond: () => svg("path", { d: "M8 1l7 7-7 7-7-7z" }),
};

function sign({ shape, colour }) {
  const drawing = svg("svg", { class: "sign", viewBox: "0 0 16 16", "aria-hidden": "true" }, FORMS[shape]());
  drawing.style.color = `var(${colour})`;
  return drawing;
}
