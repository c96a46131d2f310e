// How much does a character remember, of what kinds?

import { at, get } from "../../api.js";

/** Null where the server cannot say: then nothing is counted. */
export async function readStats(world, character, signal) {
  try {
    return await get(at`/v1/worlds/${world}/characters/${character}/stats`, undefined, { signal });
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}
