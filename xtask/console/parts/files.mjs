// Files as people bring them: a card with a picture, and a drop by the events that a browser sends.

import { deflateSync } from "node:zlib";

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, check]);
}

/** A PNG of `size` pixels each way, `colour(x, y)` giving [red, green, blue], with a card in it as tools put it there. */
export function cardPicture(fields, { size = 64, colour = (x, y) => [90 + x, 60, 150 + y] } = {}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.concat(Array.from({ length: size }, (_, y) => Buffer.from([0, ...Array.from({ length: size }, (_, x) => colour(x, y).map((part) => Math.max(0, Math.min(255, Math.round(part))))).flat()])));
  const card = { spec: "chara_card_v2", spec_version: "2.0", data: { description: "", personality: "", scenario: "", first_mes: "", mes_example: "", alternate_greetings: [], tags: [], ...fields } };
  const text = Buffer.concat([Buffer.from("chara\0", "latin1"), Buffer.from(Buffer.from(JSON.stringify(card)).toString("base64"), "latin1")]);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk("IHDR", header), chunk("tEXt", text), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

/** Files that come by real drag events; each `[name, content, type]`, content as text or bytes. */
export async function drop(page, target, ...files) {
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer();
    for (const [name, base64, type] of all) data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type }));
    return data;
  }, files.map(([name, content, type = ""]) => [name, Buffer.from(content).toString("base64"), type]));
  for (const event of ["dragenter", "dragover", "drop"]) await page.locator(target).first().dispatchEvent(event, { dataTransfer: transfer });
}
