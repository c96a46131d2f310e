// Moving and zooming a drawing: wheel, drag, two fingers, keys. It only keeps numbers; whoever draws is told when they change.

const STEP = 60;
const MOST = 60;
const LEAST = 0.6;

/**
 * `element` is what is dragged on; `changed()` draws anew. `k` is the zoom, `x` and `y` how far the middle is moved, in pixels.
 * A press that moved nothing is `tapped(event)`. Ends with `signal`.
 */
export function panZoom(element, { changed, tapped, signal }) {
  const view = { k: 1, x: 0, y: 0 };
  const fingers = new Map();
  let hasMoved = false;
  let pinch = null;

  const middle = () => {
    const box = element.getBoundingClientRect();
    return { left: box.left, top: box.top, x: box.width / 2, y: box.height / 2 };
  };

  /** Zooms so that what is under `at` (in pixels of the element) stays there. */
  function zoom(by, at) {
    const { x, y } = middle();
    const [dx, dy] = at ? [at.x - x, at.y - y] : [0, 0];
    const k = Math.min(MOST, Math.max(LEAST, view.k * by));
    const scale = k / view.k;
    view.x = dx - (dx - view.x) * scale;
    view.y = dy - (dy - view.y) * scale;
    view.k = k;
    changed();
  }

  function move(dx, dy) {
    view.x += dx;
    view.y += dy;
    changed();
  }

  function fit() {
    Object.assign(view, { k: 1, x: 0, y: 0 });
    changed();
  }

  const place = (event) => {
    const { left, top } = middle();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const listen = (name, action, options) => element.addEventListener(name, action, { signal, ...options });

  listen("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), place(event));
  }, { passive: false });

  listen("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture?.(event.pointerId);
    fingers.set(event.pointerId, place(event));
    if (fingers.size === 1) hasMoved = false;
    pinch = null;
  });
  listen("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    if (!hasMoved && fingers.size === 1 && Math.hypot(now.x - before.x, now.y - before.y) < 4) return;
    hasMoved = true;
    fingers.set(event.pointerId, now);
    if (fingers.size === 1) return move(now.x - before.x, now.y - before.y);
    const [a, b] = [...fingers.values()];
    const wide = { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    if (pinch && pinch.distance > 0) {
      move(wide.x - pinch.x, wide.y - pinch.y);
      zoom(wide.distance / pinch.distance, wide);
    }
    pinch = wide;
  });
  const lift = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    pinch = null;
    if (fingers.size === 0 && !hasMoved && event.type === "pointerup") tapped?.(event, place(event));
  };
  listen("pointerup", lift);
  listen("pointercancel", lift);

  const KEYS = {
    ArrowLeft: () => move(STEP, 0),
    ArrowRight: () => move(-STEP, 0),
    ArrowUp: () => move(0, STEP),
    ArrowDown: () => move(0, -STEP),
    "+": () => zoom(1.3),
    "=": () => zoom(1.3),
    "-": () => zoom(1 / 1.3),
    0: fit,
  };
  listen("keydown", (event) => {
    const action = !event.ctrlKey && !event.metaKey && !event.altKey && KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  /** Shows a circle of the drawing, in pixels from the middle at zoom 1. */
  function show(x, y, radius) {
    const box = middle();
    const k = Math.min(MOST / 3, Math.max(1, (Math.min(box.x, box.y) * 0.75) / Math.max(radius, 1)));
    Object.assign(view, { k, x: -x * k, y: -y * k });
    changed();
  }

  return { view, zoom, move, fit, show };
}
