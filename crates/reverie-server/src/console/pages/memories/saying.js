// What does a memory say, in one look?

import { said } from "../../parts/said.js";

/** The text for one or two lines, without a heading: what it says is told elsewhere. */
export const saying = (memory) => said(memory.text).replace(/\s*\n\s*/g, " · ");
