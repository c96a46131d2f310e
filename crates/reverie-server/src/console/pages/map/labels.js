// Where do the words of a cluster stand? Beside its own disc or inside of it, nearer to it than to any other, on no point and on no other
// words; fewer words where there is no room for all; or nowhere, until there is room.

const GAP = 4;
/** So far from everybody else's disc it is plain whose words they are. */
const APART = 12;
/** Inside of a disc: in the middle, and so far from it, in parts of its radius. */
const INSIDE = [0, -0.35, 0.35, -0.65, 0.65];

/** Whether a box `[left, top, right, bottom]` and a disc `{x, y, rx, ry}` have anything in common. */
export function touches([left, top, right, bottom], { x, y, rx, ry }) {
  const dx = (Math.max(left, Math.min(right, x)) - x) / rx;
  const dy = (Math.max(top, Math.min(bottom, y)) - y) / ry;
  return dx * dx + dy * dy < 1;
}

export const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Whether a box hides some of a point `{x, y, radius}`. */
export const hides = ([left, top, right, bottom], { x, y, radius }) => x + radius > left && x - radius < right && y + radius > top && y - radius < bottom;

const wider = ([left, top, right, bottom], by) => [left - by, top - by, right + by, bottom + by];

/**
 * `discs`: `{id, x, y, rx, ry, halves, high}` in the order in which they may choose: half the width of their words, of all of them first, then
 * of ever fewer, and their height. `points`: `{x, y, radius}`, which nobody's words hide. `must`: the id of one whose words are shown whatever
 * they cover. The result: `{id, x, y, choice}` of the middles of those that have a place, and which of the widths fitted there.
 */
export function placeLabels(discs, { width, height, points = [], must }) {
  const taken = [];
  const placed = [];
  const isInside = ([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= width && bottom <= height;
  for (const disc of [...discs].sort((a, b) => Number(b.id === must) - Number(a.id === must))) {
    if (disc.x + disc.rx < 0 || disc.y + disc.ry < 0 || disc.x - disc.rx > width || disc.y - disc.ry > height) continue;
    const ways = disc.halves.flatMap((half, choice) => around(disc, half, width).map(([x, y]) => ({ x, y, choice, box: [x - half, y - disc.high / 2, x + half, y + disc.high / 2] })));
    const reach = Math.max(0, ...disc.halves) * 2 + APART;
    const near = points.filter(({ x, y }) => Math.abs(x - disc.x) < disc.rx + reach && Math.abs(y - disc.y) < disc.ry + disc.high + reach);
    const isBare = ({ box }) => isInside(box) && taken.every((other) => !overlap(box, other)) && near.every((point) => !hides(box, point));
    const isItsOwn = (box, apart) => discs.every((other) => other === disc || !touches(wider(box, apart), other));
    // Where discs lie so close that nothing is apart from all others, words inside of one still are its own.
    const isOnItself = ({ x, y }) => ((x - disc.x) / disc.rx) ** 2 + ((y - disc.y) / disc.ry) ** 2 < 0.5;
    const way = ways.find((one) => isBare(one) && isItsOwn(one.box, APART))
      ?? ways.find((one) => isOnItself(one) && isBare(one) && isItsOwn(one.box, 0))
      ?? (disc.id === must ? ways.find(({ box }) => isInside(box)) : undefined);
    if (!way) continue;
    taken.push(way.box);
    placed.push({ id: disc.id, x: way.x, y: way.y, choice: way.choice });
  }
  return placed;
}

/** Above it, below it, beside it, inside of it. At the edge the words are moved in, as far as the disc itself is seen. */
function around({ x, y, rx, ry, high }, half, width) {
  const inside = Math.max(half, Math.min(width - half, x));
  const [up, aside] = [ry + high / 2 + GAP, rx + half + GAP];
  return [[inside, y - up], [inside, y + up], [x + aside, y], [x - aside, y], ...INSIDE.flatMap((part) => [[inside, y + part * ry], [x - rx / 4, y + part * ry], [x + rx / 4, y + part * ry]])];
}
