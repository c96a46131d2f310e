// What is in a zip archive? A charx is one, also behind a picture.

import { unpack } from "./picture.js";

const DIRECTORY_END = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const MOST_COMMENT = 65_557;

/** One file of an archive as bytes; null if it is not there, or the archive cannot be read here. */
export async function entryOf(bytes, name) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end < 0) return null;
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const told = view.getUint32(end + 16, true);
  const start = end - size;
  // What stands before the archive (a picture) moves everything in it.
  const shift = start - told;
  let at = start;
  for (let index = 0; index < count && at >= 0 && at + 46 <= end; index++) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) return null;
    const length = view.getUint16(at + 28, true);
    const called = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
    if (called === name) return contents(bytes, view, at, shift);
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return null;
}

export const isArchive = (bytes) => endOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) >= 0;

function endOf(view) {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - MOST_COMMENT); at--) {
    if (view.getUint32(at, true) === DIRECTORY_END) return at;
  }
  return -1;
}

async function contents(bytes, view, at, shift) {
  const method = view.getUint16(at + 10, true);
  const packed = view.getUint32(at + 20, true);
  const header = view.getUint32(at + 42, true) + shift;
  if (header < 0 || header + 30 > bytes.length) return null;
  const from = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
  const data = bytes.subarray(from, from + packed);
  if (method === 0) return data;
  return method === 8 ? unpack(data, "deflate-raw") : null;
}
