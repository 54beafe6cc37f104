// The CLI's table of verbs, made from the operations at build time (scripts/verbs.mjs) so that no schema library is
// loaded at start: it alone would nearly double the time of `duetty see`.
import fs from "node:fs";
import { packageFile } from "../package.ts";
import type { CliForm } from "../protocol/op.ts";
import type { OpName } from "../protocol/ops.ts";

export interface Flag {
  readonly field: string;
  readonly type: "string" | "number" | "decimal" | "boolean" | "strings" | "pairs";
  readonly help: string;
  /** What help calls the value; missing where there is none. */
  readonly shown?: string;
  /** A switch that is on unless `--no-NAME` is given. */
  readonly on?: true;
  /** The flag alone stands for this value of the field. */
  readonly value?: string;
  /** It fills a part of this input field. */
  readonly within?: string;
  /** Alone it means true, with `no-` before it false. */
  readonly bare?: true;
}

/** The CLI form of an operation, with its flags. What only the build needs is left out. */
export interface Verb extends Omit<CliForm, "choice" | "hide" | "parts"> {
  readonly op: OpName;
  readonly summary: string;
  readonly required: readonly string[];
  readonly flags: Readonly<Record<string, Flag>>;
}

export function loadVerbs(): Verb[] {
  return JSON.parse(fs.readFileSync(packageFile("dist/cli/verbs.json"), "utf8"));
}
