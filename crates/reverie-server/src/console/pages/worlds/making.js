// A new world: a name, and what it is for.

import { at, isListed, put } from "../../api.js";
import { h } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { say } from "../../parts/toast.js";
import { go, to } from "../../router.js";
import { worldsChanged } from "../../shell.js";
import { language, t } from "../../words.js";

const PRESETS = ["companion", "game", "bot"];

export function makeWorld() {
  const id = h("input", { required: true, autocomplete: "off", autofocus: true, maxlength: "128" });
  const presets = PRESETS.map((preset, index) => {
    const choice = h("input", { type: "radio", name: "preset", value: preset, checked: index === 0 });
    return h("label", { class: "check" }, choice, h("span", {}, t(`worlds.preset.${preset}`)));
  });
  const tongue = h("select", {}, h("option", { value: "en", selected: language() === "en" }, "English"), h("option", { value: "zh", selected: language() !== "en" }, "简体中文"));
  const box = dialog(t("worlds.new"), [
    field(t("worlds.id"), id, t("worlds.idHint")),
    h("fieldset", { class: "choice-set" }, h("legend", {}, t("worlds.preset")), presets),
    field(t("worlds.language"), tongue),
  ], {
    agree: t("worlds.make"),
    async submit(close) {
      const name = id.value.trim();
      // PUT would change the settings of one that is there.
      if (await isListed("/v1/worlds", name)) throw new Error(t("worlds.taken", { id: name }));
      const preset = box.querySelector("input[name=preset]:checked").value;
      await put(at`/v1/worlds/${name}`, { preset, settings: { language: tongue.value } });
      close();
      worldsChanged(name);
      say(t("worlds.made", { id: name }));
      go(to`/worlds/${name}`);
    },
  });
}
