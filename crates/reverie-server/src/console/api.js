// How does the console talk to the server? By the public API alone, with the token if there is one.

const BASE = new URL(".", document.baseURI);
const TOKEN = "reverie.token";

export class ApiError extends Error {
  constructor(status, code, message, hint) {
    super(message);
    Object.assign(this, { status, code, hint });
  }
}

/** `path` with what stands in it percent-encoded: at`/v1/worlds/${id}`. */
export function at(parts, ...values) {
  return parts.reduce((path, part, index) => path + encodeURIComponent(values[index - 1]) + part);
}

/** Kept for this tab, or on this device if the person wants that. */
export const token = {
  get: () => sessionStorage.getItem(TOKEN) ?? localStorage.getItem(TOKEN) ?? "",
  set(value, keep) {
    sessionStorage.removeItem(TOKEN);
    localStorage.removeItem(TOKEN);
    if (value) (keep ? localStorage : sessionStorage).setItem(TOKEN, value);
  },
};

/** Where a client must point to. */
export const address = (path = "") => new URL(path.replace(/^\//, ""), BASE).href;

const PATIENCE_MS = 60_000;

/** For what reads or writes a whole world: as long as the server itself would work on it. */
export const LONG_PATIENCE_MS = 600_000;

/** Whether the server answers; told when that changes. Any answer says that it does. */
let isThere = true;
export function reach(now) {
  if (now === isThere) return;
  isThere = now;
  dispatchEvent(new CustomEvent("reverie:reach", { detail: now }));
}

/** The answer itself; throws an ApiError for anything but success. */
export async function send(method, path, { query, body, type, signal, accept, patience = PATIENCE_MS } = {}) {
  const url = new URL(path.replace(/^\//, ""), BASE);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) if (one !== undefined && one !== null && one !== "") url.searchParams.append(name, one);
  }
  const headers = {};
  if (accept) headers.accept = accept;
  const shown = token.get();
  if (shown) headers.authorization = `Bearer ${shown}`;
  let payload = body;
  if (body !== undefined && !(body instanceof Blob) && !type) {
    headers["content-type"] = "application/json";
    payload = JSON.stringify(body);
  } else if (type) headers["content-type"] = type;
  const limit = AbortSignal.timeout(patience);
  let response;
  try {
    response = await fetch(url, { method, headers, body: payload, signal: signal ? AbortSignal.any([signal, limit]) : limit });
  } catch (error) {
    if (signal?.aborted) throw error;
    reach(false);
    throw new ApiError(0, "unreachable", String(error.message ?? error));
  }
  reach(true);
  if (response.ok) return response;
  const details = await response.json().then((answer) => answer.error, () => null);
  const error = new ApiError(response.status, details?.code ?? "", details?.message ?? response.statusText, details?.hint);
  // Of a token that was replaced meanwhile nobody needs to hear any more.
  if (response.status === 401 && shown === token.get()) dispatchEvent(new CustomEvent("reverie:unauthorised", { detail: error }));
  throw error;
}

const json = async (method, path, options) => {
  const response = await send(method, path, options);
  const text = await response.text();
  return text ? JSON.parse(text) : undefined;
};

export const get = (path, query, options) => json("GET", path, { ...options, query });
export const post = (path, body, options) => json("POST", path, { ...options, body: body ?? {} });
export const put = (path, body, options) => json("PUT", path, { ...options, body: body ?? {} });
export const patch = (path, body, options) => json("PATCH", path, { ...options, body });
export const remove = (path, query, options) => json("DELETE", path, { ...options, query });

/** Page by page, at most `most` items: for lists that are short by nature. */
export async function all(path, query, { most = 1000, signal } = {}) {
  const items = [];
  let cursor;
  do {
    const page = await get(path, { limit: 100, ...query, cursor }, { signal });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined && items.length < most);
  return items;
}

/** Whether a list has something of this id. Asking for it by name would be a failure in the browser's log wherever it is free, as it should be. */
export async function isListed(path, id) {
  let cursor;
  do {
    const page = await get(path, { limit: 100, cursor });
    if (page.items.some((one) => one.id === id)) return true;
    cursor = page.next;
  } while (cursor !== undefined);
  return false;
}

/** What a file of the API is called and holds, for saving it on this device. */
export async function download(path, query, name) {
  const blob = await (await send("GET", path, { query, patience: LONG_PATIENCE_MS })).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
