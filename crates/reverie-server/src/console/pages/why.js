// why
import { h, replace } from "../dom.js";

export async function show(page) {
  replace(page, h("h1", {}, "why"));
}
