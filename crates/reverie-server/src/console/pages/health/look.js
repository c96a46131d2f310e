// Asked apart from the rest of the API: a server that is not well answers 503, and says all the same how it is.

import { ApiError, address, reach, token } from "../../api.js";

export async function look(signal) {
  const headers = token.get() ? { authorization: `Bearer ${token.get()}` } : {};
  let response;
  try {
    response = await fetch(address("/health"), { headers, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    reach(false);
    throw new ApiError(0, "unreachable", String(error.message ?? error));
  }
  reach(true);
  const answer = await response.json().catch(() => null);
  if (answer?.status) return answer;
  const details = answer?.error;
  if (response.status === 401) dispatchEvent(new CustomEvent("reverie:unauthorised"));
  throw new ApiError(response.status, details?.code ?? "", details?.message ?? response.statusText, details?.hint);
}
