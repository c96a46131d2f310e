// What do the text chunks of a PNG say? Cards and some books travel in them.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const latin = new TextDecoder("latin1");
const utf8 = new TextDecoder();

export const isPng = (bytes) => SIGNATURE.every((byte, index) => bytes[index] === byte);

/** Texts by keyword, lower case. Chunks that cannot be read are left out: the server says what is wrong with them. */
export async function textsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts = new Map();
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = latin.decode(bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (["tEXt", "zTXt", "iTXt"].includes(type)) {
      const [keyword, text] = await read(type, data).catch(() => [null]);
      if (keyword) texts.set(keyword.toLowerCase(), text);
    }
    if (type === "IEND") break;
    at += length + 12;
  }
  return texts;
}

async function read(type, data) {
  const end = data.indexOf(0);
  if (end < 0) return [null];
  const keyword = latin.decode(data.subarray(0, end));
  if (type === "tEXt") return [keyword, utf8.decode(data.subarray(end + 1))];
  if (type === "zTXt") return [keyword, utf8.decode(await unpack(data.subarray(end + 2), "deflate"))];
  const language = data.indexOf(0, end + 3);
  const translated = data.indexOf(0, language + 1);
  const text = data.subarray(translated + 1);
  return [keyword, utf8.decode(data[end + 1] ? await unpack(text, "deflate") : text)];
}

/** What a browser can unpack itself: `deflate` has zlib's frame, `deflate-raw` has none. */
export async function unpack(bytes, how) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(how));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The text behind base64, as cards are written into pictures. */
export function fromBase64(text) {
  const plain = atob(text.trim().replaceAll("-", "+").replaceAll("_", "/"));
  return utf8.decode(Uint8Array.from(plain, (letter) => letter.charCodeAt(0)));
}
