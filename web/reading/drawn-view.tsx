// An output drawn as JSON, a table or a diff, in its card. The text is one click away. What is too large, or turns out to be
// nothing of the kind, is said, and the text is there.
import { createResource, type JSX, Show } from "solid-js";
import { readDiff } from "../text/diff.ts";
import { grouped } from "../text/numbers.ts";
import { DiffView } from "./diff-view.tsx";
import { readJson } from "./json.ts";
import { JsonView } from "./json-view.tsx";
import { DRAWN_KINDS, type DrawnKind } from "./kinds.ts";
import { readTable } from "./table.ts";
import { TableView } from "./table-view.tsx";

/** More is read slowly and looked at by nobody. */
const CHARS_MAX = 2_000_000;

interface DrawnProps {
  readonly kind: DrawnKind;
  /** The whole text. A string says what went wrong. */
  read(): Promise<{ readonly lines: readonly string[]; readonly total: number } | string>;
  onText(): void;
}

type Drawing = { readonly what: string; readonly view: () => JSX.Element } | { readonly wrong: string };

export function DrawnOutput(props: DrawnProps) {
  const [drawing] = createResource(
    () => props.kind,
    async (kind) => drawingOf(kind, await props.read()),
  );
  return (
    <div class="drawn" data-drawn={props.kind}>
      <p class="fold">
        <span role="status">
          <Show when={drawing()} fallback="Reading…">
            {(now) => said(now())}
          </Show>
        </span>
        <button type="button" onClick={() => props.onText()}>
          show as text
        </button>
      </p>
      <Show when={drawn(drawing())} keyed>
        {(view) => view()}
      </Show>
    </div>
  );
}

function said(drawing: Drawing): string {
  return "wrong" in drawing ? drawing.wrong : drawing.what;
}

function drawn(drawing: Drawing | undefined): (() => JSX.Element) | undefined {
  return drawing && "view" in drawing ? drawing.view : undefined;
}

function drawingOf(kind: DrawnKind, read: Awaited<ReturnType<DrawnProps["read"]>>): Drawing {
  if (typeof read === "string") return { wrong: read };
  const text = read.lines.join("\n");
  if (read.total > read.lines.length || text.length > CHARS_MAX)
    return { wrong: `Too large to draw: ${grouped(read.total)} lines.` };
  const none = { wrong: `This is no ${DRAWN_KINDS[kind]} that we can read.` };
  if (kind === "json") {
    const json = readJson(text);
    if (!json) return none;
    const more = json.more > 0 ? `, ${grouped(json.more)} more are left out` : "";
    const what = json.values.length === 1 ? "JSON" : `${grouped(json.values.length)} JSON values${more}`;
    return { what, view: () => <JsonView values={json.values} /> };
  }
  if (kind === "table") {
    const table = readTable(text);
    if (!table) return none;
    const cut = table.total > table.rows.length ? `the first ${grouped(table.rows.length)} of ` : "";
    const what = `Table: ${cut}${grouped(table.total)} row${table.total === 1 ? "" : "s"}`;
    return { what, view: () => <TableView table={table} /> };
  }
  const files = readDiff(text).filter(({ hunks }) => hunks.length > 0);
  if (files.length === 0) return none;
  const what = `Diff of ${grouped(files.length)} file${files.length === 1 ? "" : "s"}`;
  return { what, view: () => <DiffView files={files} /> };
}
