// A world once more: as a world of its own, or as a file.

import { at, download, LONG_PATIENCE_MS, post } from "../../api.js";
import { h } from "../../dom.js";
import { dialog, field } from "../../parts/dialog.js";
import { say } from "../../parts/toast.js";
import { go, to } from "../../router.js";
import { worldsChanged } from "../../shell.js";
import { t } from "../../words.js";

/** Where `checkpoint` stands, else as it is. */
export function askToFork(world, checkpoint) {
  const id = h("input", { required: true, autocomplete: "off", autofocus: true, maxlength: "128", value: `${world}-2` });
  dialog(t("copies.forkTitle", { id: world }), [
    h("p", {}, checkpoint ? t("copies.forkFrom", { checkpoint }) : t("copies.forkText")),
    field(t("copies.forkId"), id),
  ], {
    agree: t("copies.fork"),
    async submit(close) {
      const made = await post(at`/v1/worlds/${world}/fork`, { id: id.value.trim(), checkpoint }, { patience: LONG_PATIENCE_MS });
      close();
      worldsChanged(made.id);
      say(t("copies.forked", { id: made.id }));
      go(to`/worlds/${made.id}`);
    },
  });
}

export function askToExport(world, checkpoint) {
  const choice = (value, isFirst) => {
    const input = h("input", { type: "radio", name: "format", value, checked: isFirst });
    return h("label", { class: "check" }, input, h("span", {}, t(`copies.${value}`)));
  };
  const title = checkpoint ? `${world} · ${checkpoint}` : world;
  const box = dialog(t("copies.exportTitle", { id: title }), [
    h("p", {}, t("copies.exportText")),
    h("fieldset", { class: "choice-set" }, h("legend", {}, t("copies.format")), choice("jsonl", !checkpoint), choice("save", Boolean(checkpoint))),
  ], {
    agree: t("copies.export"),
    async submit(close) {
      const format = box.querySelector("input[name=format]:checked").value;
      const name = (checkpoint ? `${world}-${checkpoint}` : world).replace(/[^\p{L}\p{N}._-]+/gu, "_");
      await download(at`/v1/worlds/${world}/export`, { format, checkpoint }, format === "save" ? `${name}.save.txt` : `${name}.jsonl`);
      close();
    },
  });
}
