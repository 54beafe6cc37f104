// The CLI's table of verbs, made from the operations at build time (scripts/verbs.mjs) so that no schema library is
// loaded at start: it alone would nearly double the time of `duetty see`.
import fs from "node:fs";

export interface Flag {
  readonly field: string;
  readonly type: "string" | "number" | "decimal" | "boolean" | "strings" | "pairs";
  readonly help: string;
  /** The flag alone stands for this value of the field. */
  readonly value?: string;
}

export interface Verb {
  readonly verb: string;
  readonly op: string;
  readonly summary: string;
  readonly args: readonly string[];
  readonly required: readonly string[];
  readonly rest?: string;
  /** What it answers is a file: -o NAME writes it there. */
  readonly answer?: "file";
  readonly conditions?: { readonly field: string; readonly prefix: string };
  readonly flags: Readonly<Record<string, Flag>>;
  readonly examples: readonly string[];
}

export function loadVerbs(): Verb[] {
  return JSON.parse(fs.readFileSync(new URL("./verbs.json", import.meta.url), "utf8"));
}
