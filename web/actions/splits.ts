// Sessions side by side, by name and by key.
import type { ActionsPage } from "../app/page-state.ts";
import { splitOff } from "../splits/splitting.ts";
import type { Side } from "../splits/tree.ts";
import type { Action } from "./actions.ts";

const ARROWS: readonly (readonly [Side, string, string])[] = [
  ["left", "ArrowLeft", "on the left"],
  ["right", "ArrowRight", "on the right"],
  ["up", "ArrowUp", "above"],
  ["down", "ArrowDown", "below"],
];

export function splitActions(page: ActionsPage): Action[] {
  const { layout } = page;
  const isThere = () => page.shown() !== undefined;
  const isMany = () => isThere() && layout.leaves().length > 1;
  const words = "split pane tile side by side";
  const add = (side: Side, title: string, code: string): Action => ({
    id: `split.${side}`,
    title,
    group: "View",
    words,
    keys: [{ code, alt: true, shift: true }],
    when: isThere,
    run: () => void splitOff(page, side),
  });
  const change = (id: string, title: string, code: string, run: () => void): Action => ({
    id: `split.${id}`,
    title,
    group: "View",
    words,
    keys: [{ code, alt: true, shift: true }],
    when: isMany,
    run() {
      run();
      page.focus();
    },
  });
  return [
    add("right", "Split right", "Equal"),
    add("down", "Split down", "Minus"),
    change("close", "Close this half; the session goes on", "KeyW", () => layout.close(page.info()?.session_id ?? "")),
    change("zoom", layout.isZoomed() ? "Show all halves" : "Zoom this half", "KeyZ", () => layout.zoom()),
    change("swap", "Swap with the next half", "KeyX", () => layout.swap()),
    ...ARROWS.map(([side, code, where]) =>
      change(`go.${side}`, `Go to the half ${where}`, code, () => layout.go(side)),
    ),
    ...pushes(page, isMany),
    {
      id: "split.broadcast",
      title: "Run one line in several sessions…",
      group: "Session",
      words: "broadcast all",
      keys: [{ code: "KeyB", alt: true, shift: true }],
      when: () => page.sessions.running().length > 0,
      run: () => page.setOverlay("broadcast"),
    },
  ];
}

function pushes({ layout }: ActionsPage, when: () => boolean): Action[] {
  return ARROWS.map(([side, code]) => ({
    id: `split.push.${side}`,
    title: `Move the divider ${side}`,
    group: "View" as const,
    words: "resize half wider narrower taller",
    keys: [{ code, ctrl: true as const, alt: true as const, shift: true as const }],
    when,
    run: () => layout.push(side),
  }));
}
