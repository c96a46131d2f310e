// What must be copied into a client: address, key and model.

import { address, at, get, token } from "../../api.js";
import { h, replace } from "../../dom.js";
import { copyButton } from "../../parts/copy.js";
import { field } from "../../parts/dialog.js";
import { snippet } from "../../parts/snippet.js";
import { guarded } from "../../parts/toast.js";
import { to } from "../../router.js";
import { names } from "../../shell.js";
import { listed, t } from "../../words.js";
import { ECHO, models } from "./models.js";
import { recipes } from "./recipes.js";

/**
 * `content` of the card, `refill()`, which is called when `worlds` are others than before, and `kept()`: what is chosen. `had` is what
 * was, on a card that this one takes the place of: what the person chose stays.
 */
export async function connect(worlds, wanted, signal, had) {
  const chosen = had?.isOwn ? had.world : wanted;
  let isOwn = had?.isOwn ?? false;
  /** As a client must have it so that its chats are in the chosen world: the server's own needs not be named. */
  const baseOf = (id) => (!id || id === chatWorld ? address("/v1") : address(at`/worlds/${id}/v1`));
  const rows = h("div", { class: "copies" });
  const notes = h("div", { class: "stack" });
  const place = h("div", { class: "recipes" });
  const world = h("select", { onchange: guarded(async () => { isOwn = true; await read(); draw(); }) });
  const fillWorlds = () => replace(world, worlds.map((one) => h("option", { value: one.id }, one.id)));
  fillWorlds();
  if (worlds.some((one) => one.id === chosen)) world.value = chosen;
  const model = h("select", { onchange: () => { isOwn = true; draw(); } });
  const who = h("select", { onchange: () => { isOwn = true; draw(); } });
  let known = { bases: [], characters: [], problem: null };
  let isEcho = true;

  async function read() {
    known = await models(world.value, signal);
    const cast = world.value ? await names(world.value, signal) : null;
    // A provider that lists nothing keeps nobody from being spoken with.
    if (known.bases.length === 0 && cast) known.characters = cast.characters.filter((one) => one.persona).map((one) => one.id);
    const before = had?.world === world.value ? [had.model, had.who] : [model.value, who.value];
    had = null;
    replace(model, known.bases.map((one) => h("option", { value: one }, one)));
    replace(who, known.characters.map((one) => h("option", { value: one }, cast?.name(one) === one || !cast ? one : `${cast.name(one)} (${one})`)), h("option", { value: "" }, t("start.nobody")));
    if (known.bases.includes(before[0])) model.value = before[0];
    if (known.characters.includes(before[1])) who.value = before[1];
    isEcho = known.bases.length === 1 && known.bases[0] === ECHO;
  }

  function draw() {
    const plain = model.value || t("start.yourModel");
    const name = who.value ? `${plain}@${who.value}` : plain;
    const key = token.get();
    const base = baseOf(world.value);
    replace(rows,
      row(t("start.base"), base, world.value && t(world.value === chatWorld ? "start.baseOwn" : "start.baseWorld", { world: world.value })),
      row(t("start.key"), key || "none", key ? t("start.keyToken") : t("start.keyNone"), key),
      row(t("start.model"), name, who.value ? t("start.modelHint", { name: who.value }) : t("start.modelAlone")));
    replace(notes, known.problem && refused(known.problem), isEcho && noProvider(world.value));
    replace(place, recipes({ base, key: key || "none", hasToken: Boolean(key), model: plain, name, world: world.value, character: who.value }));
  }

  const health = await get("/health", {}, { signal }).catch(() => null);
  const [provider, chatWorld] = [health?.upstreams, health?.chat_world ?? "default"];
  await read();
  draw();
  const refill = guarded(async () => {
    const before = world.value;
    fillWorlds();
    if (worlds.some((one) => one.id === before)) world.value = before;
    else {
      await read();
      draw();
    }
  });
  const content = [
    h("h2", { id: "start-connect" }, t("start.connect")),
    h("p", { class: "faint" }, provider?.length ? t("start.connectTo", { names: listed(provider.map((one) => one.name)) }) : t("start.connectText")),
    h("div", { class: "fields" },
      worlds.length > 0 && field(t("start.world"), world),
      known.bases.length > 1 && field(t("start.baseModel"), model),
      worlds.length > 0 && field(t("start.who"), who)),
    rows, notes, place,
  ];
  return { content, refill, kept: () => ({ isOwn, world: world.value, model: model.value, who: who.value }) };
}

function row(label, value, hint, secret) {
  const shown = secret ? `${value.slice(0, 5)}…` : value;
  return h("div", { class: "copy-row" },
    h("span", { class: "label" }, label),
    h("code", {}, shown),
    copyButton(value, `${t("copy.label")}: ${label}`),
    hint && h("span", { class: "hint" }, hint));
}

const refused = (words) => h("div", { class: "start-note warn" }, h("p", {}, t("start.refused")), h("p", { class: "mono" }, words));

/** Said kindly: nothing is missing for a first look. */
function noProvider(world) {
  const command = "REVERIE_UPSTREAM_KEY=sk-… reverie serve --upstream-url https://api.deepseek.com";
  const file = '[upstreams.deepseek]\nurl = "https://api.deepseek.com"\nkey_file = "/run/secrets/deepseek"';
  return h("div", { class: "start-note" },
    h("p", {}, t("start.echo")),
    world && h("p", { class: "actions" }, h("a", { class: "button primary", href: `${to`/worlds/${world}/settings`}?group=models&connection=upstream` }, t("start.providerHere"))),
    h("details", {},
      h("summary", {}, t("start.provider")),
      h("p", {}, t("start.providerCommand")),
      snippet(command),
      h("p", {}, t("start.providerFile")),
      snippet(file),
      h("p", { class: "hint" }, t("start.providerAny"))));
}
