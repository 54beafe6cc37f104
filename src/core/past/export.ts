// A session as a file: a recording, text or a page. It comes in parts, each with a bounded amount of work; one after
// the other, they make the file. The same journal always gives the same file.
import type { ExportFormat } from "../../protocol/ops/time.ts";
import { lineText } from "../base/clean.ts";
import { type Fault, fault } from "../base/fault.ts";
import type { Meta } from "../journal/store.ts";
import type { Timeline } from "../journal/timeline.ts";
import type { Redactor } from "../redact/redactor.ts";
import { hiddenLines } from "../screen/hidden.ts";
import { rowHtml } from "../screen/html.ts";
import { type CastRange, castEvents, castHeader, wholeCharsBefore } from "./asciicast.ts";
import { HTML_TAIL, htmlHead } from "./html-page.ts";
import { type Line, scrollLines } from "./lines.ts";
import { engineAt, type PastParts } from "./past.ts";
import type { SearchPieces } from "./search-pieces.ts";

/** Output in one part. A recording takes some milliseconds for it, text a tenth of a second in short turns. */
const PART_BYTES = 1 << 20;

interface ExportSpec {
  readonly format: ExportFormat;
  readonly from: number;
  readonly to: number;
  /** The `next` of the part before. */
  readonly after?: string | undefined;
  /** What an agent looks through. */
  readonly eyes?: Redactor | undefined;
}

interface ExportPart {
  readonly media_type: string;
  readonly content: string;
  /** Null after the last part. */
  readonly next: string | null;
}

const MEDIA: Readonly<Record<ExportFormat, string>> = {
  cast: "application/x-asciicast",
  text: "text/plain; charset=utf-8",
  html: "text/html; charset=utf-8",
};

export interface ExportParts extends PastParts {
  readonly meta: Meta;
  readonly title: string;
  readonly pieces: SearchPieces;
}

export async function exportPart(
  parts: ExportParts,
  timeline: Timeline,
  spec: ExportSpec,
): Promise<ExportPart | Fault> {
  const token = spec.after === undefined ? { start: spec.from, skip: 0 } : readToken(spec.after);
  if (!token || token.start < spec.from || token.start > spec.to || spec.from > spec.to)
    return fault("input.invalid", "there is no such part", "Leave out `after` to begin, and keep `from` and `to`.");
  const whole = token.start + PART_BYTES >= spec.to;
  const end = whole ? spec.to : wholeCharsBefore(parts.files, token.start + PART_BYTES);
  const range = { ...token, end, last: whole };
  const media_type = MEDIA[spec.format];
  if (spec.format === "cast") {
    const content = await cast(parts, timeline, spec, range);
    return { media_type, content, next: whole ? null : String(end) };
  }
  const lines: Line[] = [];
  const { skip } = await scrollLines(parts, range, (line) => void lines.push(line));
  const shown = spec.eyes ? hiddenLines(lines, parts.size.cols, spec.eyes) : lines;
  const isHtml = spec.format === "html";
  const title = spec.eyes?.text(parts.title) ?? parts.title;
  const head = isHtml && range.start === spec.from && spec.after === undefined ? htmlHead(title) : "";
  const content = head + shown.map(isHtml ? htmlLine : textLine).join("") + (isHtml && whole ? HTML_TAIL : "");
  return { media_type, content, next: whole ? null : `${end}:${skip}` };
}

async function cast(
  parts: ExportParts,
  timeline: Timeline,
  { from, eyes }: Pick<ExportSpec, "from" | "eyes">,
  { start, end, last }: { start: number; end: number; last: boolean },
): Promise<string> {
  const first =
    from > 0 && start === from ? await pictureAt(parts, from) : { size: parts.size, paint: new Uint8Array(0) };
  const told = (text: string) => eyes?.text(text) ?? text;
  const texts = { command: told(parts.meta.command.join(" ")), title: told(parts.title) };
  const range: CastRange = { from, first, start, end, last };
  const header = start === from ? castHeader(range, timeline, texts) : "";
  return header + castEvents(parts.files, range, timeline, eyes);
}

async function pictureAt(parts: PastParts, cursor: number) {
  const engine = await engineAt(parts, { cursor });
  try {
    return { size: engine.size(), paint: engine.repaint({ scrollback: 0, reset: "soft" }) };
  } finally {
    engine.dispose();
  }
}

function textLine(line: Line): string {
  return `${lineText(line)}\n`;
}

function htmlLine(runs: Line): string {
  return `${rowHtml({ runs })}\n`;
}

function readToken(text: string): { start: number; skip: number } | undefined {
  const found = /^(\d{1,16})(?::(\d{1,9}))?$/.exec(text);
  return found ? { start: Number(found[1]), skip: Number(found[2] ?? 0) } : undefined;
}
