// Starts programs for tests, in the terminals that a test gives.
import type { Client } from "../../client/client.ts";
import { Term } from "./term.ts";
import type { TraceOptions } from "./trace.ts";

export interface LaunchOptions extends TraceOptions {
  /** Default: 80. */
  readonly cols?: number | undefined;
  /** Default: 24. */
  readonly rows?: number | undefined;
  /** Default: the working directory. */
  readonly cwd?: string | undefined;
  /** Variables to set; null removes one. */
  readonly env?: Readonly<Record<string, string | null>> | undefined;
  /** How long expectations wait, in milliseconds. Default: 5000. */
  readonly timeout?: number | undefined;
  /** Where golden screens are kept; default: __screens__ beside the test. */
  readonly screens?: string | undefined;
  /** Whose terminals these are. */
  readonly terminals: Client;
}

/** A shell that reads nobody's dotfiles, so that it is the same everywhere. */
const PLAIN_SHELL = ["bash", "--norc", "--noprofile", "-i"];

/** Starts a program in a terminal of its own. */
export async function launch(command: readonly string[], options: LaunchOptions): Promise<Term> {
  const { cols = 80, rows = 24, cwd = process.cwd(), env = {}, terminals: client, ...rest } = options;
  const info = await client.pty_open({ command: [...command], cols, rows, cwd, env });
  const { timeout, screens, trace, traces } = rest;
  return new Term({ client, info, timeout, screens, trace, traces, closed: async () => undefined });
}

/** Starts a shell that marks its commands, and waits for its prompt: `run` works in it. */
export async function shell(options: LaunchOptions): Promise<Term> {
  const term = await launch(PLAIN_SHELL, { ...options, env: { PS1: "$ ", ...options.env } });
  await term.until(({ zones }) => zones.some(({ zone }) => zone === "prompt"), term.timeout);
  return term;
}
