// Into which world? One that is there, or a new one.

import { all } from "../api.js";
import { h } from "../dom.js";
import { field } from "./dialog.js";
import { freeId, makeWorld } from "./files/bring.js";
import { t } from "../words.js";

const NEW = "\u0000new";

/**
 * An element with `chosen()` (the world's id, "" while none is named), `suggest(name)` for a new one, and `ready()`, which makes the world
 * if it is new and gives its id. `optional`: a text for "no world". `changed()` is called when another one is chosen.
 */
export async function worldChoice({ world, label, optional, changed, signal }) {
  const worlds = await all("/v1/worlds", {}, { most: 500, signal });
  const ids = new Set(worlds.map((one) => one.id));
  const name = h("input", { type: "text", maxlength: 100, autocomplete: "off", oninput: () => changed?.() });
  const nameField = field(t("files.newWorld"), name, t("files.newWorldHint"));
  const select = h("select", { onchange: () => draw() },
    optional && h("option", { value: "" }, optional),
    worlds.map((one) => h("option", { value: one.id }, one.id)),
    h("option", { value: NEW }, t("files.aNewWorld")));
  select.value = ids.has(world) ? world : (worlds[0]?.id ?? NEW);

  function draw() {
    nameField.hidden = select.value !== NEW;
    changed?.();
  }
  const element = h("div", { class: "world-pick" }, field(label, select), nameField);
  element.chosen = () => (select.value === NEW ? name.value.trim() : select.value);
  element.suggest = (wanted) => {
    if (!name.value && wanted) name.value = freeId(wanted, ids);
  };
  element.ready = async () => {
    const id = element.chosen();
    if (select.value !== NEW) return id;
    if (!id) {
      name.focus();
      throw new Error(t("files.nameWorld"));
    }
    if (!ids.has(id)) {
      await makeWorld(id);
      ids.add(id);
      select.insertBefore(h("option", { value: id }, id), select.lastChild);
      dispatchEvent(new Event("reverie:worlds"));
    }
    select.value = id;
    name.value = "";
    draw();
    return id;
  };
  nameField.hidden = select.value !== NEW;
  return element;
}
