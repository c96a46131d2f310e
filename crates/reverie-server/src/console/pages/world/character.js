// Somebody new, or somebody with another name or persona.

import { at, isListed, put, remove } from "../../api.js";
import { h } from "../../dom.js";
import { confirm, dialog, field } from "../../parts/dialog.js";
import { icon } from "../../parts/icon.js";
import { guarded, say } from "../../parts/toast.js";
import { t } from "../../words.js";

/** `character`: as the API tells it, or null for a new one. `changed(id)` afterwards; with null if it was deleted. */
export function editCharacter(world, character, changed) {
  const isNew = character === null;
  const id = h("input", { required: true, autocomplete: "off", maxlength: "128", autofocus: isNew });
  const name = h("input", { autocomplete: "off", value: character?.display_name ?? "", autofocus: !isNew });
  const calledNow = (character?.aliases ?? []).join(", ");
  const aliases = h("input", { autocomplete: "off", value: calledNow });
  const persona = h("textarea", { rows: "9", value: character?.persona ?? "" });
  const tags = h("input", { autocomplete: "off", value: (character?.tags ?? []).join(", ") });
  const narrator = h("input", { type: "checkbox", checked: character?.kind === "narrator" });
  const title = isNew ? t("world.newCharacter") : t("world.editOf", { name: character.display_name || character.id });

  const box = dialog(title, [
    isNew && field(t("character.id"), id, t("character.idHint")),
    field(t("character.name"), name),
    field(t("character.aliases"), aliases, t("character.aliasesHint")),
    field(t("character.persona"), persona, t("character.personaHint")),
    field(t("character.tags"), tags, t("character.tagsHint")),
    h("label", { class: "check" }, narrator, h("span", {}, t("character.isNarrator"))),
    !isNew && h("p", {}, h("button", { type: "button", class: "quiet bad-ink", onclick: guarded(() => erase(world, character, box, changed)) }, icon("trash"), t("character.delete"))),
  ], {
    wide: true,
    agree: t("character.save"),
    async submit(close) {
      const own = isNew ? id.value.trim() : character.id;
      const path = at`/v1/worlds/${world}/characters/${own}`;
      if (isNew && (await isListed(at`/v1/worlds/${world}/characters`, own))) throw new Error(t("character.taken", { id: own }));
      const body = { display_name: name.value.trim() || null, persona: persona.value.trim() ? persona.value : null, kind: narrator.checked ? "narrator" : "person" };
      // An alias that came by the API may have a comma in it.
      if (aliases.value !== calledNow) body.aliases = listed(aliases.value);
      const wanted = listed(tags.value);
      // Nobody knowing the tags is another thing than having none.
      if (wanted.join() !== (character?.tags ?? []).join()) body.tags = wanted;
      await put(path, body);
      close();
      say(t("character.saved", { name: name.value.trim() || own }));
      await changed(own);
    },
  });
}

/** What stands between commas. */
function listed(text) {
  return text.split(/[,，]/).map((one) => one.trim()).filter(Boolean);
}

async function erase(world, character, box, changed) {
  const name = character.display_name || character.id;
  if (!(await confirm(t("character.deleteTitle", { name }), t("character.deleteText", { name }), { agree: t("worlds.deleteForGood"), danger: true }))) return;
  await remove(at`/v1/worlds/${world}/characters/${character.id}`);
  box.close();
  say(t("character.deleted", { name }));
  await changed(null);
}
