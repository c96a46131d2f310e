// Where do the words of a cluster stand? Beside its own disc, on nobody else's, and on no other words; fewer words where there is no room for
// all; one on its own disc, whatever it reaches over, before it has no name; or nowhere, until there is room.

const GAP = 4;

/** Whether a box `[left, top, right, bottom]` and a disc `{x, y, rx, ry}` have anything in common. */
export function touches([left, top, right, bottom], { x, y, rx, ry }) {
  const dx = (Math.max(left, Math.min(right, x)) - x) / rx;
  const dy = (Math.max(top, Math.min(bottom, y)) - y) / ry;
  return dx * dx + dy * dy < 1;
}

export const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/**
 * `discs`: `{id, x, y, rx, ry, halves, high}` in the order in which they may choose: half the width of their words, of all of them first, then
 * of ever fewer, and their height. `must`: the id of one whose words are shown whatever they cover. The result: `{id, x, y, choice}` of the
 * middles of those that have a place, and which of the widths fitted there.
 */
export function placeLabels(discs, { width, height, must }) {
  const taken = [];
  const placed = [];
  const isInside = ([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= width && bottom <= height;
  for (const disc of [...discs].sort((a, b) => Number(b.id === must) - Number(a.id === must))) {
    if (disc.x + disc.rx < 0 || disc.y + disc.ry < 0 || disc.x - disc.rx > width || disc.y - disc.ry > height) continue;
    const ways = disc.halves.flatMap((half, choice) => around(disc, half, width).map(([x, y]) => ({ x, y, choice, box: [x - half, y - disc.high / 2, x + half, y + disc.high / 2] })));
    const isBare = ({ box }) => isInside(box) && taken.every((other) => !overlap(box, other));
    const isFree = (way) => isBare(way) && discs.every((other) => other === disc || !touches(way.box, other));
    const onItself = ({ choice, y }) => choice === disc.halves.length - 1 && y === disc.y;
    const way = ways.find(isFree) ?? (disc.id === must ? ways.find(({ box }) => isInside(box)) : ways.find((one) => onItself(one) && isBare(one) && Math.abs(one.x - disc.x) < disc.rx));
    if (!way) continue;
    taken.push(way.box);
    placed.push({ id: disc.id, x: way.x, y: way.y, choice: way.choice });
  }
  return placed;
}

/** Above it, below it, beside it, on it. At the edge the words are moved in, as far as the disc itself is seen. */
function around({ x, y, rx, ry, high }, half, width) {
  const inside = Math.max(half, Math.min(width - half, x));
  const [up, aside] = [ry + high / 2 + GAP, rx + half + GAP];
  return [[inside, y - up], [inside, y + up], [x + aside, y], [x - aside, y], [inside, y]];
}
