// What is a conversation called? By its name, else by who takes part. Clients that name it by a clock mean a moment, not a number.

import { listed, moment } from "../words.js";

/** Milliseconds since 1970, of this century. */
const CLOCK = /^1\d{12}$/;

/** `nameOf(id)` of somebody. */
export function talkName(talk, nameOf) {
  const people = listed(talk.participants.map(nameOf));
  const own = talk.name || (people ? "" : talk.id);
  if (!own) return people;
  return CLOCK.test(own) ? [people, moment(Number(own))].filter(Boolean).join(" · ") : own;
}
