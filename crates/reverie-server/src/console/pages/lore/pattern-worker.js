// Where does a pattern match? Asked aside, because some patterns search for ever: then this worker is ended.

onmessage = ({ data: { id, source, flags, text } }) => {
  let hit = null;
  try {
    const found = new RegExp(source, flags.replace(/[gy]/g, "")).exec(text);
    if (found) hit = [found.index, found.index + found[0].length];
  } catch {
    // Not a pattern here; the server has told what it thinks of it.
  }
  postMessage({ id, hit });
};
