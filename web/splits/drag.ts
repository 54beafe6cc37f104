// A session that is dragged by its head, or from the list, onto a half: to an edge of it, or into its middle. Owns: the drag and the
// sign that shows where it would go. Escape gives it up.
import type { Layout } from "./layout.ts";
import type { Side } from "./tree.ts";

/** A hand that clicks shakes less. */
const SHAKE_PX = 6;
/** How much of a half counts as its edge. */
const EDGE = 0.28;

interface Target {
  readonly id: string;
  readonly where: Side | "centre";
  readonly box: DOMRect;
}

/** To be called when the pointer goes down. A finger scrolls instead. */
export function dragSession(down: PointerEvent, id: string, layout: Layout, onDropped: () => void): void {
  if (down.button !== 0 || down.pointerType === "touch" || layout.isOne()) return;
  let sign: HTMLElement | undefined;
  let target: Target | undefined;
  const over = new AbortController();
  const { signal } = over;
  const end = () => {
    over.abort();
    sign?.remove();
    delete document.body.dataset.dragging;
  };
  const move = (event: PointerEvent) => {
    if (!sign && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < SHAKE_PX) return;
    sign ??= createSign();
    target = targetAt(event.clientX, event.clientY, id);
    show(sign, target);
  };
  const up = () => {
    const isDrag = sign !== undefined;
    end();
    if (isDrag) ignoreClick();
    if (!target) return;
    layout.drop(id, target.id, target.where);
    onDropped();
  };
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", up, { signal });
  window.addEventListener("pointercancel", end, { signal });
  window.addEventListener("blur", end, { signal });
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !sign) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  window.addEventListener("keydown", key, { signal, capture: true });
}

/** The click that ends a drag. It comes at once or not at all. */
function ignoreClick(): void {
  const over = new AbortController();
  window.addEventListener("click", (event) => event.stopPropagation(), { capture: true, signal: over.signal });
  setTimeout(() => over.abort());
}

function createSign(): HTMLElement {
  const sign = document.createElement("div");
  sign.className = "drop";
  document.body.append(sign);
  document.body.dataset.dragging = "true";
  return sign;
}

function targetAt(x: number, y: number, dragged: string): Target | undefined {
  const half = document.elementFromPoint(x, y)?.closest<HTMLElement>(".half");
  const id = half?.dataset.session;
  if (!half || id === undefined || id === dragged) return undefined;
  const box = half.getBoundingClientRect();
  const [right, down] = [(x - box.left) / box.width, (y - box.top) / box.height];
  const edges: readonly (readonly [Side, number])[] = [
    ["left", right],
    ["right", 1 - right],
    ["up", down],
    ["down", 1 - down],
  ];
  const [side, distance] = edges.reduce((best, one) => (one[1] < best[1] ? one : best));
  return { id, box, where: distance < EDGE ? side : "centre" };
}

function show(sign: HTMLElement, target: Target | undefined): void {
  sign.hidden = target === undefined;
  if (!target) return;
  const { where, box } = target;
  const [w, h] = [box.width / 2, box.height / 2];
  const place = {
    centre: [box.left, box.top, box.width, box.height],
    left: [box.left, box.top, w, box.height],
    right: [box.left + w, box.top, w, box.height],
    up: [box.left, box.top, box.width, h],
    down: [box.left, box.top + h, box.width, h],
  }[where];
  const [left = 0, top = 0, width = 0, height = 0] = place;
  Object.assign(sign.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}
