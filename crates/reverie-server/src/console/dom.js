// How do elements come into being? From names, attributes and texts, never from markup: what characters and cards say is data.

/**
 * An element. Attributes: `class`, `on…` for listeners, `dataset`, properties such as `value` and `checked`, anything else as
 * an attribute; null, undefined and false leave it away. Children: elements, texts, arrays of them; nothing for null and false.
 */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

const PROPERTIES = new Set(["value", "checked", "disabled", "open", "selected", "indeterminate", "hidden", "htmlFor", "tabIndex"]);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || (value === false && !PROPERTIES.has(name))) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "style") for (const [key, to] of Object.entries(value)) element.style.setProperty(key, to);
    else if (PROPERTIES.has(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
  return element;
}

/** What is there of these, with dots between. */
export const dotted = (...parts) => parts.filter(Boolean).map((part, index) => (index > 0 ? [" · ", part] : part));

/** Leaves these children, and no others. */
export function replace(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/** Calls only when nothing more came for a while. */
export function calm(milliseconds, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

/** An id that nobody else on the page has. */
let ids = 0;
export const freshId = (stem) => `${stem}-${++ids}`;
