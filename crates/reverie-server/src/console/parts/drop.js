// A place where files are dropped, or chosen by those who drop nothing.

import { h } from "../dom.js";
import { icon } from "./icon.js";
import { guarded } from "./toast.js";

/** `take(files)` gets what was dropped. `accept` as for a file field. */
export function dropZone(text, take, { accept, hint } = {}) {
  const input = h("input", { type: "file", multiple: true, accept, class: "visually-hidden", onchange: guarded(async () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) await take(files);
  }) });
  const zone = h("label", { class: "drop" }, icon("upload"), h("span", {}, text), hint && h("span", { class: "hint" }, hint), input);
  catchFiles(zone, take);
  return zone;
}

const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

/** Whatever no place has taken: the browser would open it instead of this console. */
export function catchStrays(take) {
  addEventListener("dragover", (event) => isFile(event) && event.preventDefault());
  const drop = guarded(take);
  addEventListener("drop", (event) => {
    if (!isFile(event) || event.defaultPrevented) return;
    event.preventDefault();
    drop([...event.dataTransfer.files]);
  });
}

/** Makes any element a place to drop files on. */
export function catchFiles(element, take) {
  element.addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", (event) => {
    if (!element.contains(event.relatedTarget)) element.classList.remove("over");
  });
  const drop = guarded(take);
  element.addEventListener("drop", (event) => {
    element.classList.remove("over");
    if (!isFile(event) || event.defaultPrevented) return; // A place inside of this one has taken them.
    event.preventDefault();
    drop([...event.dataTransfer.files]);
  });
}
