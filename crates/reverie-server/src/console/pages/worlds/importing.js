// A file becomes a world. The server reads it; a name that is taken is asked about.

import { LONG_PATIENCE_MS, post } from "../../api.js";
import { h } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { complain, say } from "../../parts/toast.js";
import { go, to } from "../../router.js";
import { worldsChanged } from "../../shell.js";
import { t } from "../../words.js";

/** One after the other; a file that is not an export stops none of the others. */
export async function importWorlds(files, done) {
  const made = [];
  for (const file of files) {
    const close = say(t("worlds.importing", { file: file.name }));
    try {
      made.push(await importWorld(file));
    } catch (error) {
      if (error.status === 409) askForName(file, done);
      else complain(error);
    } finally {
      close();
    }
  }
  if (made.length === 0) return;
  worldsChanged(made[0].id);
  await done();
  if (files.length === 1) go(to`/worlds/${made[0].id}`);
}

async function importWorld(file, name) {
  const world = await post("/v1/import", file, { query: { world: name }, type: "text/plain", patience: LONG_PATIENCE_MS });
  say(t("worlds.imported", { file: file.name, id: world.id }));
  return world;
}

function askForName(file, done) {
  const input = h("input", { required: true, autofocus: true, value: file.name.replace(/\.\w+$/, "") });
  dialog(t("worlds.importAs"), [h("p", {}, t("worlds.importAsText", { file: file.name })), field(t("worlds.id"), input, t("worlds.idHint"))], {
    agree: t("worlds.import"),
    async submit(close) {
      const world = await importWorld(file, input.value.trim());
      close();
      worldsChanged(world.id);
      await done();
      go(to`/worlds/${world.id}`);
    },
  });
}
