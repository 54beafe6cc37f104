// What an agent may start outside of any session: programs, variables, commands beside the terminal. A plain shell has its own
// gate and needs none here. People start what they like.
import type { Cancelled } from "../../core/base/cancellation.ts";
import { type Fault, isFault } from "../../core/base/fault.ts";
import type { BoxSummary } from "../../core/box/plan.ts";
import { actorName } from "../../core/gate/actor.ts";
import type { AdmittedStart, Given, NoSessionGate } from "../../core/gate/no-session.ts";
import type { Intent } from "../../core/gate/settle.ts";
import { shellLine } from "../../core/run/tests/shell-words.ts";
import type { Input } from "../../protocol/ops.ts";
import type { Caller } from "../auth.ts";

/** From an agent's environment we keep only these: locale, time zone, colours. Others could start another program. */
const THEIRS = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM)$/;
/** How long an agent waits for a person's answer to what it wants to open. */
const OPEN_APPROVAL_MS = 30_000;
const SHELL = /^(?:(?:\/usr)?\/bin\/)?(?:bash|zsh|fish|sh|dash)$/;

/** They do nothing until somebody types. With arguments they run code, so that is judged as a command. */
const INTERPRETERS = new Set("python3 node irb psql sqlite3 gdb bc".split(" "));
/** They show the files that their words name, and then wait for keys. */
const VIEWERS = new Set("vim vi nvim nano less more man htop top".split(" "));

type Env = Readonly<Record<string, string | undefined>>;
type Changes = Input<"pty_open">["env"];

export type Start = Pick<AdmittedStart, "where" | "asked">;
/** It waits for keys, and each is judged. */
const FREE: Start = { where: "box", asked: false };

export interface Asking extends Caller {
  readonly cancelled?: Cancelled;
  readonly approvalWaitMs?: number | undefined;
  /** The box around whoever asks, where the caller is another. */
  readonly within?: BoxSummary | undefined;
}

export class Admission {
  #noSessionGate: NoSessionGate;
  #env: Env;

  constructor(noSessionGate: NoSessionGate, env: Env) {
    this.#noSessionGate = noSessionGate;
    this.#env = env;
  }

  /** A person's whole environment counts. From an agent's we keep only harmless variables. */
  base(caller: Caller, given: Env | undefined): Env {
    if (!given || caller.role === "person") return given ?? this.#env;
    const theirs = Object.entries(given).filter(([name]) => THEIRS.test(name));
    return { ...this.#env, ...Object.fromEntries(theirs) };
  }

  /**
   * What an agent sets for a command is part of the line that is judged, shown and run. In a terminal it ends with that line.
   */
  line(command: string, { role }: Caller, { env = {}, mode }: Pick<Input<"run_command">, "env" | "mode">) {
    const words = role === "person" ? [] : assignments(env);
    if (words.length === 0) return { command, env };
    const line = `${shellLine(["export", ...words])}; ${command}`;
    const unset = Object.entries(env).filter(([, value]) => value === null);
    return { command: mode === "pty" ? `(${line}\n)` : line, env: Object.fromEntries(unset) };
  }

  /** Variables can make a harmless program do anything, so they are judged like a line that sets them. */
  async #variables(env: Changes, cwd: string, intent: Intent, call: Asking): Promise<Fault | undefined> {
    const words = assignments(env);
    const admitted = words.length === 0 ? FREE : await this.#admit([...words, "true"], cwd, intent, call);
    return isFault(admitted) ? admitted : undefined;
  }

  /** Opening a program is running a command. The answer is where it may run, and whether a person said so. */
  async open(input: Input<"pty_open">, cwd: string, call: Asking, given: Given): Promise<Start | Fault> {
    const halted = this.#noSessionGate.refuses(call.actor);
    if (halted) return halted;
    const intent = { timeout_ms: OPEN_APPROVAL_MS, approval_ms: call.approvalWaitMs };
    const [file = "", ...args] = input.command ?? (input.shell === undefined ? ["sh"] : [input.shell]);
    const words = [...assignments(input.env), file, ...args];
    // Every key that goes into one of these is judged. A person's own rules come first.
    const verdict = this.#explain(words, cwd, call).verdict.rule;
    const ruled = verdict === "rules.deny" || verdict === "rules.ask";
    const shows = () => this.#explain(["cat", ...args], cwd, call).risk.class === "safe";
    const waits = !ruled && isInteractive(file, args, shows);
    if (!waits) return this.#admit(words, cwd, intent, call, given);
    return (await this.#variables(input.env, cwd, intent, call)) ?? FREE;
  }

  #explain(words: readonly string[], cwd: string, { actor }: Asking) {
    return this.#noSessionGate.explain(actorName(actor), shellLine(words), cwd, {});
  }

  #admit(words: readonly string[], cwd: string, intent: Intent, call: Asking, given?: Given): Promise<Start | Fault> {
    const about = { kind: "open" as const, text: shellLine(words), cwd, ...given };
    return this.#noSessionGate.admit(call.actor, about, intent, call.cancelled);
  }
}

export function assignments(env: Changes = {}): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
}

/** `shows`: whether its words are files that may be shown. */
function isInteractive(file: string, args: readonly string[], shows: () => boolean): boolean {
  if (SHELL.test(file)) return args.every((arg) => /^-[il]$|^--(?:norc|noprofile|login)$/.test(arg));
  if (INTERPRETERS.has(file)) return args.length === 0;
  if (!VIEWERS.has(file) || args.some((arg) => /^[-+]/.test(arg))) return false;
  return args.length === 0 || (file === "man" ? args.every((arg) => /^[\w.:+-]+$/.test(arg)) : shows());
}
