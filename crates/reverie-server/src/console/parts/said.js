// What does a memory say, without the line in brackets that tells who was there or what it sums up?

const HEADING = /^[[【][^\n\]】]*[\]】]\s+/;

/** The rest of the text; the whole of it if there is nothing else. */
export const said = (text) => text.trim().replace(HEADING, "") || text;
