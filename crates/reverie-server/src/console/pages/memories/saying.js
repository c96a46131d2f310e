// What does a memory say, in one look?

/** The text for one or two lines: a round begins with a list of those who were there, which is told elsewhere. */
export function saying(memory) {
  const text = memory.text.trim();
  if (memory.origin !== "round" || memory.own_text !== undefined) return text.replace(/\s*\n\s*/g, " · ");
  return text.replace(/^[[【(（][^\n]*\n/, "").replace(/\s*\n\s*/g, " · ");
}
