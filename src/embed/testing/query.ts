// What a locator looks for, as data: steps that are taken anew at every look. Pure.
import { columnOf } from "../../core/base/cell-width.ts";
import { type Picture, type Rect, textIn } from "./picture.ts";
import { type Found, type Role, zonesOf } from "./roles.ts";

export interface TextOptions {
  /** The text stands alone: around it are the row's ends, two blanks or the lines of a box. */
  readonly exact?: boolean | undefined;
}

export interface RoleOptions {
  /** Only those with this text, or, for boxes, with this title or text. */
  readonly name?: string | RegExp | undefined;
}

export type Step =
  | { readonly by: "text"; readonly wanted: string | RegExp; readonly exact: boolean }
  | { readonly by: "role"; readonly role: Role; readonly name: string | RegExp | undefined }
  | { readonly by: "index"; readonly index: number };

/** All that the steps lead to, from the top, then from the left. */
export function resolve(picture: Picture, steps: readonly Step[]): Found[] {
  let found: Found[] | undefined;
  for (const step of steps) {
    if (step.by === "index") found = (found ?? []).slice(step.index).slice(0, 1);
    else if (found === undefined) found = among(picture, step, undefined);
    else found = found.flatMap(({ rect }) => (rect ? among(picture, step, rect) : []));
  }
  return found ?? [];
}

function among(picture: Picture, step: Exclude<Step, { by: "index" }>, within: Rect | undefined): Found[] {
  if (step.by === "text") return textsIn(picture, step, within);
  const { name } = step;
  return zonesOf(picture, step.role).filter(
    (zone) =>
      (within === undefined || isInside(zone.rect, within)) &&
      (name === undefined || includes(zone.name ?? "", name) || includes(zone.text, name)),
  );
}

function textsIn(picture: Picture, { wanted, exact }: Extract<Step, { by: "text" }>, within: Rect | undefined) {
  const { row, col, width, height } = within ?? { row: 0, col: 0, width: picture.cols, height: picture.rows };
  return picture.lines.slice(row, row + height).flatMap((whole, i) => {
    const line = textIn(whole, col, col + width);
    return placesIn(line, wanted)
      .filter(({ at, text }) => !exact || standsAlone(line, at, text.length))
      .map(({ at, text }): Found => {
        const [from, to] = [columnOf(line, at), columnOf(line, at + text.length)];
        return { text, rect: { row: row + i, col: col + from, width: to - from, height: 1 } };
      });
  });
}

export function placesIn(line: string, wanted: string | RegExp): { at: number; text: string }[] {
  const pattern =
    typeof wanted === "string" ? new RegExp(escaped(wanted), "gu") : new RegExp(wanted.source, withAll(wanted.flags));
  return [...line.matchAll(pattern)].filter(([text]) => text !== "").map(({ index, 0: text }) => ({ at: index, text }));
}

/** Sticky would find only what stands first. */
function withAll(flags: string): string {
  return `${flags.replace(/[gy]/g, "")}g`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

const ENDS_BEFORE = /(?:^|\s{2}|^\s|[│┃║|█]\s?)$/;
const BEGINS_AFTER = /^(?:$|\s{2}|\s$|\s?[│┃║|█])/;

function standsAlone(line: string, at: number, length: number): boolean {
  return ENDS_BEFORE.test(line.slice(0, at)) && BEGINS_AFTER.test(line.slice(at + length));
}

export function includes(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text.includes(wanted) : placesIn(text, wanted).length > 0;
}

function isInside(rect: Rect | undefined, { row, col, width, height }: Rect): boolean {
  if (!rect) return false;
  const fits = rect.col >= col && rect.col + rect.width <= col + width;
  return fits && rect.row >= row && rect.row + rect.height <= row + height;
}

/** As it was written in the test. */
export function stepsText(steps: readonly Step[]): string {
  return steps.map(stepText).join(".");
}

function stepText(step: Step): string {
  if (step.by === "index") return step.index === 0 ? "first()" : step.index === -1 ? "last()" : `nth(${step.index})`;
  if (step.by === "text") return `getByText(${wantedText(step.wanted)}${step.exact ? ", { exact: true }" : ""})`;
  const name = step.name === undefined ? "" : `, { name: ${wantedText(step.name)} }`;
  return `getByRole("${step.role}"${name})`;
}

export function wantedText(wanted: string | RegExp): string {
  return typeof wanted === "string" ? JSON.stringify(wanted) : String(wanted);
}
