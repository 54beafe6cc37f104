// Turns an open request into a complete command: which shell, folder, environment and size.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { leavesBox } from "../../core/box/inside.ts";
import type { BoxSummary } from "../../core/box/plan.ts";
import type { Actor } from "../../core/gate/actor.ts";
import type { Meta } from "../../core/journal/store.ts";
import type { PtyCommand } from "../../core/pty/pty.ts";
import { takenBy } from "../../core/recipe/conversations.ts";
import type { Session } from "../../core/session/session.ts";
import type { OpenSpec, Sessions } from "../../core/session/sessions.ts";
import { resolveCommand } from "../../host/pty/resolve.ts";
import { LED_AWAY } from "../../host/sandbox/session-boxes.ts";
import { shellOf } from "../../host/shell/shells.ts";
import type { Input } from "../../protocol/ops.ts";
import type { Caller } from "../auth.ts";
import { SESSION_VARIABLE } from "../markers.ts";
import type { Placing } from "../worktree/placing.ts";
import type { Admission, Asking, Start } from "./admission.ts";
import type { AgentStart, AgentStarts } from "./agent-starts.ts";
import { boxAround } from "./box-limits.ts";
import type { Boxing } from "./boxing.ts";
import { untilde } from "./folder.ts";
import type { Recipes } from "./recipes.ts";

/** Wide enough for a side-by-side diff, small enough to read as text. */
const DEFAULT_SIZE = { cols: 120, rows: 36 };
/** Variables of ours or of another multiplexer. A program must not believe that it runs inside one. */
const NOT_INHERITED = [
  "TMUX",
  "TMUX_PANE",
  "STY",
  "WINDOW",
  "TERMCAP",
  "COLUMNS",
  "LINES",
  SESSION_VARIABLE,
  "DUETTY_TOKEN",
];

/** Nobody turns the pages of a shell that an agent opened. */
const NO_PAGERS = { PAGER: "cat", GIT_PAGER: "cat", MANPAGER: "cat" };

type Env = Readonly<Record<string, string | undefined>>;

/** A session that is started again: whose it was, and which one it stands for. */
interface Again {
  readonly actor: Actor;
  readonly from: string;
  /** The worktree that it goes on in. */
  readonly tree?: string | undefined;
}

interface OpeningParts {
  readonly admission: Admission;
  readonly boxing: Boxing;
  readonly recipes: Recipes;
  readonly agents: AgentStarts;
  readonly placing: Placing;
}

/** How a session is opened: as a new one or an old one again, and what its agent is to do. */
interface OpenedAs {
  readonly as?: Again | "lasting" | "passing";
  readonly task?: string;
}

export class OpenRequests {
  #sessions: Sessions;
  #env: Env;
  #admission: Admission;
  #boxing: Boxing;
  #recipes: Recipes;
  #agents: AgentStarts;
  #placing: Placing;

  constructor(sessions: Sessions, env: Env, parts: OpeningParts) {
    this.#sessions = sessions;
    this.#env = env;
    const { admission, boxing, recipes, agents, placing } = parts;
    this.#placing = placing;
    this.#admission = admission;
    this.#boxing = boxing;
    this.#recipes = recipes;
    this.#agents = agents;
  }

