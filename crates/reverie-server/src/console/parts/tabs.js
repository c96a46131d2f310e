// Several views of one thing, one at a time. Arrow keys go from one to the next.

import { freshId, h } from "../dom.js";

/** `items`: [id, label]. `choose(id)` draws into `panel`. The result has `select(id)`. */
export function tabs(label, items, panel, choose) {
  const buttons = new Map();
  const bar = h("div", { class: "tabs", role: "tablist", "aria-label": label, onkeydown: move });
  panel.id ||= freshId("panel");
  panel.setAttribute("role", "tabpanel");
  for (const [id, text] of items) {
    const button = h("button", { type: "button", role: "tab", id: freshId("tab"), "aria-controls": panel.id, onclick: () => bar.select(id) }, text);
    buttons.set(id, button);
    bar.append(button);
  }

  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...buttons.values()];
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    next.focus();
    next.click();
  }

  bar.select = (id) => {
    for (const [other, button] of buttons) {
      button.setAttribute("aria-selected", String(other === id));
      button.tabIndex = other === id ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", buttons.get(id).id);
    return choose(id);
  };
  return bar;
}
