// Which page belongs to an address? Addresses are behind the #, so that the server has one page and needs to know none of them.

const routes = [];

/** `pattern` like `/worlds/:world`; `open(parameters, query)` shows the page. */
export function route(pattern, open) {
  const names = [];
  const source = pattern.replace(/:(\w+)/g, (_, name) => {
    names.push(name);
    return "([^/]+)";
  });
  routes.push({ match: new RegExp(`^${source}$`), names, open });
}

/** The address of a page: to`/worlds/${id}/why`. */
export function to(parts, ...values) {
  return "#" + parts.reduce((path, part, index) => path + encodeURIComponent(values[index - 1]) + part);
}

export const go = (address) => {
  location.hash = address.replace(/^#/, "");
};

/** Changes what stands behind the ? without a new page: filters that a person may want to send to somebody. */
export function remember(query) {
  const [path] = location.hash.slice(1).split("?");
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null && one !== "") search.append(name, one);
  }
  const text = String(search);
  history.replaceState(null, "", `#${path}${text ? `?${text}` : ""}`);
}

export function find() {
  const [path, search] = (location.hash.slice(1) || "/").split("?");
  for (const { match, names, open } of routes) {
    const found = match.exec(path);
    if (!found) continue;
    try {
      const parameters = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1])]));
      return { open, parameters, query: new URLSearchParams(search), path };
    } catch {
      return null; // Not an address that this console wrote.
    }
  }
  return null;
}
