// Where do the words of a cluster stand? Beside its own disc, on nobody else's, and on no other words; or nowhere, until there is room.

const GAP = 4;

/** Whether a box `[left, top, right, bottom]` and a disc `{x, y, rx, ry}` have anything in common. */
export function touches([left, top, right, bottom], { x, y, rx, ry }) {
  const dx = (Math.max(left, Math.min(right, x)) - x) / rx;
  const dy = (Math.max(top, Math.min(bottom, y)) - y) / ry;
  return dx * dx + dy * dy < 1;
}

export const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/**
 * `discs`: `{id, x, y, rx, ry, half, high}` in the order in which they may choose, with half the width and the height of their words;
 * `must`: the id of one whose words are shown whatever they cover. The result: `{id, x, y}` of the middles of those that have a place.
 */
export function placeLabels(discs, { width, height, must }) {
  const taken = [];
  const placed = [];
  const isInside = ([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= width && bottom <= height;
  for (const disc of [...discs].sort((a, b) => Number(b.id === must) - Number(a.id === must))) {
    if (disc.x + disc.rx < 0 || disc.y + disc.ry < 0 || disc.x - disc.rx > width || disc.y - disc.ry > height) continue;
    const { half, high } = disc;
    // At the edge the words are moved in, as far as the disc itself is seen.
    const x = Math.max(half, Math.min(width - half, disc.x));
    const [up, aside] = [disc.ry + high / 2 + GAP, disc.rx + half + GAP];
    const places = [[x, disc.y - up], [x, disc.y + up], [disc.x + aside, disc.y], [disc.x - aside, disc.y], [x, disc.y]];
    const boxOf = ([cx, cy]) => [cx - half, cy - high / 2, cx + half, cy + high / 2];
    const isFree = (place) => {
      const box = boxOf(place);
      return isInside(box) && taken.every((other) => !overlap(box, other)) && discs.every((other) => other === disc || !touches(box, other));
    };
    const place = places.find(isFree) ?? (disc.id === must ? places.find((one) => isInside(boxOf(one))) : undefined);
    if (!place) continue;
    taken.push(boxOf(place));
    placed.push({ id: disc.id, x: place[0], y: place[1] });
  }
  return placed;
}
