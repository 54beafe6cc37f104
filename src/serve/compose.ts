// The composition root: makes the daemon's parts and connects them. Nothing else creates these.

import fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Conversation } from "../core/agent/conversation/conversation.ts";
import { Conversations } from "../core/agent/conversation/conversations.ts";
import { Changes } from "../core/base/changes.ts";
import { isFault } from "../core/base/fault.ts";
import { actorName } from "../core/gate/actor.ts";
import { Approvals, type ApprovalsParts } from "../core/gate/approvals.ts";
import { NoSessionGate } from "../core/gate/no-session.ts";
import type { AgentLimits } from "../core/gate/shares.ts";
import type { Holder } from "../core/journal/holding.ts";
import type { Store } from "../core/journal/store.ts";
import type { Redactor } from "../core/redact/redactor.ts";
import type { RestorePoints } from "../core/restore/restore-points.ts";
import { Runner } from "../core/run/runner.ts";
import type { SessionNews } from "../core/session/life.ts";
import { Sessions } from "../core/session/sessions.ts";
import { nodeClock } from "../host/clock.ts";
import { fileStore } from "../host/disk/files.ts";
import { isFree, waysOf } from "../host/disk/ways.ts";
import { makeGhostty } from "../host/engine/ghostty.ts";
import { branchOf } from "../host/git/branch.ts";
import { hasBackground } from "../host/process/background.ts";
import { pipeSpawner } from "../host/process/pipe.ts";
import { lineBoxes, pipeBoxes } from "../host/sandbox/line-box.ts";
import { Sandbox } from "../host/sandbox/sandbox.ts";
import { sessionBoxes } from "../host/sandbox/session-boxes.ts";
import { shellFiles } from "../host/shell/lines.ts";
import { Trees } from "../host/worktree/trees.ts";
import { agentNameIn, BUILT_IN_NAME } from "../protocol/plain/agent-name.ts";
import type { Home } from "../protocol/plain/home.ts";
import { isPerson } from "../protocol/plain/person-name.ts";
import { Agents } from "./agent/agents.ts";
import { ClientTokens } from "./client-tokens.ts";
import { type Config, configNow, readConfig } from "./config.ts";
import type { Log } from "./log.ts";
import { runMarker, SESSION_VARIABLE } from "./markers.ts";
import { Meters } from "./meters.ts";
import { Attention } from "./needs/attention.ts";
import { EventCommands } from "./needs/event-commands.ts";
import { tellApproval, tellAsker } from "./needs/tell-approval.ts";
import { AgentStarts, withWays } from "./opening/agent-starts.ts";
import { boxesFor } from "./opening/boxing.ts";
import { completingOf } from "./opening/completing.ts";
import { commandFromMeta, digits, type OpenRequests } from "./opening/open.ts";
import { openingOf } from "./opening/opening.ts";
import { RuleFiles } from "./opening/rule-files.ts";
import type { Perform } from "./perform.ts";
import { keepingOf, restoreOf } from "./restore.ts";
import { Care } from "./upkeep/care.ts";
import { closeQuiet, restQuiet } from "./upkeep/quiet.ts";
import { Worktrees } from "./worktree/worktrees.ts";

/** Input that goes to no session. */
const BESIDE = { session_id: null, input: "line" } as const;

/** What the daemon is made of. */
export type Machine = Awaited<ReturnType<typeof compose>>;

/** What the machine asks of its ways in, which are made after it. */
interface Ways {
  readonly perform: Perform;
  readonly eyes: Redactor;
  readonly log: Log;
  ownPorts(): readonly number[];
  /** Lets callers in by another socket, too. */
  listenAt(path: string): { close(): void };
}

