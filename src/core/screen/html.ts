// Styled rows as HTML: spans with classes, inline style only for true colours. Text is always escaped. Pure.
import type { Run } from "../../protocol/ops/blocks.ts";
import { runText } from "../base/clean.ts";
import type { StyledRow } from "./engine.ts";
import { styleOf } from "./style-words.ts";

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

function attribute(name: string, value: string): string {
  return value === "" ? "" : ` ${name}="${value}"`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
