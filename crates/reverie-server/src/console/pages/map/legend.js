// What do colours and shapes mean? Each entry also hides and shows its points, and says how many of them are of the time that is chosen.

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

  let grouping = null;
  element.redraw = (next) => {
    grouping = next;
    replace(entries, grouping.all.map(entry));
    element.recount();
  };
  /** Others are of the time that is chosen now. Colours stay whose they are. */
  element.recount = () => {
    const counts = new Map();
    for (const point of scene.points) if (scene.isIn(point)) counts.set(grouping.of(point), (counts.get(grouping.of(point)) ?? 0) + 1);
    for (const button of entries.children) {
      const count = counts.get(button.dataset.group) ?? 0;
      button.querySelector(".count").textContent = number(count);
      button.classList.toggle("faint", count === 0);
    }
  };

  const entry = (group) => h("button", {
    type: "button",
    class: "quiet",
    dataset: { group: group.key },
    "aria-pressed": String(!scene.hidden.has(group.key)),
    title: t("map.toggle"),
    onclick: (event) => {
      if (!scene.hidden.delete(group.key)) scene.hidden.add(group.key);
      event.currentTarget.setAttribute("aria-pressed", String(!scene.hidden.has(group.key)));
      toggled();
    },
  }, sign(group), h("span", {}, group.label), h("span", { class: "faint count" }));
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
