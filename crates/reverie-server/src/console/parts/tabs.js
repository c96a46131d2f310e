// One of several things at a time. Arrow keys go from tab to tab.

import { freshId, h } from "../dom.js";

/** `kinds`: [key, label]; `open(key)` fills the panel. */
export function tabs(label, kinds, chosen, open, panel) {
  const id = freshId("panel");
  panel.id = id;
  panel.setAttribute("role", "tabpanel");
  const buttons = kinds.map(([key, words]) => h("button", {
    type: "button",
    role: "tab",
    id: freshId("tab"),
    dataset: { key },
    "aria-controls": id,
    onclick: () => choose(key),
    onkeydown: (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const next = buttons[(buttons.indexOf(event.currentTarget) + by + buttons.length) % buttons.length];
      choose(next.dataset.key);
      next.focus();
    },
  }, words));
  function mark(key) {
    for (const button of buttons) {
      const isChosen = button.dataset.key === key;
      button.setAttribute("aria-selected", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      if (isChosen) panel.setAttribute("aria-labelledby", button.id);
    }
  }
  function choose(key) {
    mark(key);
    open(key);
  }
  mark(chosen);
  return h("div", {}, h("div", { class: "tabs", role: "tablist", "aria-label": label }, buttons), panel);
}
