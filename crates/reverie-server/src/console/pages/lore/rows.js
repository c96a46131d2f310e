// The entries of a book as a list: in the author's order, which is changed by dragging, or with the keyboard on the handle.

import { h } from "../../dom.js";
import { icon } from "../../parts/icon.js";
import { guarded } from "../../parts/toast.js";
import { translated } from "../../parts/translated.js";
import { virtualList } from "../../parts/virtual.js";
import { number, t, term } from "../../words.js";
import { draftOf } from "./editor.js";
import { POSITIONS, titleOf } from "./fields.js";

const ROW = 62;

/** `choose(entry)`, `toggle(entry)`, and `move(id, place)` act; `fits()` is the filter at the moment, or null. */
export function entryList({ book, fits, choose, toggle, move, empty }) {
  let chosen = null;
  let grabbed = null;
  let dragged = null;
  const word = h("p", { class: "visually-hidden", role: "status", "aria-live": "assertive" });
  const mark = h("div", { class: "drop-mark", hidden: true });

  const list = virtualList({
    label: t("lore.entries"),
    rowHeight: ROW,
    load: (from) => book.load(from, fits() ?? undefined),
    total: () => (fits() ? undefined : book.about.entries),
    empty,
    row,
  });

  function row(entry, index) {
    const { fields } = entry;
    const keys = Array.isArray(fields.key) ? fields.key : [];
    const isOff = fields.disable === true;
    const isGrabbed = grabbed?.id === entry.id;
    const toggleButton = h("input", { type: "checkbox", role: "switch", checked: !isOff, "aria-label": t("lore.enabledOf", { entry: titleOf(entry) }), onchange: guarded(() => toggle(entry)) });
    return h("div", { class: ["entry-row", isOff && "off", chosen === entry.id && "chosen", isGrabbed && "grabbed"].filter(Boolean).join(" "), dataset: { id: entry.id } },
      h("button", { type: "button", class: "quiet icon-only grip", draggable: fits() ? "false" : "true", disabled: Boolean(fits()), title: fits() ? t("lore.gripFiltered") : t("lore.grip"),
        "aria-label": t("lore.gripOf", { entry: titleOf(entry), place: number(index + 1) }), "aria-pressed": isGrabbed ? "true" : "false",
        onkeydown: (event) => onKey(event, entry), onblur: () => { if (grabbed?.id === entry.id && !grabbed.isMoving) cancel(); },
        ondragstart: (event) => {
          dragged = entry.id;
          event.dataTransfer.effectAllowed = "move";
          event.dataTransfer.setData("text/plain", titleOf(entry));
          event.dataTransfer.setDragImage(event.target.closest(".entry-row"), 20, 20);
        },
        ondragend: () => { dragged = null; mark.hidden = true; } }, icon("grip")),
      toggleButton,
      h("button", { type: "button", class: "entry-name", "aria-current": chosen === entry.id ? "true" : null, onclick: () => choose(entry) },
        h("span", { class: "entry-title" }, draftOf(book.id, entry.id) && h("span", { class: "dot", title: t("lore.unsaved") }), titleOf(entry)),
        h("span", { class: "entry-keys" }, keys.slice(0, 6).map((key) => h("span", { class: "chip" }, key)), keys.length > 6 && h("span", { class: "chip" }, `+${keys.length - 6}`))),
      h("span", { class: "entry-marks" },
        entry.warnings.length > 0 && h("span", { class: "chip warn", title: entry.warnings.map((one) => translated(one) ?? one).join("\n") }, "!"),
        fields.constant === true && h("span", { class: "chip accent" }, t("lore.constant")),
        fields.vectorized === true && h("span", { class: "chip accent" }, t("lore.vectorized")),
        fields.position > 1 && h("span", { class: "chip place" }, term("lore.position", POSITIONS[fields.position] ?? fields.position)),
        fields.order !== undefined && h("span", { class: "faint small order", title: t("lorefield.order") }, String(fields.order))));
  }

  const items = () => list.items();
  const focusGrip = (id) => list.querySelector(`.entry-row[data-id="${CSS.escape(id)}"] .grip`)?.focus();

  function shift(to) {
    const from = items().findIndex((one) => one.id === grabbed.id);
    const [entry] = items().splice(from, 1);
    items().splice(to, 0, entry);
    grabbed.isMoving = true;
    const top = to * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    list.refresh();
    focusGrip(grabbed.id);
    grabbed.isMoving = false;
    word.textContent = t("lore.atPlace", { place: number(to + 1), all: number(book.about.entries) });
  }

  function cancel() {
    if (!grabbed) return;
    shift(grabbed.from);
    const { id } = grabbed;
    grabbed = null;
    list.refresh();
    focusGrip(id);
    word.textContent = t("lore.letGo");
  }

  function onKey(event, entry) {
    const now = items().findIndex((one) => one.id === entry.id);
    if (!grabbed) {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      grabbed = { id: entry.id, from: now, isMoving: true };
      list.refresh();
      focusGrip(entry.id);
      grabbed.isMoving = false;
      word.textContent = t("lore.grabbed", { entry: titleOf(entry) });
      return;
    }
    const last = items().length - 1;
    const to = { ArrowUp: now - 1, ArrowDown: now + 1, PageUp: now - 10, PageDown: now + 10, Home: 0, End: last }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      shift(Math.max(0, Math.min(last, to)));
    } else if (event.key === "Escape") {
      event.preventDefault();
      cancel();
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      const { id, from } = grabbed;
      grabbed = null;
      if (from !== now) drop(id, now);
      list.refresh();
      focusGrip(id);
    }
  }

  const drop = guarded(async (id, place) => {
    try {
      await move(id, place);
      word.textContent = t("lore.atPlace", { place: number(place + 1), all: number(book.about.entries) });
    } finally {
      await list.reload({ keepPlace: true });
      focusGrip(id);
    }
  });

  const placeUnder = (event) => {
    const box = list.getBoundingClientRect();
    return Math.max(0, Math.min(items().length, Math.round((event.clientY - box.top + list.scrollTop) / ROW)));
  };
  list.addEventListener("dragover", (event) => {
    if (dragged === null) return;
    event.preventDefault();
    mark.hidden = false;
    mark.style.top = `${placeUnder(event) * ROW - 1}px`;
    // Nearer to the edge than a row: the list moves along.
    const box = list.getBoundingClientRect();
    if (event.clientY < box.top + ROW) list.scrollTop -= 12;
    else if (event.clientY > box.bottom - ROW) list.scrollTop += 12;
  });
  list.addEventListener("drop", (event) => {
    if (dragged === null) return;
    event.preventDefault();
    const from = items().findIndex((one) => one.id === dragged);
    const gap = placeUnder(event);
    const to = gap > from ? gap - 1 : gap;
    const id = dragged;
    dragged = null;
    mark.hidden = true;
    if (to === from) return;
    const [entry] = items().splice(from, 1);
    items().splice(to, 0, entry);
    list.refresh();
    drop(id, to);
  });
  list.append(mark);

  /** Marks the one that is open, and shows it if asked to. */
  const mark1 = (id, { scroll } = {}) => {
    chosen = id;
    const index = items().findIndex((one) => one.id === id);
    if (scroll && index >= 0) list.scrollTop = Math.max(0, index * ROW - list.clientHeight / 2);
    list.refresh();
  };
  return { element: h("div", { class: "entry-list" }, word, list), list, choose: mark1 };
}
