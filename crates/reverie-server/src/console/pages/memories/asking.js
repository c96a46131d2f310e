// Which memories does the person want to see? The same answer stands in the address, in the filters and in the question to the API.

/** What is a list here may be there several times. */
const MANY = ["kind", "layer", "emotion", "about"];
const ONE = ["q", "by", "shared_with", "from", "to", "from_tick", "to_tick", "pinned", "dormant", "order"];

export function fromAddress(query) {
  const wanted = {};
  for (const name of MANY) wanted[name] = query.getAll(name);
  for (const name of ONE) wanted[name] = query.get(name) ?? "";
  return wanted;
}

/** What must be remembered of them in an address. */
export function toAddress(wanted) {
  return Object.fromEntries([...MANY, ...ONE].map((name) => [name, wanted[name]]));
}

/** The parameters of listMemories. `which`: more of them, as views need them. */
export function toQuery(wanted, which = {}) {
  const { by, order, ...plain } = wanted;
  const isSearch = wanted.q.trim() !== "";
  // A summary of one memory alone says the same again. Who looks through a layer, or for what sleeps, wants to see all that is there.
  const isWhole = which.forgotten || wanted.layer.length > 0 || wanted.dormant !== "";
  return {
    ...plain,
    q: wanted.q.trim(),
    // What is forgotten comes to nobody's mind.
    by: !isSearch ? undefined : which.forgotten ? "words" : by || "mind",
    newest: order === "oldest" ? undefined : "true",
    repeats: isWhole ? undefined : "false",
    ...which,
  };
}

/** How many filters hold something back, the search aside. */
export function countFilters(wanted) {
  const single = ["shared_with", "from", "to", "from_tick", "to_tick", "pinned", "dormant"];
  return MANY.filter((name) => wanted[name].length > 0).length + single.filter((name) => wanted[name] !== "").length;
}

export const nothingWanted = () => fromAddress(new URLSearchParams());

/** A memory as one holder has it, from what all share. */
export function asHeld(shared, holder) {
  const { holders, ...facts } = shared;
  const own = holders.find((one) => one.holder === holder);
  if (!own) return null;
  return { ...facts, ...own, text: own.text ?? facts.text, own_text: own.text === undefined ? undefined : facts.text, importance: own.importance ?? facts.importance };
}
