// Parses the flags and arguments of a verb that runs on the caller's side, by its entry in the table. Pure.
import { parseArgs } from "node:util";
import { LOCAL_VERBS, type LocalVerbName } from "../protocol/plain/local-verbs.ts";
import { UsageError, usageError, withNegatives } from "./args.ts";

type Flags<N extends LocalVerbName> = (typeof LOCAL_VERBS)[N]["flags"];

interface ParsedLocal<N extends LocalVerbName> {
  readonly values: {
    readonly [F in keyof Flags<N>]?: Flags<N>[F] extends { readonly type: "string" } ? string : boolean;
  };
  readonly positionals: readonly string[];
}

export function parseLocal<const N extends LocalVerbName>(name: N, words: readonly string[]): ParsedLocal<N> {
  const { flags, args } = LOCAL_VERBS[name];
  const parsed = parse(name, { args: withNegatives(words, flags), options: flags, allowPositionals: true });
  const isOpen = args.some((arg: string) => arg.includes("…"));
  const extra = isOpen ? undefined : parsed.positionals[args.length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many (duetty ${name} --help)`);
  return parsed as ParsedLocal<N>;
}

function parse(name: string, config: Parameters<typeof parseArgs>[0]): { values: object; positionals: string[] } {
  try {
    return parseArgs(config);
  } catch (error) {
    throw usageError(error, name);
  }
}
