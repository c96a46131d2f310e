// What stands around every page: where to go, which world, which language, light or dark, the token.

import { all, at, token } from "./api.js";
import { h, replace } from "./dom.js";
import { revisionOf } from "./live.js";
import { catchStrays } from "./parts/drop.js";
import { icon } from "./parts/icon.js";
import { problem } from "./parts/states.js";
import { askForToken } from "./parts/token.js";
import { find, go, to } from "./router.js";
import { language, learn, speak, t } from "./words.js";
import words from "./words/shell.js";
import terms from "./words/terms.js";
import troubles from "./words/troubles.js";

learn(words);
learn(terms);
learn(troubles);

const THEME = "reverie.theme";
const WORLD = "reverie.world";
/** Clients make worlds at any time. Whoever asks so often also knows, on every page, whether the server is there. */
const LOOK_AGAIN_MS = 5000;

/** The world that pages without one in their address lead to. */
let world = localStorage.getItem(WORLD) ?? "";
let leave = null;
/** The ids that the list beside the page shows. */
let listed = null;
/** Nobody is asked for a token again and again who has just not given one. */
let isRefused = false;
/** How often the list was asked for: of two answers that overtook each other the later one counts. */
let asked = 0;
let openMenu = () => {};

const place = (key, glyph, address) => ({ key, glyph, address });
const places = () => [
  place("nav.start", "spark", "#/"),
  place("nav.worlds", "globe", "#/worlds"),
  ...(world
    ? [
        place("nav.cast", "people", to`/worlds/${world}`),
        place("nav.conversations", "talk", to`/worlds/${world}/conversations`),
        place("nav.why", "question", to`/worlds/${world}/why`),
        place("nav.lore", "book", to`/worlds/${world}/lore`),
        place("nav.map", "map", to`/worlds/${world}/map`),
        place("nav.settings", "dials", to`/worlds/${world}/settings`),
      ]
    : [place("nav.lore", "book", "#/lore")]),
  place("nav.health", "pulse", "#/health"),
];

export function openShell() {
  wear(localStorage.getItem(THEME) ?? "auto");
  const main = h("main", { id: "main", tabindex: "-1" });
  const side = h("aside", { class: "side", id: "side" });
  const top = h("button", { class: "menu", type: "button", "aria-controls": "side", "aria-expanded": "false", onclick: () => openMenu(!document.body.classList.contains("menu-open")) }, icon("menu"));
  const away = h("p", { class: "away", role: "status" });
  addEventListener("reverie:reach", ({ detail: isThere }) => { away.textContent = isThere ? "" : t("shell.away"); });
  addEventListener("reverie:gone", ({ detail: id }) => {
    document.body.classList.add("world-gone");
    away.textContent = t("shell.gone", { world: id });
  });
  document.body.append(away, h("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); } }), side, h("div", { class: "top" }, h("a", { class: "brand", href: "#/" }, icon("moon"), h("span", {}, "Reverie")), top), main);

  narrowMenu(side, top, main);
  catchStrays(async (files) => (await import("./parts/files/stray.js")).offerStart(files));

  const redraw = () => {
    isRefused = false;
    document.querySelector("a.skip").textContent = t("shell.skip");
    top.setAttribute("aria-label", t("shell.menu"));
    drawSide(side);
    enter();
  };
  const enter = () => {
    if (document.body.classList.contains("world-gone")) away.textContent = "";
    document.body.classList.remove("world-gone");
    show(main, side);
  };
  addEventListener("hashchange", enter);
  addEventListener("reverie:language", redraw);
  addEventListener("reverie:worlds", () => drawSide(side));
  addEventListener("reverie:unauthorised", () => {
    isRefused = true;
    askForToken(redraw, { isRefused: token.get() !== "" });
  });
  redraw();
  const lookAgain = async () => {
    if (!document.hidden && !isRefused) await fillWorlds(side);
    setTimeout(lookAgain, LOOK_AGAIN_MS);
  };
  setTimeout(lookAgain, LOOK_AGAIN_MS);
}

/** On narrow screens the menu lies over the page: it closes by Escape, beside it, and by going anywhere; nothing behind it is reached. */
function narrowMenu(side, top, main) {
  openMenu = (isOpen) => {
    document.body.classList.toggle("menu-open", isOpen);
    top.setAttribute("aria-expanded", String(isOpen));
    main.inert = isOpen;
  };
  const isOpen = () => document.body.classList.contains("menu-open");
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    openMenu(false);
    top.focus();
  });
  addEventListener("click", ({ target }) => {
    if (isOpen() && !top.contains(target) && (!side.contains(target) || target.closest("a"))) openMenu(false);
  });
  matchMedia("(max-width: 52rem)").addEventListener("change", () => openMenu(false));
}

/** Told by whoever makes, deletes or enters worlds, so that the list beside the page is right. */
export function worldsChanged(now) {
  if (now !== undefined) keepWorld(now);
  dispatchEvent(new Event("reverie:worlds"));
}

function keepWorld(id) {
  world = id;
  if (id) localStorage.setItem(WORLD, id);
  else localStorage.removeItem(WORLD);
}