export async function compose(
  home: Home,
  env: NodeJS.ProcessEnv,
  holder: Holder,
  { perform, ownPorts, listenAt, eyes, log }: Ways,
) {
  const config = readConfig(home.config);
  log.set(config.log_level, eyes);
  const homeFolder = env.HOME ?? homedir();
  const root = config.worktree.root ?? join(env.XDG_DATA_HOME || join(homeFolder, ".local/share"), "duetty/worktrees");
  const sandbox = new Sandbox(home, config.box, { homeFolder, path: env.PATH ?? "", trees: root });
  const trees = await Trees.open({ root, state: home.worktrees, now: nodeClock.now });
  const starts = new AgentStarts(home, homeFolder, config.agent_starts);
  const ruleFiles = new RuleFiles(home.config);
  const completions = completingOf(home, env, sandbox, config.complete_ms);
  // Other machines hear what changed on this one alone, or they would go on telling each other for ever.
  const everywhere = new Changes(nodeClock);
  const changes = new Changes(nodeClock, everywhere);
  const meters = new Meters();
  const worktrees = new Worktrees({
    ...{ trees, root, changes, log, folder: home.sessions },
    hidden: () => sandbox.hidden(),
    sessions: () => sessions,
  });
  const conversations = conversationsOf(
    () => sessions,
    () => agents,
  );
  const limits = limitsOf(home, config, () => agents);
  const approvals = approvalsOf(limits, {
    changed: (approval) => {
      changes.bump();
      meters.answered(approval, nodeClock.now());
      tellApproval(sessions, approval);
      conversations.approval(approval);
      attention.asked(approval);
    },
    askerChanged: (approval) => {
      changes.bump();
      tellAsker(sessions, approval);
    },
  });
  const hide = (text: string) => eyes.text(text);
  const watched = { hide, sessions: () => sessions, approvals: () => approvals };
  const commands = new EventCommands({ commands: config.on, env, eyes, log, cwd: home.dir });
  const attention = new Attention({ home, longMs: config.push.long_ms, changes, commands, log, ...watched });
  const note = (event: object) => noteOf(home, event);
  const restore = restoreOf({ home, config, newId: () => `p_${digits(8)}`, sessions: () => sessions, log: note });
  const noSessionGate = new NoSessionGate({
    approvals,
    boxes: () => boxesFor(sandbox, config),
    ...{ isFree, waysOf, log: note },
    rules: (cwd) => ruleFiles.of(cwd),
    keepFiles: (actor, text, cwd) => restore.before({ ...BESIDE, actor: actorName(actor), cwd, text }),
  });
  const onNews = (session_id: string, news: SessionNews) => {
    if (news.kind !== "seen") changes.bump();
    recipes.changed(session_id);
    attention.news(session_id, news);
    worktrees.news(session_id, news);
    tellAgents(conversations, sessions, session_id, news);
    if (news.kind !== "ended") return;
    agents.forget(session_id);
    for (const owner of [starts, completions]) owner.ended(session_id);
    log.say("info", "a session ended", { session_id });
  };
  const decides = { limits, approvals, noSessionGate, restore, ruleFiles, config, worktrees };
  const shared = { ...decides, holder, sandbox, ownPorts, listenAt, eyes, onNews };
  const store = fileStore(home.sessions);
  const sessions = sessionsOf(home, env, store, shared);
  const { admission, opening, recipes, reopening, editing } = openingOf({ ...shared, home, env, sessions, starts });
  const runner = runnerOf({ home, sessions, opening, noSessionGate, config, limits, sandbox });
  const agents = new Agents({
    sessions,
    approvals,
    opening,
    config: () => configNow(home.config),
    home,
    env,
    perform,
  });
  // Last: it reports to all of them.
  const running = await sessions.load(holder);
  for (const owner of [sandbox, starts]) owner.keepOnly(running);
  const care = Care.of(sessions, store, config, log);
  const timers = [closeQuiet(sessions, config), restQuiet(sessions, config)];
  const dispose = async () => {
    for (const timer of timers) clearInterval(timer);
    attention.stop();
    care.stop();
    recipes.dispose();
    runner.dispose();
    await Promise.all([worktrees.dispose(), sessions.dispose(), completions.dispose()]);
  };
  const gate = { approvals, noSessionGate, ruleFiles, admission, conversations, agents, restore, attention };
  const opens = { opening, reopening, editing, worktrees, starts, completions };
  return { config, limits, sessions, care, ...gate, ...opens, runner, sandbox, changes, everywhere, meters, dispose };
}

/** Nobody can take a name that a client's token, a hosted agent or our own has. All other names come with the shared token. */
function limitsOf(home: Home, config: Config, agents: () => Agents): AgentLimits {
  const clients = new ClientTokens(home.clients);
  const owns = (actor: string) => {
    const name = agentNameIn(actor) ?? "";
    return name === BUILT_IN_NAME || clients.has(name) || agents().owns(name);
  };
  return { ...config.limits, owns };
}

function approvalsOf(limits: AgentLimits, on: Pick<ApprovalsParts, "changed" | "askerChanged">): Approvals {
  return new Approvals({ clock: nodeClock, limits, newId: () => `a_${digits(8)}`, ...on });
}

interface Shared {
  readonly limits: AgentLimits;
  readonly holder: Holder;
  readonly approvals: Approvals;
  readonly noSessionGate: NoSessionGate;
  readonly restore: RestorePoints;
  readonly ruleFiles: RuleFiles;
  readonly config: Config;
  readonly sandbox: Sandbox;
  readonly worktrees: Worktrees;
  readonly eyes: Redactor;
  ownPorts(): readonly number[];
  listenAt(path: string): { close(): void };
  onNews(session_id: string, news: SessionNews): void;
}

