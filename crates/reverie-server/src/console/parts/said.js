// What does a memory say, without the line in brackets that tells who was there or what it sums up?

/** Rounds begin with a list of those who were there, summaries with what they sum up, in the language of their world. */
const HEADING = /^[[【][^\n]*[\]】]\s*\n+|^[[【][^\n\]】]*[\]】]\s+/;

/** The rest of the text; the whole of it if there is nothing else. */
export const said = (text) => text.trim().replace(HEADING, "") || text.trim();
