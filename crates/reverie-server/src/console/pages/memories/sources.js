// Which lines was a memory made of, and where were they said?

import { at, get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { guarded } from "../../parts/toast.js";
import { to } from "../../router.js";
import { number, t } from "../../words.js";

const AT_ONCE = 12;

export function sources(page, shared) {
  const list = h("ol", { class: "source-lines plain" });
  let shown = 0;
  const load = guarded(async () => {
    const part = shared.sources.slice(shown, shown + AT_ONCE);
    const lines = await Promise.all(part.map((id) => get(at`/v1/worlds/${page.world}/lines/${id}`, undefined, { signal: page.signal }).catch((error) => (error.status === 404 ? null : Promise.reject(error)))));
    shown += part.length;
    list.append(...lines.map((line) => h("li", {}, line ? said(page, line) : h("p", { class: "faint" }, t("memory.lineGone")))));
    const left = shared.sources.length - shown;
    more.hidden = left <= 0;
    replace(more, t("memory.moreLines", { n: number(Math.min(left, AT_ONCE)) }));
  });
  const more = h("button", { type: "button", class: "quiet", hidden: true, onclick: load });
  load();
  return [list, more];
}

function said(page, line) {
  const who = line.display_name || (line.speaker ? page.name(line.speaker) : "");
  const address = `${to`/worlds/${page.world}/conversations/${line.conversation}`}?line=${encodeURIComponent(line.id)}`;
  const emotion = line.original_emotion ?? line.predicted_emotion;
  return h("blockquote", { class: "source-line" },
    h("p", {}, who && h("strong", {}, `${who} `), line.content),
    h("p", { class: "small faint" }, emotion && [h("span", { class: "chip" }, emotion), " "], h("a", { href: address }, t("memory.inConversation"))));
}
