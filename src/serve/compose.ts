// The composition root: what the daemon is made of, and who gets whom. Nothing else creates these.
import fs from "node:fs";
import { isFault } from "../core/base/fault.ts";
import { type Approval, Approvals, cardOf } from "../core/gate/approvals.ts";
import { Lobby } from "../core/gate/lobby.ts";
import { Runner } from "../core/run/runner.ts";
import { Sessions } from "../core/session/sessions.ts";
import { nodeClock } from "../host/clock.ts";
import { makeGhostty } from "../host/engine/ghostty.ts";
import { fileStore } from "../host/files.ts";
import type { HolderLink } from "../host/holder-link.ts";
import { spawnPipe } from "../host/pipe.ts";
import { shellFiles } from "../host/shell-lines.ts";
import type { Home } from "../protocol/home.ts";
import { Admission } from "./admission.ts";
import { type Config, readConfig } from "./config.ts";
import { commandFromMeta, digits, OpenRequests } from "./open.ts";
import { RuleFiles } from "./rule-files.ts";

/** How often quiet sessions are looked for. */
const SWEEP_MS = 30_000;

export interface Machine {
  readonly sessions: Sessions;
  readonly approvals: Approvals;
  readonly lobby: Lobby;
  readonly ruleFiles: RuleFiles;
  readonly admission: Admission;
  readonly opening: OpenRequests;
  readonly runner: Runner;
  dispose(): void;
}

export async function compose(home: Home, env: NodeJS.ProcessEnv, holder: HolderLink): Promise<Machine> {
  const config = readConfig(home.config);
  const ruleFiles = new RuleFiles(home.config);
  const approvals = new Approvals({
    clock: nodeClock,
    newId: () => `a_${digits(8)}`,
    told: (approval) => tellApproval(sessions, approval),
  });
  const lobby = new Lobby({ approvals, rules: (cwd) => ruleFiles.of(cwd), log: (event) => logOf(home, event) });
  const sessions = sessionsOf(home, env, { holder, approvals, ruleFiles, config });
  await sessions.load(holder);
  const sweep = closeQuiet(sessions, config);
  const admission = new Admission(lobby, env);
  const opening = new OpenRequests(sessions, env, admission);
  const runner = runnerOf(sessions, opening, lobby, config);
  const dispose = () => {
    clearInterval(sweep);
    runner.dispose();
    sessions.dispose();
  };
  return { sessions, approvals, lobby, ruleFiles, admission, opening, runner, dispose };
}

interface Shared {
  readonly holder: HolderLink;
  readonly approvals: Approvals;
  readonly ruleFiles: RuleFiles;
  readonly config: Config;
}

/** What was decided outside of any session. */
function logOf(home: Home, event: object): void {
  fs.appendFileSync(`${home.dir}/events.jsonl`, `${JSON.stringify({ ts: Date.now(), ...event })}\n`, { mode: 0o600 });
}

function sessionsOf(home: Home, env: NodeJS.ProcessEnv, { holder, approvals, ruleFiles, config }: Shared): Sessions {
  return new Sessions({
    approvals,
    rules: (cwd) => ruleFiles.of(cwd),
    store: fileStore(home.sessions),
    clock: nodeClock,
    makeEngine: makeGhostty,
    holder,
    shells: shellFiles(home.sessions),
    scrollback: config.scrollback_lines,
    commandOf: (meta) => commandFromMeta(meta, env),
  });
}

/** Sessions that agents left behind. */
function closeQuiet(sessions: Sessions, { session_timeout_ms }: Config): NodeJS.Timeout | undefined {
  if (session_timeout_ms === 0) return undefined;
  const sweep = setInterval(
    () => {
      for (const session of sessions.live)
        if (session.meta.actor !== "person" && session.commands.attention.quietMs > session_timeout_ms)
          void session.close({ kind: "program" });
    },
    Math.min(SWEEP_MS, session_timeout_ms),
  );
  sweep.unref();
  return sweep;
}

/** Whoever watches the session hears of it; its events keep it. What concerns no session yet is told to all. */
function tellApproval(sessions: Sessions, approval: Approval): void {
  const { approval_id, session_id, actor, state, rule, kind } = approval;
  const found = session_id === null ? undefined : sessions.find(session_id);
  const session = isFault(found) ? undefined : found;
  session?.gate.log({ kind: "approval", approval_id, actor, state, rule, what: kind });
  const type = state === "pending" ? "approval" : "approval_settled";
  for (const one of session ? [session] : sessions.live) one.show.viewers.tell({ type, approval: cardOf(approval) });
  const handedOver = kind === "password" || kind === "take_over";
  if (!session || !handedOver || state === "pending" || session.gate.hold.reason !== "handed_over") return;
  // Done with what was handed over: the agent goes on, unless the person said no.
  if (state === "denied") session.gate.take("manual", approval.answer);
  else session.gate.release();
}

function runnerOf(sessions: Sessions, opening: OpenRequests, lobby: Lobby, config: Config): Runner {
  return new Runner({
    clock: nodeClock,
    spawnPipe,
    command_timeout_ms: config.command_timeout_ms,
    newId: () => `r_${digits(8)}`,
    refuses: (actor) => lobby.refuses(actor),
    admit: (actor, { text, cwd, stdin }, intent, gone) =>
      lobby.admit(actor, { kind: "run", text, cwd, stdin }, intent, gone),
    open: (cwd, actor) => opening.shell(cwd, undefined, { role: "agent", actor }),
    find: (id) => sessions.find(id),
  });
}
