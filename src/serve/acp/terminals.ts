// terminal/* of ACP on visible sessions, so that people see what the agent runs. Owns: the sessions it opened this way,
// and their end: none keeps running when the agent is stopped. The gate decides whether it may open one. A terminal that
// was released stays readable for people.

import {
  type CreateTerminalRequest,
  RequestError,
  type TerminalExitStatus,
  type TerminalOutputResponse,
} from "@agentclientprotocol/sdk";
import type { Cancel, Cancelled } from "../../core/base/cancellation.ts";
import { type Fault, isFault } from "../../core/base/fault.ts";
import { marked } from "../../core/base/invisible.ts";
import type { Actor } from "../../core/gate/actor.ts";
import { CONTEXT_BYTES, type Redactor } from "../../core/redact/redactor.ts";
import type { Session } from "../../core/session/session.ts";

/** How much output an agent gets when it names no limit or a larger one. */
const OUTPUT_BYTES_MAX = 1 << 20;
/** Programs of one agent at once. More is a loop. */
const TERMINALS_MAX = 32;
/** One wait for the end. We wait again after it. */
const WAIT_MS = 3_600_000;
/** A character has at most four bytes. */
const CHARACTER_BYTES_MAX = 4;
/** A line that only a shell understands. */
const NEEDS_SHELL = /[\s|&;<>()$`\\"'*?[\]#~=%!{}]/;

export interface OpenAsk {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

interface TerminalsParts {
  readonly actor: Actor;
  readonly cwd: string;
  /** `cancelled`: nobody waits for it any more. */
  open(ask: OpenAsk, cancelled: Cancelled): Promise<Session | Fault>;
  /** The current turn's end, after which nothing more may begin in it. */
  cancelled(): Cancel;
}

interface Terminal {
  readonly session: Session;
  readonly bytesMax: number;
}

export class Terminals {
  #parts: TerminalsParts;
  #all = new Map<string, Terminal>();

  constructor(parts: TerminalsParts) {
    this.#parts = parts;
  }

  has(id: string): boolean {
    return this.#all.has(id);
  }

  async create({ command, args, env, cwd, outputByteLimit }: CreateTerminalRequest): Promise<{ terminalId: string }> {
    const cancelled = this.#parts.cancelled();
    if (cancelled.ended) throw tooLate();
    const { length } = this.#live;
    if (length >= TERMINALS_MAX) throw RequestError.invalidRequest(undefined, `${length} terminals run; release some`);
    const ask = {
      command: commandOf(command, args ?? []),
      cwd: cwd ?? this.#parts.cwd,
      env: Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
    };
    const session = await this.#parts.open(ask, cancelled);
    // A person may answer much later. A turn that was stopped meanwhile stays stopped.
    if (cancelled.ended) {
      if (!isFault(session)) await session.close(this.#parts.actor);
      throw tooLate();
    }
    if (isFault(session))
      throw new RequestError(-32_000, `${session.message}. ${session.hint}`, { code: session.code });
    this.#all.set(session.id, { session, bytesMax: Math.min(outputByteLimit ?? OUTPUT_BYTES_MAX, OUTPUT_BYTES_MAX) });
    return { terminalId: session.id };
  }

  output(id: string): TerminalOutputResponse {
    const { session, bytesMax } = this.#find(id);
    return {
      ...outputOf(session, bytesMax, session.display.byteEyes.now),
      exitStatus: session.over ? exitOf(session) : null,
    };
  }

  async exit(id: string, cancelled: Cancelled): Promise<TerminalExitStatus> {
    const { session } = this.#find(id);
    let left = false;
    cancelled.onCancel(() => {
      left = true;
    });
    while (!session.over && !left) await session.wait({ any: [{ exit: true }], timeout_ms: WAIT_MS }, cancelled);
    if (!session.over) throw RequestError.requestCancelled();
    return exitOf(session);
  }

  /** Ends the program; its output can still be read. */
  async kill(id: string): Promise<void> {
    await this.#find(id).session.close(this.#parts.actor);
  }

  async release(id: string): Promise<void> {
    const { session } = this.#find(id);
    this.#all.delete(id);
    await session.close(this.#parts.actor);
  }

  /** Ends every program that still runs; what they printed can still be read. */
  async end(): Promise<void> {
    await Promise.all(this.#live.map((session) => session.close(this.#parts.actor)));
  }

  get #live(): Session[] {
    return [...this.#all.values()].flatMap(({ session }) => (session.over ? [] : [session]));
  }

  #find(id: string): Terminal {
    const terminal = this.#all.get(id);
    if (!terminal)
      throw RequestError.invalidParams(
        { terminalId: id },
        `no terminal of yours is called "${id}", or it was released`,
      );
    return terminal;
  }
}

function tooLate(): RequestError {
  return RequestError.invalidRequest(undefined, "a person stopped this turn, or it is over");
}

/** Some agents give a whole line as the command. */
function commandOf(command: string, args: readonly string[]): string[] {
  return args.length === 0 && NEEDS_SHELL.test(command) ? ["bash", "-c", command] : [command, ...args];
}

function exitOf(session: Session): TerminalExitStatus {
  const { exit_code, signal } = session.info();
  return { exitCode: exit_code, signal };
}

/** The last bytes as whole characters, secrets and invisible ones marked. The terminal's CR LF become LF again, as programs write it. */
export function outputOf(
  session: { readonly display: Pick<Session["display"], "readRaw">; readonly over: boolean },
  bytesMax: number,
  eyes: Pick<Redactor, "bytesPart">,
): { output: string; truncated: boolean } {
  const { total } = session.display.readRaw(0, 0);
  // We read one character more, so that a character at the cut is left out as a whole.
  const from = Math.max(0, total - bytesMax - CHARACTER_BYTES_MAX);
  const earlier = Math.max(0, from - CONTEXT_BYTES);
  const before = session.display.readRaw(earlier, from - earlier).bytes;
  const bytes = eyes.bytesPart(before, session.display.readRaw(from, total - from).bytes, new Uint8Array());
  let begin = 0;
  while (from > 0 && begin < CHARACTER_BYTES_MAX && isInside(bytes[begin])) begin += 1;
  // While it runs, half a character at the end is still arriving.
  const raw = new TextDecoder().decode(bytes.subarray(begin), { stream: !session.over });
  const text = Buffer.from(marked(raw.replaceAll("\r\n", "\n"), { controls: "keep" }));
  let cut = Math.max(0, text.length - bytesMax);
  while (isInside(text[cut])) cut += 1;
  return { output: text.toString("utf8", cut), truncated: from > 0 || cut > 0 };
}

/** Not the first byte of a character. */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
