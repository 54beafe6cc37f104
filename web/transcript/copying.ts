// Reads what is copied of a card in other forms than text, and what is drawn of it.
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { CopyForm } from "../reading/copies.ts";
import { type Body, readLines } from "./frozen.ts";
import { readText } from "./outputs.ts";

/** What was done, in words; it throws what went wrong. `body`: what the card shows, if it has it. */
export async function copyAs({ block_id, cmd }: Block, form: CopyForm, body: Body | undefined): Promise<string> {
  const { copyDrawn, copyMarkdown, SHEET_LINES_MAX } = await import("../reading/copies.ts");
  if (form === "markdown") {
    const { lines, total } = told(await readText(block_id));
    return copyMarkdown(cmd, total === 0 ? [] : lines, total);
  }
  const isScreen = body?.kind === "screen";
  const read = isScreen ? { lines: body.head, total: body.total } : await readLines(block_id, 0, SHEET_LINES_MAX - 1);
  const place = document.querySelector(".trans") ?? document.body;
  return copyDrawn({ cmd, ...told(read) }, form, place);
}

function told<T extends object>(read: T | string): T {
  if (typeof read === "string") throw new Error(read);
  return read;
}