/** Decisions outside any session. */
export function noteOf(home: Home, event: object): void {
  fs.appendFileSync(`${home.dir}/events.jsonl`, `${JSON.stringify({ ts: Date.now(), ...event })}\n`, { mode: 0o600 });
}

function sessionsOf(home: Home, env: NodeJS.ProcessEnv, store: Store, shared: Shared): Sessions {
  const { limits, holder, approvals, noSessionGate, restore, ruleFiles, config, sandbox, eyes, onNews } = shared;
  const { ownPorts, listenAt, worktrees } = shared;
  return new Sessions({
    approvals,
    eyes,
    onNews,
    halted: (actor) => noSessionGate.refuses(actor),
    ...keepingOf(restore, sandbox),
    branchOf,
    worktreeOf: (meta) => worktrees.of(meta),
    isFree,
    waysOf,
    boxing: () => boxesFor(sandbox, config),
    rules: (cwd) => ruleFiles.of(cwd),
    store,
    clock: nodeClock,
    makeEngine: makeGhostty,
    holder,
    shells: shellFiles(home.sessions, lineBoxes(sandbox)),
    boxes: withWays(sessionBoxes(sandbox, home.sessions, ownPorts), home.sessions, listenAt),
    ...{ scrollback: config.scrollback_lines, presets: config.agent_states, integrates: config.integrate },
    limits,
    commandOf: (meta) => commandFromMeta(meta, env),
  });
}

/** A session's conversation is kept with the session. */
function conversationsOf(sessions: () => Sessions, agents: () => Agents): Conversations {
  return new Conversations((session_id) => {
    const session = sessions().find(session_id);
    if (isFault(session)) throw new Error(session.message);
    const { files } = session.display.past;
    return {
      session_id,
      clock: nodeClock,
      lines: {
        read: () => files.readLines("conversation"),
        append: (line) => void files.appendLine("conversation", line),
      },
      nameOf: (agent) => agents().nameOf(agent),
      performerFor: (agent, link, options) => agents().performerFor(session, agent, link, options),
      publish: (event) => session.display.viewers.tell({ type: "agent", event }),
    };
  });
}

/** A person took the keyboard, gave it back, stopped everything; or the program is over. */
function tellAgents(conversations: Conversations, sessions: Sessions, session_id: string, news: SessionNews): void {
  if (news.kind !== "held" && news.kind !== "ended") return;
  const ends = news.kind === "ended" || news.hold.reason === "stop";
  // A turn that an earlier daemon left is only on disk: it must not go on after a stop.
  const conversation =
    conversations.known(session_id) ?? (ends ? kept(conversations, sessions, session_id) : undefined);
  if (!conversation) return;
  if (news.kind === "ended") return void conversation.exited(news);
  const { who, reason } = news.hold;
  conversation.held(isPerson(who) ? "person" : "nobody", reason);
}

function kept(conversations: Conversations, sessions: Sessions, session_id: string): Conversation | undefined {
  const session = sessions.find(session_id);
  if (isFault(session) || session.display.past.files.readLines("conversation").length === 0) return undefined;
  return conversations.of(session_id);
}

interface RunnerSources extends Pick<Shared, "noSessionGate" | "config" | "limits" | "sandbox"> {
  readonly home: Home;
  readonly sessions: Sessions;
  readonly opening: OpenRequests;
}

function runnerOf({ home, sessions, opening, noSessionGate, config, limits, sandbox }: RunnerSources): Runner {
  const spawnPipe = pipeSpawner(pipeBoxes(sandbox));
  return new Runner({
    clock: nodeClock,
    spawnPipe: ({ env, ...command }, on) =>
      spawnPipe({ ...command, env: { ...env, [SESSION_VARIABLE]: runMarker(home.dir) } }, on),
    boxRoots: (cwd) => sandbox.summary({ cwd }).roots,
    limits,
    command_timeout_ms: config.command_timeout_ms,
    newId: () => `r_${digits(8)}`,
    refuses: (actor) => noSessionGate.refuses(actor),
    admit: (actor, { text, cwd, stdin }, intent, cancelled) =>
      noSessionGate.admit(actor, { kind: "run", text, cwd, stdin }, intent, cancelled),
    open: (cwd, actor, box) => {
      const role = actor.kind === "agent" ? "agent" : "person";
      const within = typeof box === "string" ? undefined : box;
      return opening.shell(cwd, undefined, { role, actor, within }, box === "outside" ? false : undefined);
    },
    find: (id) => sessions.find(id),
    hasJobs: ({ id, pid }) => pid !== null && hasBackground(pid, `${SESSION_VARIABLE}=${id}`),
  });
}
