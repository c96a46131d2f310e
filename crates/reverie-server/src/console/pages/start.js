// Where does somebody begin who has just started the server? With an address to copy, a file to drop, or a first small world.

import { all } from "../api.js";
import { h, replace } from "../dom.js";
import { incoming } from "../parts/incoming.js";
import { worldsChanged } from "../shell.js";
import { learn, t } from "../words.js";
import words from "../words/start.js";
import { connect } from "./start/connect.js";
import { firstWorld } from "./start/first.js";

learn(words);

export async function show(page, { signal }) {
  const worlds = await all("/v1/worlds", {}, { most: 500, signal });
  const place = h("section", { class: "card stack", "aria-labelledby": "start-connect" });
  const drawConnect = async (world) => replace(place, await connect(worlds, world, signal));
  const brought = incoming({
    signal,
    came(what) {
      // A new world is beside the page at once, and its people can be chosen above.
      if (what.world && !worlds.some((one) => one.id === what.world)) worlds.push({ id: what.world });
      if (what.world) worldsChanged(what.world);
    },
  });
  const first = firstWorld(worlds, signal);
  await drawConnect(localStorage.getItem("reverie.world") ?? "");
  replace(page,
    h("header", { class: "start-head" }, h("h1", {}, t("start.title")), h("p", { class: "faint" }, t("start.text"))),
    h("div", { class: "start-grid" },
      place,
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-labelledby": "start-bring" }, h("h2", { id: "start-bring" }, t("start.bring")), brought),
        first)));
}
