// Where does somebody begin who has just started the server? With an address to copy, a file to drop, or a first small world.

import { all } from "../api.js";
import { h, replace } from "../dom.js";
import { catchFiles } from "../parts/drop.js";
import { takeCarried } from "../parts/files/stray.js";
import { incoming } from "../parts/incoming.js";
import { complain, guarded } from "../parts/toast.js";
import { worldsChanged } from "../shell.js";
import { learn, t } from "../words.js";
import words from "../words/start.js";
import { connect } from "./start/connect.js";
import { firstWorld } from "./start/first.js";

learn(words);

export async function show(page, { signal }) {
  page.classList.add("start-page");
  // A client that was just connected makes its world itself.
  let [seen, follow] = [null, null];
  addEventListener("reverie:worlds-seen", ({ detail }) => {
    seen = detail;
    follow?.().catch(complain);
  }, { signal });
  const worlds = await all("/v1/worlds", {}, { most: 500, signal });
  const place = h("section", { class: "card stack", "aria-labelledby": "start-connect" });
  const chosen = localStorage.getItem("reverie.world") ?? "";
  let connection = null;
  const drawConnect = async (world) => {
    connection = await connect(worlds, world, signal, connection?.kept());
    replace(place, connection.content);
  };
  /** Somebody or something new is there: it can be chosen above, and the world is in the list beside the page. */
  const arrived = guarded(async (world) => {
    if (!worlds.some((one) => one.id === world)) worlds.push({ id: world });
    worldsChanged(world);
    await drawConnect(world);
  });
  const brought = incoming({ world: chosen, signal, came: ({ world }) => world && arrived(world) });
  const first = firstWorld(worlds, signal, arrived);
  await drawConnect(chosen);
  follow = async () => {
    const isFirst = worlds.length === 0;
    if (!seen || String(seen.map((one) => one.id)) === String(worlds.map((one) => one.id))) return;
    worlds.splice(0, worlds.length, ...seen);
    if (isFirst) await drawConnect(worlds[0].id);
    else await connection.refill();
  };
  await follow();
  catchFiles(page, brought.take);
  replace(page,
    h("header", { class: "start-head" }, h("h1", {}, t("start.title")), h("p", { class: "faint" }, t("start.text"))),
    h("div", { class: "start-grid" },
      place,
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-labelledby": "start-bring" }, h("h2", { id: "start-bring" }, t("start.bring")), brought),
        first)));
  const files = takeCarried();
  if (files.length) guarded(brought.take)(files);
}
