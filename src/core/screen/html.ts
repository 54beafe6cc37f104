// Styled rows as HTML: spans with classes, inline style only for true colours. Text is always escaped. Pure.
import type { Run } from "../../protocol/ops/blocks.ts";
import { runText } from "../base/clean.ts";
import type { StyledRow } from "./engine.ts";

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

export function rowsHtml(rows: readonly StyledRow[]): string {
  return `<pre class="duetty">${rows.map(rowHtml).join("\n")}</pre>`;
}

export function rowHtml({ runs }: Pick<StyledRow, "runs">): string {
  return runs.map(runHtml).join("");
}

function runHtml(run: Run): string {
  const text = escapeHtml(runText(run));
  const { classes, style } = styleOf(run.sgr);
  const linked = run.link === undefined || !/^(https?|mailto):/i.test(run.link) ? text : anchor(run.link, text);
  if (classes.length === 0 && style === "") return linked;
  return `<span${attribute("class", classes.join(" "))}${attribute("style", style)}>${linked}</span>`;
}

function anchor(link: string, text: string): string {
  return `<a href="${escapeHtml(link)}" rel="noreferrer noopener">${text}</a>`;
}

/** The SGR parameters of one run, counted after a reset. */
function styleOf(sgr: string): { classes: string[]; style: string } {
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
  return { classes, style: styles.join(";") };
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

function attribute(name: string, value: string): string {
  return value === "" ? "" : ` ${name}="${value}"`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
