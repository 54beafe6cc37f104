// The agents that are here, whatever way they came: what each did last and what it waits for. Owns: the daemon's last word on it.
import { type Accessor, createSignal } from "solid-js";
import type { Approval } from "../../src/protocol/ops/gate.ts";
import type { Output } from "../../src/protocol/ops.ts";
import { call, isFault } from "../wire/api.ts";

type Listed = Output<"agents">;
export type PresentAgent = Listed["present"][number];

export interface Present {
  /** The one that called last comes first. */
  readonly agents: Accessor<readonly PresentAgent[]>;
  readonly configPath: Accessor<string>;
  /** Whether one could be asked from here. */
  isReady(): boolean;
  /** Asks again. With `test` it loads what the built-in agent needs. A text says why there is no answer. */
  refresh(how?: { readonly test?: boolean }): Promise<Listed | string>;
}

export function createPresent(): Present {
  const [listed, setListed] = createSignal<Listed>();

  return {
    agents: () => listed()?.present ?? [],
    configPath: () => listed()?.config_path ?? "config.json",
    isReady: () => listed()?.agents.some(({ available }) => available) ?? false,
    async refresh(how = {}) {
      const answer = await call("agents", how);
      if (isFault(answer)) return `${answer.message}. ${answer.hint}`;
      setListed(answer);
      return answer;
    },
  };
}

/** What it asks for while nobody has answered, or was refused. */
const TO: Readonly<Record<string, string>> = {
  run_command: "to run",
  run_tests: "to run the tests",
  pty_prompt: "to prompt an agent",
  pty_send: "to type",
  pty_open: "to open a session",
};

const DID: Readonly<Record<string, string>> = {
  run_command: "ran",
  run_tests: "ran the tests",
  pty_prompt: "prompted an agent",
  pty_send: "typed",
  pty_open: "opened a session",
  pty_close: "ended a session",
  pty_wait: "waited",
  pty_read_screen: "read the screen",
  pty_screen_status: "looked at the screen",
  pty_list: "listed the sessions",
  blocks: "listed the commands",
  block: "read an output",
  search: "searched",
  signal: "sent a signal",
  ask: "asked an agent",
  ask_person: "asked you",
};

/** "ran npm test", "asks to run rm -rf build", "wanted to run rm -rf build" */
export function didWords({ actor, op, text, refused }: PresentAgent, pending: readonly Approval[]): string {
  const [to, question] = [TO[op], questionOf(actor, pending)];
  const line = text?.split("\n")[0];
  const isLeft = question !== undefined && question.text.split("\n")[0] === line;
  const asks = question?.waits ? "asks" : refused || isLeft ? "wanted" : undefined;
  const did = to && asks ? `${asks} ${to}` : (DID[op] ?? `called ${op}`);
  return line === undefined ? did : `${did} ${line}`;
}

/** What it waits for, or what it left open, as its question says. Undefined: nothing. */
export function waitWords({ actor, busy, op }: PresentAgent, pending: readonly Approval[]): string | undefined {
  const asked = questionOf(actor, pending);
  if (asked?.waits) return "waits for your answer";
  if (busy) return op === "pty_wait" ? "waits for the program" : "at work";
  return asked && "no longer waits for your answer";
}

/** The one that it waits for comes first. */
function questionOf(actor: string, pending: readonly Approval[]): Approval | undefined {
  const own = pending.filter((asked) => asked.actor === actor);
  return own.find(({ waits }) => waits) ?? own[0];
}