  /** `passing`: nobody wants it back after a restart of the machine. */
  async open(
    input: Input<"pty_open">,
    caller: Asking,
    { as = "lasting", task }: OpenedAs = {},
  ): Promise<Session | Fault> {
    const agent = this.#agents.asked(input, typeof as === "object" ? "again" : "new");
    if (isFault(agent)) return agent;
    const theirs = agent?.preset.config?.theirs.variable;
    if (caller.role !== "person" && theirs !== undefined && theirs in (input.env ?? {}))
      return fault("input.invalid", `a person chooses ${theirs}: it leads to their login`, "Leave it out.");
    const id = newId();
    const taken = agent?.resume === undefined ? undefined : takenBy({ id }, agent.resume, this.#sessions.live);
    if (taken) return taken;
    const opener = typeof as === "object" ? openerOf(as.actor) : caller;
    const asked = agent ? { ...input, command: [...agent.words] } : input;
    const command = this.#command(id, asked, opener);
    // Checked before anything is written, so that a typing mistake leaves no trace.
    const wrong = resolveCommand(command);
    if (isFault(wrong)) return agent ? notInstalled(agent, wrong) : wrong;
    const hosts = agent ? this.#agents.hosts(agent.preset, command.env) : null;
    const box = this.#boxing.boxFor(input.box, command.cwd, caller, hosts);
    if (isFault(box)) return box;
    const leaves = leavesBox(box, caller.within ?? boxAround(this.#sessions, caller));
    if (leaves) return leaves;
    if (typeof as === "object" && isElsewhere(input.box, box)) return LED_AWAY;
    const lent = agent && hosts ? { to: agent.preset.name, hosts } : null;
    const start = await this.#admission.open(asked, command.cwd, caller, { boxed: box !== null, lent });
    if (isFault(start)) return start;
    const within = (box: BoxSummary | null) => (caller.role === "agent" && box ? boxAt(start, box, hosts) : box);
    const title = task ?? input.name ?? agent?.preset.name ?? "work";
    const wish = {
      id,
      asked: input.worktree ?? false,
      title,
      command,
      isBoxed: within(box) !== null,
      caller,
    };
    const tree = typeof as === "object" ? as.tree : undefined;
    const placed = await (tree === undefined ? this.#placing.place(wish) : this.#placing.goOn(tree, id, command));
    if (isFault(placed)) return placed;
    const at = placed?.command ?? command;
    const there = placed ? this.#boxing.boxFor(input.box, at.cwd, caller, hosts) : box;
    const spec = {
      ...this.#how(id, asked, at, opener),
      ...(as === "passing" ? {} : { recipe: this.#recipes.made(input.env ?? {}, at.cwd, as) }),
      start: input.lazy && !agent && !placed ? ("at first use" as const) : ("now" as const),
      about: { ...placed?.about, ...(task === undefined ? {} : { task: { text: task } }) },
    };
    // A yes to start an agent's session again is none to lend it the person's login.
    const isLent = caller === opener && start.asked && start.where !== "box";
    const login = opener.role === "person" || isLent ? "theirs" : "none";
    const opened = isFault(there)
      ? there
      : await this.#begin(agent && { ...agent, login }, input, { ...spec, box: within(there) });
    if (isFault(opened)) await placed?.undo();
    return opened;
  }

  #begin(agent: AgentStart | undefined, input: Input<"pty_open">, spec: OpenSpec): Promise<Session | Fault> {
    return agent ? this.#openAgent(agent, input, spec) : this.#sessions.open(spec);
  }

  #how(id: string, input: Input<"pty_open">, command: PtyCommand, { role, actor }: Caller) {
    const shell = input.integrate ? shellOf(command.file, command.args) : null;
    const pinned = role === "agent" || input.cols !== undefined || input.rows !== undefined;
    return {
      id,
      name: input.name ?? null,
      command,
      env_names: Object.keys(input.env ?? {}),
      sizing: pinned ? ("pinned" as const) : ("follow" as const),
      integration: shell && { shell, nonce: digits(16) },
      actor,
    };
  }

  async #openAgent(agent: AgentStart, input: Input<"pty_open">, spec: OpenSpec): Promise<Session | Fault> {
    const prepared = this.#agents.prepare(spec.id, agent, input, spec, this.#sessions.list());
    if (isFault(prepared)) return prepared;
    const { command, agent_session_id } = prepared;
    const about = { agent: agent.preset.name, agent_args: agent.args, agent_session_id };
    const opened = await this.#sessions.open({ ...spec, command, asked: agent.words, agent: about });
    if (isFault(opened)) this.#agents.ended(spec.id);
    return opened;
  }

  /** A shell for commands that name no session. It marks its commands and understands POSIX lines. */
  shell(cwd: string, env: Input<"pty_open">["env"], caller: Asking, box?: boolean): Promise<Session | Fault> {
    const { SHELL = "" } = this.#env;
    const shell = /\/(?:bash|zsh)$/.test(SHELL) && fs.existsSync(SHELL) ? SHELL : "/bin/bash";
    return this.open({ shell, cwd, env: env, box, lazy: false, integrate: true }, caller, { as: "passing" });
  }

  #command(id: string, input: Input<"pty_open">, caller: Caller): PtyCommand {
    const base = this.#admission.base(caller, input.base_env);
    const env = environment(caller.role === "agent" ? { ...base, ...NO_PAGERS } : base, input.env ?? {});
    const [file, ...args] = input.command ?? shellCommand(input.shell ?? env.SHELL);
    const cwd = resolve(homedir(), untilde(input.cwd ?? homedir()));
    const { cols, rows } = { ...DEFAULT_SIZE, ...defined({ cols: input.cols, rows: input.rows }) };
    return { file: file ?? "/bin/sh", args, cwd, env, cols, rows, marker: `${SESSION_VARIABLE}=${id}` };
  }
}

/** Without the folders of PATH: nobody looks for it there by hand. */
function notInstalled({ preset }: AgentStart, wrong: Fault): Fault {
  const isMissing = wrong.code === "command.not_found";
  const message = isMissing ? `${preset.name} is not installed, or not in PATH` : wrong.message;
  return { ...wrong, message, hint: `${wrong.hint} ${preset.install}` };
}

function openerOf(actor: Actor): Caller {
  return { role: actor.kind === "agent" ? "agent" : "person", actor };
}

/**
 * A person's yes to a program that needs more than the box is for all of its session. A rule of theirs counts the same, but not for an
 * agent CLI: its hosts come with their login.
 */
function boxAt({ where, asked }: Start, box: BoxSummary, hosts: readonly string[] | null): BoxSummary | null {
  if (where === "outside") return null;
  if (where === "box" || (hosts && !asked)) return box;
  return { ...box, network: hosts ? [...new Set([...box.network, ...hosts])] : ["*"] };
}

/** A session that is started again writes the folders that it wrote, and none that a link leads to since. */
function isElsewhere(asked: Input<"pty_open">["box"], box: BoxSummary | null): boolean {
  const roots = typeof asked === "object" ? (asked.roots ?? []) : [];
  return roots.some((root) => !box?.roots.includes(root));
}

/** A pending session whose environment was lost with an earlier daemon starts with ours. */
export function commandFromMeta(meta: Meta, env: Env): PtyCommand {
  const [file = "/bin/sh", ...args] = meta.command;
  const marker = `${SESSION_VARIABLE}=${meta.session_id}`;
  return { file, args, cwd: meta.cwd, env: environment(env, {}), cols: meta.cols, rows: meta.rows, marker };
}

export function environment(base: Env, changes: Readonly<Record<string, string | null>>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(base)) {
    if (value !== undefined && !NOT_INHERITED.includes(key)) env[key] = value;
  }
  // Without a UTF-8 locale vim and htop draw with ASCII and count columns wrong.
  if (!env.LC_ALL && !env.LC_CTYPE && !env.LANG) env.LANG = "C.UTF-8";
  Object.assign(env, { TERM: "xterm-256color", COLORTERM: "truecolor", TERM_PROGRAM: "duetty" });
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete env[key];
    else env[key] = value;
  }
  return env;
}

function shellCommand(wanted: string | undefined): string[] {
  const shell = [wanted, "/bin/bash", "/bin/sh"].find((path) => path && (!path.startsWith("/") || fs.existsSync(path)));
  return [shell ?? "/bin/sh", ...(["bash", "zsh", "fish"].includes(basename(shell ?? "")) ? ["-i"] : [])];
}

function newId(): string {
  return `s_${digits(8)}`;
}

/** A number of random letters and digits. */
export function digits(count: number): string {
  const all = "0123456789abcdefghijklmnopqrstuvwxyz";
  return Array.from(randomBytes(count), (byte) => all[byte % all.length]).join("");
}

function defined(size: {
  cols: number | undefined;
  rows: number | undefined;
}): Partial<{ cols: number; rows: number }> {
  return Object.fromEntries(Object.entries(size).filter(([, value]) => value !== undefined));
}
