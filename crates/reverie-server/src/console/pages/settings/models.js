// Which models does the server use? They are of the whole server, not of a world: whoever changes one changes it for all.

import { get } from "../../api.js";
import { h, replace } from "../../dom.js";
import { inWords } from "../../parts/trouble.js";
import { number, t } from "../../words.js";
import { connectionForm } from "./connection.js";

export function modelsPanel({ signal }) {
  const forms = h("div", { class: "stack" }, h("p", { class: "hint" }, t("list.loading")));
  const spend = h("p", { class: "hint" });

  async function draw() {
    const { connections, file } = await get("/v1/connections", undefined, { signal });
    // Who answers comes first: it is what somebody needs who begins, and all else works without.
    const inOrder = connections.toSorted((a, b) => (b.name === "upstream") - (a.name === "upstream"));
    replace(forms, inOrder.map((one) => connectionForm(one, { file, signal })));
  }
  const trouble = (error) => {
    if (signal.aborted) return;
    replace(forms, h("p", { class: "wrong", role: "alert" }, inWords(error)),
      h("p", { class: "actions" }, h("button", { type: "button", onclick: () => draw().catch(trouble) }, t("problem.again"))));
  };
  draw().catch(trouble);

  get("/health", undefined, { signal }).then((health) => {
    const { input_tokens = 0, output_tokens = 0 } = health.models?.spend ?? {};
    if (input_tokens + output_tokens > 0) spend.textContent = t("models.spend", { input: number(input_tokens), output: number(output_tokens) });
  }, () => {});

  return h("div", { class: "setting models", dataset: { key: "models" } }, forms, spend);
}
