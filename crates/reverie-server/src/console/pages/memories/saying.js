// What does a memory say, in one look?

/** Rounds begin with a list of those who were there, summaries with what they sum up: in brackets, on a line of its own. */
const HEADING = /^[[【]([^\n]*)[\]】]\n+/;

/** The text for one or two lines, without a heading: what it says is told elsewhere. */
export function saying(memory) {
  return memory.text.trim().replace(HEADING, "").replace(/\s*\n\s*/g, " · ");
}

/** The time that a summary covers, in the words of the world's calendar; nothing for other memories. */
export function covered(memory) {
  if (memory.origin !== "day" && memory.origin !== "era") return "";
  const heading = HEADING.exec(memory.text.trim())?.[1] ?? "";
  return heading.split(/[;；]/)[0].replace(/^[^:：]*[:：]\s*/, "");
}
