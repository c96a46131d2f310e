// Which names can a client choose as its model?

import { ApiError, address, reach, token } from "../../api.js";

/**
 * `{bases, characters, problem}`: models, and who can be spoken with in this world. Asked for apart from the rest of the API, as what a
 * provider refuses says nothing about the token of this server.
 */
export async function models(world, signal) {
  const headers = {};
  if (token.get()) headers.authorization = `Bearer ${token.get()}`;
  if (world) headers["x-reverie-world"] = encodeURIComponent(world);
  const response = await fetch(address("/v1/models"), { headers, signal }).catch((error) => {
    if (signal.aborted) throw error;
    reach(false);
    throw new ApiError(0, "unreachable", String(error.message ?? error));
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) return { bases: [], characters: [], problem: answer.error?.message ?? response.statusText };
  const ids = (answer.data ?? []).map((one) => one.id);
  const all = new Set(ids);
  // `a@b` is a pair only if `a` is a model by itself: names of models may have an @, too.
  const pairOf = (id) => {
    for (let at = id.indexOf("@"); at > 0; at = id.indexOf("@", at + 1)) if (all.has(id.slice(0, at))) return [id.slice(0, at), id.slice(at + 1)];
    return null;
  };
  const pairs = ids.map(pairOf);
  return {
    bases: ids.filter((_, index) => !pairs[index]),
    characters: [...new Set(pairs.filter(Boolean).map(([, who]) => who))],
    problem: null,
  };
}

/** The model that answers where no provider is set up. */
export const ECHO = "echo";
