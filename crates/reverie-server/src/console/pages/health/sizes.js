// How much is kept at hand, against what may be, and how large is the file?

import { h } from "../../dom.js";
import { bytes, number, t } from "../../words.js";
import { bar } from "./overview.js";

export function sizes({ minds, store }) {
  const { queries, results } = minds;
  return [
    h("h2", {}, t("health.sizes")),
    store && measure(t("health.file"), t("health.fileText", { bytes: bytes(store.bytes), wal: bytes(store.wal_bytes) }), null, store.file),
    measure(t("health.minds"), t("health.ofBytes", { used: bytes(minds.bytes), all: bytes(minds.most_bytes) }), minds.bytes / minds.most_bytes, t("health.mindsHint", { count: number(minds.characters) })),
    minds.word_bytes !== undefined && h("dl", { class: "facts inner" },
      h("dt", {}, t("health.words")), h("dd", {}, bytes(minds.word_bytes)),
      h("dt", {}, t("health.vectors")), h("dd", {}, bytes(minds.vector_bytes)),
      results && [h("dt", {}, t("health.results")), h("dd", {}, t("health.resultsText", { bytes: bytes(results.bytes), found: number(results.found), made: number(results.made) }))]),
    measure(t("health.queries"), t("health.ofBytes", { used: bytes(queries.bytes), all: bytes(queries.most_bytes) }), queries.bytes / queries.most_bytes, t("health.queriesHint", { texts: number(queries.texts), found: number(queries.found), asked: number(queries.asked) })),
    h("p", { class: "hint" }, t("health.mindsCounts", { read: number(minds.read), continued: number(minds.continued), let_go: number(minds.let_go) })),
  ];
}
sizes.of = ({ minds, store }) => ({ minds, store });

const measure = (label, value, part, hint) => h("div", { class: "measure" },
  h("p", { class: "measure-head" }, h("span", {}, label), h("span", {}, value)),
  part !== null && bar(Math.min(1, part), label, part >= 0.9),
  hint && h("p", { class: "hint" }, hint));
