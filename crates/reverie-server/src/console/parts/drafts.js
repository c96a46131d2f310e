// What somebody is writing stays while the console is open, wherever they go meanwhile; closing the console asks first.

const shelves = [];

/** A map of drafts by any key. `counts(draft)`: whether something would be lost with it. */
export function drafts(counts = () => true) {
  const shelf = new Map();
  shelves.push({ shelf, counts });
  return shelf;
}

/** A key of several parts. */
export const draftKey = (...parts) => JSON.stringify(parts);

addEventListener("beforeunload", (event) => {
  if (shelves.some(({ shelf, counts }) => [...shelf.values()].some(counts))) event.preventDefault();
});
