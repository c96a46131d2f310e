// Moments of a world to come back to.

import { at, get, isListed, LONG_PATIENCE_MS, post, put, remove } from "../../api.js";
import { dotted, h } from "../../dom.js";
import { confirm, dialog } from "../../parts/dialog.js";
import { happened } from "../../parts/dates.js";
import { icon } from "../../parts/icon.js";
import { pagedCards } from "../../parts/paged.js";
import { since } from "../../parts/since.js";
import { guarded, say } from "../../parts/toast.js";
import { moment, number, t } from "../../words.js";
import { askToExport, askToFork } from "./copies.js";

const PAGE = 50;

/** `changed()` when the world is another one afterwards. */
export function checkpoints(world, signal, changed) {
  const path = at`/v1/worlds/${world}/checkpoints`;
  // An empty name means the one that is shown.
  const input = h("input", { autocomplete: "off", maxlength: "128", placeholder: suggestion(), "aria-label": t("checkpoints.name") });
  const form = h("form", { class: "bar", onsubmit: guarded(async (event) => {
    event.preventDefault();
    await make(input.value.trim());
  }) }, input, h("button", { type: "submit" }, icon("flag"), t("checkpoints.make")));

  const cards = pagedCards({
    className: "rows-list",
    load: (cursor) => get(path, { limit: PAGE, cursor }, { signal }),
    card: (checkpoint) => row(checkpoint),
    empty: () => h("p", { class: "faint" }, t("checkpoints.none")),
  });

  async function make(name) {
    const id = name || input.placeholder;
    if (await isListed(path, id)) {
      if (!(await confirm(t("checkpoints.moveTitle", { id }), t("checkpoints.moveText"), { agree: t("checkpoints.move") }))) return;
    }
    await put(`${path}/${encodeURIComponent(id)}`);
    input.value = "";
    input.placeholder = suggestion();
    say(t("checkpoints.made", { id }));
    await cards.reload();
  }

  function row(checkpoint) {
    const { id } = checkpoint;
    const button = (control, glyph, action) =>
      h("button", { type: "button", class: "quiet", dataset: { control }, "aria-label": t(`checkpoints.${control}Of`, { id: called(id) }), onclick: guarded(action) }, icon(glyph), t(`checkpoints.${control}`));
    return h("div", { class: "checkpoint" },
      h("div", { class: "grow" }, h("strong", { title: id }, called(id)),
        h("p", { class: "small faint" }, dotted(checkpoint.created && since(checkpoint.created, (ago) => `${moment(checkpoint.created)} (${ago})`), t("checkpoints.at", { revision: number(checkpoint.revision) }), checkpoint.tick !== undefined && happened(world, { tick: checkpoint.tick })))),
      h("div", { class: "actions" },
        button("restore", "undo", () => askToRestore(world, checkpoint, changed)),
        button("fork", "branch", () => askToFork(world, id)),
        button("export", "download", () => askToExport(world, id)),
        button("delete", "trash", async () => {
          if (!(await confirm(t("checkpoints.deleteTitle", { id: called(id) }), t("checkpoints.deleteText"), { agree: t("checkpoints.delete"), danger: true }))) return;
          await remove(`${path}/${encodeURIComponent(id)}`);
          say(t("checkpoints.deleted", { id: called(id) }));
          await cards.reload();
        })));
  }

  const box = h("div", { class: "checkpoints" }, h("p", { class: "faint" }, t("checkpoints.intro")), form, cards);
  box.reload = () => cards.reload();
  return box;
}

/** Those that were made before a restoring, by what they are. */
function called(id) {
  const [, revision] = /^before-restore-(\d+)$/.exec(id) ?? [];
  return revision ? t("checkpoints.beforeRestore", { revision: number(Number(revision)) }) : id;
}

/** A name that nobody needs to think about. */
function suggestion() {
  const now = new Date();
  const two = (value) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}-${two(now.getHours())}${two(now.getMinutes())}`;
}

function askToRestore(world, checkpoint, changed) {
  const { id } = checkpoint;
  const path = at`/v1/worlds/${world}/checkpoints`;
  const restore = async (which) => {
    await post(`${path}/${encodeURIComponent(which)}/restore`, undefined, { patience: LONG_PATIENCE_MS });
    await changed();
  };
  const keep = h("input", { type: "checkbox", checked: true });
  dialog(t("checkpoints.restoreTitle", { id: called(id) }), [
    h("p", {}, t("checkpoints.restoreText")),
    h("label", { class: "check" }, keep, h("span", {}, t("checkpoints.keepNow"))),
  ], {
    agree: t("checkpoints.restore"),
    async submit(close) {
      let before;
      if (keep.checked) {
        const { revision } = await get(at`/v1/worlds/${world}`);
        before = `before-restore-${revision}`;
        await put(`${path}/${encodeURIComponent(before)}`);
      }
      await restore(id);
      close();
      say(t("checkpoints.restored", { id: called(id) }), { undo: before && (() => restore(before)) });
    },
  });
}
