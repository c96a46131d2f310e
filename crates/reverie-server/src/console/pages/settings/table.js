// Settings that belong together as a table: the same for each kind of memory, or for each layer.

import { h } from "../../dom.js";
import { t, term } from "../../words.js";
import { OPTIONS } from "./catalogue.js";
import { bind, nameOf, told } from "./control.js";

export function settingTable({ table, rows, columns, key }, { settings, character }) {
  const isLayers = table === "layers";
  const columnKey = (column) => `${isLayers || table === "storage" ? "layers" : "recall"}.${column}`;
  const wrongs = [];

  const cell = (row, column) => {
    const full = key(row, column);
    if (!OPTIONS[full]) return h("td", {});
    const label = t("settings.pair", { name: nameOf(columnKey(column)), of: term(isLayers ? "layer" : "kind", row) });
    const bound = bind(full, { settings, character, label });
    wrongs.push(bound.wrong);
    const td = h("td", { dataset: { key: full, name: nameOf(columnKey(column)) } }, h("span", { class: "cell" }, bound.element, bound.reset));
    bound.onDraw(() => {
      td.classList.toggle("changed", !bound.reset.hidden);
      td.title = `${full} · ${t(character ? "settings.fromWorld" : "settings.default", { value: told(full, settings.fallback(full, character)) })}`;
    });
    bound.draw();
    return td;
  };

  const keys = rows.flatMap((row) => columns.map((column) => key(row, column))).filter((one) => OPTIONS[one]);
  return h("div", { class: "setting table", dataset: { key: keys.join(" ") } },
    h("h3", {}, t(`settings.table.${table}`)),
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t(`settings.table.${table}`) },
      h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t(isLayers ? "settings.table.layer" : "settings.table.name")), columns.map((column) =>
          h("th", { scope: "col", title: t(`option.${columnKey(column)}.hint`) }, nameOf(columnKey(column)))))),
        h("tbody", {}, rows.map((row) =>
          h("tr", {}, h("th", { scope: "row" }, h("span", { class: "chip", dataset: isLayers ? {} : { kind: row } }, term(isLayers ? "layer" : "kind", row))), columns.map((column) => cell(row, column))))))),
    h("p", { class: "hint" }, columns.map((column) => `${t("settings.pair", { name: nameOf(columnKey(column)), of: t(`option.${columnKey(column)}.hint`) })} `)),
    wrongs);
}