function drawSide(side) {
  const select = h("select", {
    id: "world-choice",
    onchange: () => {
      const same = /^#\/worlds\/[^/]+(\/(conversations|why|lore|map|settings))?/.exec(location.hash);
      keepWorld(select.value);
      go(`${to`/worlds/${select.value}`}${same?.[1] ?? ""}`);
      drawSide(side);
    },
  });
  replace(
    side,
    h("a", { class: "brand", href: "#/" }, icon("moon"), h("span", {}, "Reverie")),
    h("label", { class: "world-choice", htmlFor: "world-choice" }, h("span", {}, t("shell.world")), select),
    h("nav", { "aria-label": t("shell.nav") }, places().map(({ key, glyph, address }) =>
      h("a", { href: address, dataset: { key } }, icon(glyph), h("span", {}, t(key))))),
    h("footer", {},
      h("button", { type: "button", class: "quiet", onclick: () => speak(language() === "en" ? "zh-CN" : "en"), lang: language() === "en" ? "zh-CN" : "en" },
        icon("letters"), h("span", {}, language() === "en" ? "简体中文" : "English")),
      themeButton(),
      h("button", { type: "button", class: "quiet", onclick: () => askForToken(() => location.reload()) }, icon("key"), h("span", {}, t("shell.token"))),
      h("a", { class: "quiet", href: "docs" }, icon("code"), h("span", {}, "API")),
    ),
  );
  mark(side);
  listed = null;
  fillWorlds(side);
}

/** The list beside the page; pages that list worlds, too, hear of others by `reverie:worlds-seen`. */
async function fillWorlds(side) {
  const mine = ++asked;
  let worlds;
  try {
    worlds = await all("/v1/worlds", {}, { most: 500 });
  } catch {
    return; // The page says what is wrong.
  }
  if (mine !== asked) return;
  if (!worlds.some((one) => one.id === world)) {
    const had = world;
    keepWorld(worlds[0]?.id ?? "");
    if (had !== world) return drawSide(side);
  }
  const ids = JSON.stringify(worlds.map((one) => one.id));
  if (ids === listed) return;
  listed = ids;
  const select = side.querySelector("#world-choice");
  replace(select, worlds.length ? worlds.map((one) => h("option", { value: one.id, selected: one.id === world }, one.id)) : h("option", { value: "" }, t("shell.noWorld")));
  select.disabled = worlds.length === 0;
  dispatchEvent(new CustomEvent("reverie:worlds-seen", { detail: worlds }));
}

const THEMES = ["auto", "light", "dark"];

function themeButton() {
  const now = () => localStorage.getItem(THEME) ?? "auto";
  const label = h("span", {}, t(`theme.${now()}`));
  return h("button", {
    type: "button",
    class: "quiet",
    onclick: () => {
      const next = THEMES[(THEMES.indexOf(now()) + 1) % THEMES.length];
      localStorage.setItem(THEME, next);
      wear(next);
      label.textContent = t(`theme.${next}`);
    },
  }, icon("contrast"), label);
}

function wear(theme) {
  document.documentElement.dataset.theme = theme;
}

function mark(side) {
  const here = `#${location.hash.slice(1).split("?")[0] || "/"}`;
  const links = [...side.querySelectorAll("nav a")];
  const fits = (link) => {
    const address = link.getAttribute("href");
    if (address === here) return address.length + 1;
    // The cast page is where a character's page belongs; other pages own what is below them.
    return address !== "#/" && here.startsWith(`${address}/`) ? address.length : 0;
  };
  const best = Math.max(...links.map(fits));
  for (const link of links) {
    if (best > 0 && fits(link) === best) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

async function show(main, side) {
  leave?.abort();
  leave = new AbortController();
  const { signal } = leave;
  openMenu(false);
  // What a dialog asks belongs to the page that asked it.
  for (const box of document.querySelectorAll("dialog[open]")) box.close();
  const found = find();
  if (found?.parameters.world && found.parameters.world !== world) {
    keepWorld(found.parameters.world);
    drawSide(side);
  }
  mark(side);
  main.classList.add("loading");
  // Drawn aside, and shown when there is something to see.
  const page = h("div", { class: "page" });
  try {
    if (!found) throw new Error(t("shell.noPage"));
    const [module, revision] = await Promise.all([found.open(), found.parameters.world && revisionOf(found.parameters.world, signal)]);
    await module.show(page, { ...found.parameters, query: found.query, revision, signal });
  } catch (error) {
    if (signal.aborted) return;
    replace(page, problem(error, found && (() => show(main, side))), !found ? h("p", { class: "actions centred" }, h("a", { class: "button", href: "#/" }, t("nav.start"))) : error.status === 404 && h("p", { class: "actions centred" }, h("a", { class: "button", href: "#/worlds" }, t("nav.worlds"))));
  }
  if (signal.aborted) return;
  replace(main, page);
  main.classList.remove("loading");
  main.scrollTop = 0;
  const heading = page.querySelector("h1");
  document.title = heading ? `${heading.textContent} · Reverie` : "Reverie";
  main.focus({ preventScroll: true });
}

/** Names of a world's characters by id, for showing; asked for once per page. */
export async function names(worldId, signal) {
  const characters = await all(at`/v1/worlds/${worldId}/characters`, {}, { most: 2000, signal });
  const byId = new Map(characters.map((one) => [one.id, one]));
  return { characters, byId, name: (id) => byId.get(id)?.display_name || id };
}

