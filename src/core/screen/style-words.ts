// The style of a run in words: the classes and inline style of HTML, and what makes text stand out. Pure.

interface Style {
  readonly classes: readonly string[];
  readonly style: string;
  /** Its background; empty for the terminal's own. */
  readonly back: string;
  readonly reverse: boolean;
}

const FLAGS: Readonly<Record<string, string>> = {
  "1": "bold",
  "2": "faint",
  "3": "italic",
  "4": "underline",
  "4:2": "underline-double",
  "4:3": "underline-curly",
  "4:4": "underline-dotted",
  "4:5": "underline-dashed",
  "5": "blink",
  "7": "inverse",
  "8": "conceal",
  "9": "strike",
  "53": "overline",
};

/** The SGR parameters of one run, counted after a reset. */
export function styleOf(sgr: string): Style {
  const parts = sgr === "" ? [] : sgr.split(";");
  const classes: string[] = [];
  const styles: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? "";
    const code = Number(part);
    if (FLAGS[part]) classes.push(FLAGS[part]);
    else if (code === 38 || code === 48) i = extended(parts, i, code === 38 ? "fg" : "bg", classes, styles);
    else if (code >= 30 && code <= 37) classes.push(`fg-${code - 30}`);
    else if (code >= 40 && code <= 47) classes.push(`bg-${code - 40}`);
    else if (code >= 90 && code <= 97) classes.push(`fg-${code - 82}`);
    else if (code >= 100 && code <= 107) classes.push(`bg-${code - 92}`);
  }
  const own = styles.find((one) => one.startsWith("background"));
  const back = own ?? classes.find((name) => name.startsWith("bg-")) ?? "";
  return { classes, style: styles.join(";"), back, reverse: classes.includes("inverse") };
}

/** 38;5;n or 38;2;r;g;b; returns the index of its last parameter. */
function extended(
  parts: readonly string[],
  at: number,
  what: "fg" | "bg",
  classes: string[],
  styles: string[],
): number {
  if (parts[at + 1] === "5") {
    classes.push(`${what}-${Number(parts[at + 2])}`);
    return at + 2;
  }
  const rgb = parts
    .slice(at + 2, at + 5)
    .map(Number)
    .join(",");
  styles.push(`${what === "fg" ? "color" : "background-color"}:rgb(${rgb})`);
  return at + 4;
}

/** One line for readers without colours: "reverse fg-2", or "" for plain text. */
export function styleText(sgr: string): string {
  const { classes, style } = styleOf(sgr);
  const words = classes.map((name) => (name === "inverse" ? "reverse" : name));
  return [...words, ...(style === "" ? [] : [style])].join(" ");
}
