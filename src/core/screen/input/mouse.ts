// Mouse actions to the reports a terminal sends for them, by the tracking mode and format the program asked for.
// Owns: finding the cell, also by visible text. Refuses with a reason what the program would never receive.
import type { Mouse } from "../../../protocol/ops/drive.ts";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { never } from "../../base/never.ts";
import type { Size } from "../../pty/pty.ts";
import type { EngineModes } from "../engine.ts";
import { modifierNamed } from "./key-names.ts";
import { ALT, CTRL, SHIFT } from "./key-table.ts";
import { type MouseReport, writeReports } from "./mouse-format.ts";

interface Cell {
  readonly row: number;
  readonly col: number;
}

/**
 * `button` of a move: the button held during a drag, or none when absent. Otherwise the default is the left button. `at`: a
 * cell counted from 0, or the first cell of a text; `occurrence` counts from 1, row by row. `count`: notches of the wheel.
 */
export type MouseSpec = DeepReadonly<Mouse>;

export type MouseModes = Pick<EngineModes, "mouse" | "mouse_format">;

/** What the mouse points at. */
export interface MouseScreen {
  readonly size: Size;
  /** The visible rows as text. */
  readonly rows: readonly string[];
  /** The cell column where the character at this index of the row's text stands. */
  columnOf(row: string, index: number): number;
  /** The size of one cell that the terminal reported to the program, for reports in pixels. */
  readonly cell_px?: { readonly width: number; readonly height: number } | undefined;
}

/** A screenful or two. To go further, use keys or search. */
const SCROLL_COUNT_MAX = 100;
/** How many places of an ambiguous text we list. Nobody reads a longer list. */
const PLACES_SHOWN_MAX = 20;

const BUTTONS = { left: 0, middle: 1, right: 2 } as const;
const NO_BUTTON = 3;
const MOTION = 32;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;

export function encodeMouse(spec: MouseSpec, modes: MouseModes, screen: MouseScreen): Uint8Array | Fault {
  const refused = refusal(spec, modes.mouse);
  if (refused) return refused;
  const mods = modifierBits(spec.modifiers ?? []);
  if (isFault(mods)) return mods;
  const cell = cellOf(spec.at, screen);
  if (isFault(cell)) return cell;
  // X10 mode has neither modifiers nor releases.
  const reported = reports(spec).filter((report) => modes.mouse !== "x10" || report.kind === "press");
  const withMods = reported.map((report) => ({ ...report, code: report.code + (modes.mouse === "x10" ? 0 : mods) }));
  return writeReports(withMods, { ...cell, format: modes.mouse_format, cell_px: screen.cell_px });
}

function reports(spec: MouseSpec): MouseReport[] {
  const button = BUTTONS[spec.button ?? "left"];
  const press: MouseReport = { kind: "press", code: button };
  const release: MouseReport = { kind: "release", code: button };
  switch (spec.action) {
    case "click":
      return [press, release];
    case "double_click":
      return [press, release, press, release];
    case "press":
      return [press];
    case "release":
      return [release];
    case "move":
      return [{ kind: "motion", code: MOTION + (spec.button === undefined ? NO_BUTTON : button) }];
    case "scroll_up":
    case "scroll_down": {
      const code = spec.action === "scroll_up" ? WHEEL_UP : WHEEL_DOWN;
      return Array.from({ length: spec.count ?? 1 }, () => ({ kind: "press", code }));
    }
    default:
      return never(spec.action);
  }
}

/** Why the program would not receive this, or why it makes no sense. */
function refusal(spec: MouseSpec, mode: MouseModes["mouse"]): Fault | undefined {
  const { action, count } = spec;
  const isScroll = action === "scroll_up" || action === "scroll_down";
  if (mode === "none") return invalid("the program does not take the mouse", "Use keys.");
  if (count !== undefined && !isScroll) return invalid("count is for scrolling", "Send one click at a time.");
  if (count !== undefined && !(Number.isInteger(count) && count >= 1 && count <= SCROLL_COUNT_MAX)) {
    return invalid(`count is ${count}`, `Give a whole number from 1 to ${SCROLL_COUNT_MAX}.`);
  }
  if (mode === "x10" && (isScroll || action === "release" || action === "move")) {
    return invalid(`the program takes presses of buttons only, not ${action}`, "Use click or keys.");
  }
  if (action !== "move" || mode === "any") return undefined;
  if (mode === "normal") return invalid("the program does not follow the mouse as it moves", "Use press and release.");
  if (spec.button !== undefined) return undefined;
  return invalid("the program follows the mouse only while a button is held", "Give the button that is held.");
}

function modifierBits(names: readonly string[]): number | Fault {
  let bits = 0;
  for (const name of names) {
    const mod = modifierNamed(name);
    if (mod === SHIFT) bits |= 4;
    else if (mod === ALT) bits |= 8;
    else if (mod === CTRL) bits |= 16;
    else return invalid(`the mouse has no modifier ${JSON.stringify(name)}`, "Use Shift, Alt or Ctrl.");
  }
  return bits;
}

function cellOf(at: MouseSpec["at"], screen: MouseScreen): Cell | Fault {
  const { cols, rows } = screen.size;
  const cell = "text" in at ? cellOfText(at.text, at.occurrence, screen) : at;
  if (isFault(cell)) return cell;
  const isInside = (value: number, end: number) => Number.isInteger(value) && value >= 0 && value < end;
  if (isInside(cell.row, rows) && isInside(cell.col, cols)) return { row: cell.row, col: cell.col };
  return invalid(
    `row ${cell.row}, column ${cell.col} is outside the screen`,
    `Rows are 0 to ${rows - 1}, columns 0 to ${cols - 1}.`,
  );
}

function cellOfText(text: string, occurrence: number | undefined, screen: MouseScreen): Cell | Fault {
  if (text === "") return invalid("no text to point at", "Give the visible text or a cell.");
  const places = placesOf(text, screen);
  const quoted = JSON.stringify(text);
  if (places.length === 0) {
    return invalid(`${quoted} is not on the screen`, "Look at the screen again; a text must stand within one row.");
  }
  const list = places.map(({ row, col }) => `row ${row}, col ${col}`);
  const more = list.length > PLACES_SHOWN_MAX ? `; and ${list.length - PLACES_SHOWN_MAX} more` : "";
  const found = `${quoted} is on the screen ${places.length} times: ${list.slice(0, PLACES_SHOWN_MAX).join("; ")}${more}`;
  const hint = `Give one of these cells: click "ROW,COL", or mouse with occurrence from 1 to ${places.length}.`;
  if (occurrence === undefined && places.length > 1) return invalid(found, hint);
  return places[(occurrence ?? 1) - 1] ?? invalid(`there is no occurrence ${occurrence}: ${found}`, hint);
}

function placesOf(text: string, screen: MouseScreen): Cell[] {
  return screen.rows.flatMap((line, row) => {
    const places: Cell[] = [];
    for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + text.length)) {
      places.push({ row, col: screen.columnOf(line, at) });
    }
    return places;
  });
}

function invalid(message: string, hint: string): Fault {
  return fault("input.invalid", message, hint);
}
