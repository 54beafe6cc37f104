// Who is here and who has the keyboard of the shown session, its mode and policy, and what a person does about it. Owns: what
// the page knows of these, always as the daemon last said.
import { createStore } from "solid-js/store";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { Presence, ToViewer } from "../../src/protocol/stream.ts";
import { holderOf, OWNER } from "../sessions/labels.ts";
import { call, type Fault, isFault } from "../wire/api.ts";

export type Mode = SessionInfo["policy"]["mode"];
export type Policy = SessionInfo["policy"];

interface ControlFacts {
  readonly hold: string;
  readonly reason: SessionInfo["hold_reason"];
  readonly note: string | null;
  readonly policy: Policy | undefined;
  /** What the foreground program waits for. */
  readonly waiting: SessionInfo["waiting"];
  /** The people who watch now, and what each may do. */
  readonly here: Presence["here"];
}

export interface Control {
  readonly facts: ControlFacts;
  agentHolds(): boolean;
  /** The person took the keyboard or was given it, so agents wait. */
  isTaken(): boolean;
  /** Another person took the keyboard: their name. */
  takenBy(): string | undefined;
  take(): Promise<void>;
  release(): Promise<void>;
  /** Does not wait for the socket's queue. */
  stop(): void;
  setMode(mode: Mode): void;
  /** Turns it over: on to off, off to on. A second time waits for the first, so that it turns it back. */
  turn(what: "safe_mode" | "auto_approve"): void;
  setPolicy(changes: {
    level?: Policy["level"] | "session";
    /** The agent whose level it is. Without it, the session's level. */
    agent?: string;
    threshold?: number;
  }): void;
  onMessage(message: ToViewer): void;
  /** The session as the list has it. */
  onInfo(info: SessionInfo): void;
}

/** `me`: who looks at the page. */
export function createControl(session_id: string, onFault: (fault: Fault) => void, me = OWNER): Control {
  const [facts, setFacts] = createStore<ControlFacts>({
    hold: "nobody",
    reason: null,
    note: null,
    policy: undefined,
    waiting: null,
    here: [],
  });
  /** Applies the daemon's answer at once, before the socket's message arrives. */
  async function perform<T extends object>(asked: Promise<T | Fault>, apply: (answer: T) => void): Promise<void> {
    const answer = await asked;
    if (isFault(answer)) onFault(answer);
    else apply(answer);
  }
  const held = ({ hold, hold_reason, hold_note }: Pick<SessionInfo, "hold" | "hold_reason" | "hold_note">) =>
    setFacts({ hold, reason: hold_reason, note: hold_note });
  const ruled = ({ mode, level, agent_levels, safe_mode, auto_approve, threshold, edit_folder }: Policy) =>
    setFacts({
      policy: { mode, level, agent_levels: { ...agent_levels }, safe_mode, auto_approve, threshold, edit_folder },
    });
  let turned: Promise<void> = Promise.resolve();
  return {
    facts,
    agentHolds: () => facts.hold.startsWith("agent:"),
    isTaken: () => facts.hold === me && facts.reason !== "typing",
    takenBy() {
      const { kind, word } = holderOf(facts.hold, me);
      return kind === "guest" && facts.reason !== "typing" ? word : undefined;
    },
    take: () => perform(call("take", { session_id }), held),
    release: () => perform(call("release", { session_id }), held),
    stop: () => void perform(call("stop", { session_id }), () => undefined),
    setMode: (mode) =>
      void perform(call("mode", { session_id, mode }), (answer) => {
        if (facts.policy) ruled({ ...facts.policy, mode: answer.mode });
      }),
    turn(what) {
      const change = () => ({ session_id, [what]: facts.policy?.[what] ? ("off" as const) : ("on" as const) });
      turned = turned.then(() => perform(call("policy", change()), ruled));
    },
    setPolicy: (changes) => void perform(call("policy", { session_id, ...changes }), ruled),
    onMessage(message) {
      if (message.type === "hold") setFacts({ hold: message.hold, reason: message.reason, note: message.note });
      if (message.type === "policy") ruled(message.policy);
      if (message.type === "presence") setFacts({ here: message.here });
    },
    onInfo(info) {
      held(info);
      ruled(info.policy);
      setFacts({ waiting: info.waiting });
    },
  };
}
