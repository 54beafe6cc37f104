// The text form of a screen that models read: one header line, the rows, one end line. No imports: the CLI loads it.

interface TextScreen {
  readonly cols: number;
  readonly rows_count: number;
  readonly alt_screen: boolean;
  readonly cursor: { readonly row: number; readonly col: number };
  readonly seq: number;
  readonly hash: string;
  readonly echo: string;
  readonly hold: string;
  readonly rows: readonly string[];
  readonly scrollback: readonly string[];
  readonly unchanged?: boolean | undefined;
}

export function screenText(screen: TextScreen): string {
  const facts = [
    `Terminal Screen - ${screen.cols}x${screen.rows_count}`,
    `Alt Screen: ${screen.alt_screen ? "Yes" : "No"}`,
    `Cursor: (${screen.cursor.row}, ${screen.cursor.col})`,
    `Seq: ${screen.seq}`,
    `Hash: ${screen.hash}`,
    `Echo: ${screen.echo}`,
    `Hold: ${screen.hold}`,
  ];
  if (screen.unchanged) return `[${[...facts, "Unchanged"].join(" - ")}]`;
  const rows = [...screen.rows];
  while (rows.at(-1) === "") rows.pop();
  return [`[${facts.join(" - ")}]`, ...screen.scrollback, ...rows, "[End Terminal Screen]"].join("\n");
}
