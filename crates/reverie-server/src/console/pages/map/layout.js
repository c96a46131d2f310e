// Where does everybody stand? Those who share much stand near each other. The same world always gives the same picture.

const ROUNDS = 260;

/** Positions by id, within -1 and 1. */
export function layout(characters, links) {
  const places = characters.map((one, index) => {
    const angle = index * 2.399963; // The golden angle: nobody begins on top of another.
    const away = Math.sqrt((index + 0.5) / characters.length);
    return { id: one.id, x: Math.cos(angle) * away, y: Math.sin(angle) * away };
  });
  const byId = new Map(places.map((place) => [place.id, place]));
  const most = Math.max(1, ...links.map((link) => link.memories));
  const ties = links.map(({ between: [a, b], memories }) => ({ a: byId.get(a), b: byId.get(b), pull: 0.3 + 0.7 * Math.sqrt(memories / most) })).filter(({ a, b }) => a && b);
  const ideal = 1.1 / Math.sqrt(Math.max(1, places.length));
  for (let round = 0; round < ROUNDS; round++) {
    const heat = 0.08 * (1 - round / ROUNDS);
    const moves = new Map(places.map((place) => [place, [0, 0]]));
    const push = (one, dx, dy) => {
      const move = moves.get(one);
      move[0] += dx;
      move[1] += dy;
    };
    for (let i = 0; i < places.length; i++) {
      for (let j = i + 1; j < places.length; j++) {
        const [a, b] = [places[i], places[j]];
        const [dx, dy] = [a.x - b.x, a.y - b.y];
        const away = Math.max(0.01, Math.hypot(dx, dy));
        const force = (ideal * ideal) / away / away;
        push(a, dx * force, dy * force);
        push(b, -dx * force, -dy * force);
      }
    }
    for (const { a, b, pull } of ties) {
      const [dx, dy] = [a.x - b.x, a.y - b.y];
      const force = (Math.hypot(dx, dy) / ideal) * pull * 0.35;
      push(a, -dx * force, -dy * force);
      push(b, dx * force, dy * force);
    }
    for (const [place, [dx, dy]] of moves) {
      // Nobody drifts away who shares nothing.
      const [mx, my] = [dx - place.x * 0.25, dy - place.y * 0.25];
      const length = Math.max(1e-6, Math.hypot(mx, my));
      place.x += (mx / length) * Math.min(length, heat);
      place.y += (my / length) * Math.min(length, heat);
    }
  }
  return fitted(places);
}

function fitted(places) {
  const span = (values) => [Math.min(...values), Math.max(...values)];
  const [left, right] = span(places.map((place) => place.x));
  const [top, bottom] = span(places.map((place) => place.y));
  // A few stand together in the middle; many take all the room.
  const room = Math.min(1, 0.3 + places.length * 0.08);
  const fit = (value, from, to) => (to - from < 1e-6 ? 0 : (((value - from) / (to - from)) * 2 - 1) * room);
  return new Map(places.map((place) => [place.id, [fit(place.x, left, right), fit(place.y, top, bottom)]]));
}
