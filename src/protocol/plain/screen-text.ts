// The text form of a screen that models read: one header line, the rows, one end line. No imports: the CLI loads it.

interface TextScreen {
  readonly cols: number;
  readonly rows_count: number;
  readonly alt_screen: boolean;
  readonly cursor: { readonly row: number; readonly col: number; readonly visible: boolean };
  readonly seq: number;
  readonly hash: string;
  readonly echo: string;
  readonly hold: string;
  readonly rows: readonly string[];
  readonly scrollback: readonly string[];
  readonly selected?: readonly Selected[] | undefined;
  readonly unchanged?: boolean | undefined;
  readonly behind_bytes?: number | undefined;
}

interface Selected {
  readonly row: number;
  readonly text: string;
  readonly by: string;
}

/** Enough of a row to know it again. */
const SELECTED_CHARS_MAX = 60;

/** `fence`: what a reader who must not be fooled has around the terminal's own text. */
export function screenText(screen: TextScreen, fence = (text: string) => text): string {
  const facts = [
    `Terminal Screen - ${screen.cols}x${screen.rows_count}`,
    `Alt Screen: ${screen.alt_screen ? "Yes" : "No"}`,
    `Cursor: (${screen.cursor.row}, ${screen.cursor.col})${screen.cursor.visible ? "" : " hidden"}`,
    `Seq: ${screen.seq}`,
    `Hash: ${screen.hash}`,
    `Echo: ${screen.echo}`,
    `Hold: ${screen.hold}`,
    ...(screen.behind_bytes === undefined ? [] : [`Behind: ${screen.behind_bytes} bytes`]),
  ];
  if (screen.unchanged) return `[${[...facts, "Unchanged"].join(" - ")}]`;
  const rows = [...screen.rows];
  while (rows.at(-1) === "") rows.pop();
  const selected = (screen.selected ?? []).map(selectedLine);
  const shown = [...screen.scrollback, ...rows, ...selected];
  const body = shown.length === 0 ? [] : [fence(shown.join("\n"))];
  return [`[${facts.join(" - ")}]`, ...body, "[End Terminal Screen]"].join("\n");
}

function selectedLine({ row, text, by }: Selected): string {
  const shown = text.length > SELECTED_CHARS_MAX ? `${text.slice(0, SELECTED_CHARS_MAX - 1)}…` : text;
  return `[Selected: row ${row} (${by}): ${shown}]`;
}
