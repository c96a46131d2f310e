// How does the map get onto the canvas? Everything is drawn anew at every change: some thousand points take a few milliseconds.

import { number } from "../../words.js";
import { groups, resolved, trace } from "./colours.js";
import { placeLabels } from "./labels.js";

const MARGIN = 44;
const WIDER = 1.4;
const HIGHER = 1.15;
const NEAR = 10;
const WORDS_SHOWN = 3;
const NARROW = 500;
const LAYERS = 8;
const LABEL_HIGH = 32;
const WORDS_FONT = (family) => `600 13px ${family}`;
const VARIABLES = ["--ink", "--faint", "--edge", "--line", "--sheet", "--well", "--accent", "--episodic", "--semantic", "--trait", "--goal", ...Array.from({ length: 8 }, (_, index) => `--hue-${index + 1}`)];

/** `scene`: points, clusters, colourBy, hidden (a set of keys), isIn(point); `pan()` gives the view. */
export function painter(canvas, scene, pan) {
  const context = canvas.getContext("2d");
  let colours = resolved(VARIABLES);
  let grouping = groups(scene.points, scene.colourBy);
  let font = getComputedStyle(document.body).fontFamily;
  let size = { width: 0, height: 0, across: 1, down: 1, x: 0, y: 0 };
  let isAsked = false;
  let shown = [];
  let ordered = [];

  function measure() {
    const box = canvas.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    size = { width: box.width, height: box.height, ...fitting(box) };
  }

  /** How large, and where the middle is, so that all of it is seen. Wide windows stretch it a little. */
  function fitting(box) {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y, radius = 0 } of [...scene.clusters, ...scene.points]) {
      [left, right] = [Math.min(left, x - radius), Math.max(right, x + radius)];
      [top, bottom] = [Math.min(top, y - radius), Math.max(bottom, y + radius)];
    }
    const wide = (box.width - 2 * MARGIN) / Math.max(right - left, 0.2);
    const high = (box.height - 2 * MARGIN) / Math.max(bottom - top, 0.2);
    const [across, down] = [Math.min(wide, high * WIDER), Math.min(high, wide * HIGHER)];
    return { across: Math.max(across, 1), down: Math.max(down, 1), x: (left + right) / 2, y: (top + bottom) / 2 };
  }

  const toScreen = ({ x, y }) => {
    const view = pan();
    return [size.width / 2 + view.x + (x - size.x) * size.across * view.k, size.height / 2 + view.y + (y - size.y) * size.down * view.k];
  };
  const radiusOf = (point) => (1.8 + 4.6 * Math.sqrt(Math.max(0, Math.min(1, point.importance)))) * Math.min(2.2, Math.max(1, pan().k ** 0.4)) * (size.width < NARROW ? 0.7 : 1);

  function draw() {
    isAsked = false;
    if (size.width === 0) return;
    context.clearRect(0, 0, size.width, size.height);
    drawClusters();
    drawPoints();
    drawLabels();
    drawMark();
  }

  function drawClusters() {
    const view = pan();
    context.lineWidth = 1;
    for (const cluster of scene.clusters) {
      const [x, y] = toScreen(cluster);
      context.beginPath();
      context.ellipse(x, y, Math.max(10, cluster.radius * size.across * view.k), Math.max(10, cluster.radius * size.down * view.k), 0, 0, Math.PI * 2);
      context.globalAlpha = 0.75;
      context.fillStyle = colours.get("--well");
      context.fill();
      context.globalAlpha = 1;
      context.strokeStyle = colours.get(scene.open === cluster.id ? "--accent" : "--line");
      context.stroke();
    }
  }

  function drawPoints() {
    shown = [];
    // In a few layers, the large below the small, so that no kind lies on top of all others.
    const layers = Array.from({ length: LAYERS }, () => new Map(grouping.all.map((group) => [group.key, { group, path: new Path2D() }])));
    for (const [index, point] of ordered.entries()) {
      const key = grouping.of(point);
      if (scene.hidden.has(key) || !scene.isIn(point)) continue;
      const [x, y] = toScreen(point);
      if (x < -20 || y < -20 || x > size.width + 20 || y > size.height + 20) continue;
      const radius = radiusOf(point);
      shown.push({ point, x, y, radius });
      const { group, path } = layers[Math.floor((index / ordered.length) * LAYERS)].get(key) ?? {};
      if (path) trace(path, group.shape, x, y, radius);
    }
    context.globalAlpha = shown.length > 3000 ? 0.6 : 0.8;
    for (const { group, path } of layers.flatMap((layer) => [...layer.values()])) {
      const colour = colours.get(group.colour);
      if (group.shape === "ring") {
        context.strokeStyle = colour;
        context.lineWidth = 1.3;
        context.stroke(path);
      } else {
        context.fillStyle = colour;
        context.fill(path);
      }
    }
    context.globalAlpha = 1;
  }

  /** The largest choose first; one for which there is no room waits until somebody comes nearer. */
  function drawLabels() {
    const view = pan();
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.font = WORDS_FONT(font);
    const told = new Map();
    const discs = [];
    for (const cluster of [...scene.clusters].sort((a, b) => b.memories - a.memories)) {
      const most = Math.min(cluster.words.length, size.width < NARROW && view.k < 2 ? 1 : WORDS_SHOWN);
      const words = Array.from({ length: most }, (_, fewer) => cluster.words.slice(0, most - fewer).join(" · "));
      const [x, y] = toScreen(cluster);
      const [rx, ry] = [size.across, size.down].map((scale) => Math.max(10, cluster.radius * scale * view.k));
      told.set(cluster.id, { cluster, words });
      // One without words has none to place, but nobody else's stand on it.
      discs.push({ id: cluster.id, x, y, rx, ry, halves: words.map((one) => context.measureText(one).width / 2 + 6), high: LABEL_HIGH });
    }
    for (const { id, x, y, choice } of placeLabels(discs, { width: size.width, height: size.height, points: shown, must: scene.open })) {
      const { cluster, words: { [choice]: words } } = told.get(id);
      context.font = WORDS_FONT(font);
      context.lineWidth = 4;
      context.strokeStyle = colours.get("--sheet");
      context.fillStyle = colours.get("--ink");
      context.strokeText(words, x, y - 6);
      context.fillText(words, x, y - 6);
      context.font = `11px ${font}`;
      context.fillStyle = colours.get("--faint");
      const count = number(scene.counts?.get(cluster.id) ?? cluster.memories);
      context.strokeText(count, x, y + 8);
      context.fillText(count, x, y + 8);
    }
  }

  function drawMark() {
    if (!scene.chosen) return;
    const [x, y] = toScreen(scene.chosen);
    context.beginPath();
    context.arc(x, y, radiusOf(scene.chosen) + 4, 0, Math.PI * 2);
    context.lineWidth = 2.5;
    context.strokeStyle = colours.get("--accent");
    context.stroke();
  }

  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(draw);
  };

  return {
    ask,
    resize() {
      measure();
      ask();
    },
    recolour() {
      colours = resolved(VARIABLES);
      ask();
    },
    regroup() {
      grouping = groups(scene.points, scene.colourBy);
      ordered = [...scene.points].sort((a, b) => b.importance - a.importance);
      font = getComputedStyle(document.body).fontFamily;
      ask();
      return grouping;
    },
    /** What is seen now, the most important first. */
    seen: () => shown.filter(({ x, y }) => x >= 0 && y >= 0 && x <= size.width && y <= size.height).map(({ point }) => point).sort((a, b) => b.importance - a.importance),
    near(x, y) {
      let best = null;
      let distance = Infinity;
      for (const one of shown) {
        const away = Math.hypot(one.x - x, one.y - y) - one.radius;
        if (away < distance) [best, distance] = [one.point, away];
      }
      return distance <= NEAR ? best : null;
    },
    /** The cluster whose disc is there; of several the smallest. */
    clusterAt(x, y) {
      const view = pan();
      const inside = scene.clusters.filter((cluster) => {
        const [cx, cy] = toScreen(cluster);
        const [wide, high] = [size.across, size.down].map((scale) => Math.max(10, cluster.radius * scale * view.k));
        return ((cx - x) / wide) ** 2 + ((cy - y) / high) ** 2 <= 1;
      });
      return inside.sort((a, b) => a.radius - b.radius)[0] ?? null;
    },
    place: (point) => toScreen(point),
    /** Where a cluster is at zoom 1, for going there. */
    spot: (cluster) => [(cluster.x - size.x) * size.across, (cluster.y - size.y) * size.down, cluster.radius * Math.max(size.across, size.down)],
  };
}
