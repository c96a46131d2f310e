// Where does somebody begin who has just started the server? With an address to copy, a file to drop, or a first small world.

import { all } from "../api.js";
import { h, replace } from "../dom.js";
import { incoming } from "../parts/incoming.js";
import { guarded } from "../parts/toast.js";
import { worldsChanged } from "../shell.js";
import { learn, t } from "../words.js";
import words from "../words/start.js";
import { connect } from "./start/connect.js";
import { firstWorld } from "./start/first.js";

learn(words);

export async function show(page, { signal }) {
  page.classList.add("start-page");
  const worlds = await all("/v1/worlds", {}, { most: 500, signal });
  const place = h("section", { class: "card stack", "aria-labelledby": "start-connect" });
  const chosen = localStorage.getItem("reverie.world") ?? "";
  const drawConnect = async (world) => replace(place, await connect(worlds, world, signal));
  /** Somebody or something new is there: it can be chosen above, and the world is in the list beside the page. */
  const arrived = guarded(async (world) => {
    if (!worlds.some((one) => one.id === world)) worlds.push({ id: world });
    worldsChanged(world);
    await drawConnect(world);
  });
  const brought = incoming({ world: chosen, signal, came: ({ world }) => world && arrived(world) });
  const first = firstWorld(worlds, signal, arrived);
  await drawConnect(chosen);
  replace(page,
    h("header", { class: "start-head" }, h("h1", {}, t("start.title")), h("p", { class: "faint" }, t("start.text"))),
    h("div", { class: "start-grid" },
      place,
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-labelledby": "start-bring" }, h("h2", { id: "start-bring" }, t("start.bring")), brought),
        first)));
}
