// Where does the console begin?

import { openShell } from "./shell.js";
import { route } from "./router.js";

/** Pages are loaded when somebody goes there. */
const PAGES = [
  ["/", "start"],
  ["/worlds", "worlds"],
  ["/worlds/:world", "world"],
  ["/worlds/:world/characters/:character", "memories"],
  ["/worlds/:world/why", "why"],
  ["/worlds/:world/lore", "lore"],
  ["/lore", "lore"],
  ["/worlds/:world/conversations", "conversations"],
  ["/worlds/:world/conversations/:conversation", "conversations"],
  ["/worlds/:world/map", "map"],
  ["/worlds/:world/settings", "settings"],
  ["/health", "health"],
];

for (const [pattern, page] of PAGES) route(pattern, () => import(`./pages/${page}.js`));

openShell();
