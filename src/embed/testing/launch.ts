// Starts programs for tests, in terminals of the test process or in those that a test gives.
import type { Client } from "../../client/client.ts";
import { sharedTerminals } from "./shared.ts";
import { failed } from "./subject.ts";
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
  /** Whose terminals these are: what openTerminals or connect gave. Default: those that all tests of this process share. */
  readonly terminals?: Client | undefined;
}

/** A shell that reads nobody's dotfiles, so that it is the same everywhere. */
const PLAIN_SHELL = ["bash", "--norc", "--noprofile", "-i"];

/** What a runner tells its own processes. A program that is tested is none of them. */
const NOT_INHERITED = { NODE_TEST_CONTEXT: null };

/** Starts a program in a terminal of its own. */
export async function launch(command: readonly string[], options: LaunchOptions = {}): Promise<Term> {
  if (!Array.isArray(command)) throw new TypeError('launch wants a list: ["vim", "notes.txt"]');
  const { cols = 80, rows = 24, cwd = process.cwd(), terminals, timeout, screens, trace, traces } = options;
  const client = terminals ?? (await sharedTerminals.take());
  const closed = async () => {
    if (!terminals) await sharedTerminals.leave();
  };
  try {
    const env = { ...NOT_INHERITED, ...options.env };
    const info = await client.pty_open({ command: [...command], cols, rows, cwd, env });
    return new Term({ client, info, timeout, screens, trace, traces, closed });
  } catch (error) {
    await closed();
    throw error;
  }
}

/** Starts a shell that marks its commands, and waits for its prompt: `run` works in it. */
export async function shell(options: LaunchOptions = {}): Promise<Term> {
  const term = await launch(PLAIN_SHELL, { ...options, env: { PS1: "$ ", ...options.env } });
  const { held, picture } = await term.until(({ zones }) => zones.some(({ zone }) => zone === "prompt"), term.timeout);
  if (held) return term;
  const problem = `it has no prompt after ${term.timeout} ms`;
  const text = await failed(term, { call: "shell()", problem, facts: [], picture });
  await term.close();
  throw new Error(text);
}
