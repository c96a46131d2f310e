// A file becomes a world. The server reads it; a name that is taken is asked about, and what is no world is shown the way.

import { LONG_PATIENCE_MS, post } from "../../api.js";
import { h } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { recognise } from "../../parts/files/recognise.js";
import { offerStart } from "../../parts/files/stray.js";
import { complain, say } from "../../parts/toast.js";
import { go, to } from "../../router.js";
import { worldsChanged } from "../../shell.js";
import { t } from "../../words.js";

/** What looks like these may be a world all the same: the server knows better. */
const PERHAPS = ["large", "json"];

/** One after the other; a file that is not an export stops none of the others. */
export async function importWorlds(dropped, done) {
  const found = await Promise.all(dropped.map(recognise));
  const isWorld = (one) => one.kind === "world" || (one.kind === "unknown" && PERHAPS.includes(one.looks));
  const files = found.filter(isWorld).map((one) => one.file);
  const others = found.filter((one) => !isWorld(one));
  if (others.length) await offerStart(others);
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
  if (dropped.length === 1) go(to`/worlds/${made[0].id}`);
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
