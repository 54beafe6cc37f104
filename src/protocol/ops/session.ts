// A session as seen from outside, and the verbs of its life.
import * as z from "zod";
import { op } from "../op.ts";
import { AgentStateNow } from "../words/agent-state.ts";
import { AllHosts, Cols, Cursor, Missing, OnHost, Rows, SessionId, SessionRef, Ts } from "../words/ids.ts";
import { HoldReason, Policy } from "../words/policy.ts";
import { Integration, Nested, NestedPlace, Waiting } from "../words/program.ts";
import { SessionWorktree, WantedWorktree } from "../words/worktree.ts";

export const SessionState = z.enum([
  "pending",
  "provisioning",
  "running",
  "waiting_for_input",
  "done",
  "failed",
  "lost",
]);
export type SessionState = z.output<typeof SessionState>;

/** Hosts and folders may be named exactly; hosts also as *.SUFFIX. */
const Hosts = z.array(z.string().min(1).max(300)).max(100);
const Folders = z.array(z.string().min(1)).max(20);

const Box = z.object({
  network: Hosts.describe("hosts that can be reached; none: no network"),
  roots: Folders.describe("the only folders that can be written"),
});

const WantedBox = z
  .union([z.boolean(), Box.partial()])
  .describe("in a box: it writes only its work tree, no network, no secrets");

export const SessionInfo = z.object({
  host: z.string().optional().describe("the machine it is on; absent: this one"),
  session_id: SessionId,
  name: z.string().nullable(),
  state: SessionState,
  command: z.array(z.string()),
  cwd: z.string(),
  branch: z.string().nullable().describe("the git branch of that folder, or the commit"),
  cols: Cols,
  rows: Rows,
  sizing: z
    .enum(["pinned", "follow"])
    .describe("follow: the person who typed last decides, by the size of their window"),
  pid: z.int().nullable(),
  actor: z.string().describe("who opened it: person or agent:NAME"),
  hold: z.string().describe("who has the keyboard: person, agent:NAME or nobody"),
  hold_reason: HoldReason.nullable(),
  hold_note: z.string().nullable(),
  policy: Policy,
  integration: Integration.describe(
    "the shell that marks its commands; none: there are no blocks, and commands cannot be run in it",
  ),
  nested: Nested.optional().describe("the marks are those of a shell inside of the session's program; absent: its own"),
  unmarked: NestedPlace.pick({ kind: true, host: true })
    .optional()
    .describe("a shell seems to be in front that does not mark its commands; a person may integrate it"),
  running: z
    .object({ block_id: z.string(), cmd: z.string().nullable() })
    .nullable()
    .describe("the command that runs now"),
  box: Box.nullable().describe("the box that the program runs in; null: none"),
  waiting: Waiting.nullable().describe("what the program waits for, when it waits for somebody to type"),
  agent: z.string().nullable().describe("the agent CLI in front; null: another program"),
  agent_session_id: z.string().nullable().describe("how that agent calls its own conversation, once it has told"),
  agent_state: AgentStateNow.nullable().describe("what it is doing"),
  worktree: SessionWorktree.nullable().describe("the git worktree that is its own; null: none"),
  task: z.object({ text: z.string() }).nullable().describe("what its agent was given to do"),
  put_away: z.boolean().describe("a person wants it last on the board"),
  title: z.string(),
  cursor: Cursor.describe("bytes of output so far"),
  seq: z.int(),
  viewers: z.int(),
  created_at: Ts,
  ended_at: Ts.nullable(),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  restored_from: SessionId.optional().describe("the session that ended with the machine, and that this one stands for"),
  restored_as: SessionId.optional().describe("the session that stands for it since"),
  leaves_at: Ts.optional().describe("when it leaves the disk, by journal.keep in config.json; absent: it stays"),
  raw_granted_until: Ts.optional().describe("until then agents may read its exact bytes"),
  disk_bytes: z.int().optional().describe("what it takes on disk, if asked for"),
});
export type SessionInfo = z.output<typeof SessionInfo>;

const EnvValue = z.union([z.string(), z.null()]);

/** A name is printed in lists and titles. Control characters have no business there; other invisible ones are marked. */
const SessionName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => !/\p{Cc}/u.test(name), "a name must not contain control characters");

export const ptyOpen = op("pty_open", {
  summary: "Open a terminal session: a shell, or the command given, in a real PTY.",
  effect: "write",
  input: z.object({
    command: z
      .array(z.string())
      .min(1)
      .optional()
      .describe("program and arguments; default: login shell; with agent: further arguments"),
    agent: z.string().min(1).max(64).optional().describe("an agent CLI: claude, codex, gemini …"),
    prompt: z.string().min(1).max(100_000).optional().describe("with agent: its first prompt"),
    resume: z.string().min(1).max(100).optional().describe("with agent: its own id of a conversation to go on with"),
    shell: z.string().optional().describe("shell to start without a command"),
    cwd: z.string().optional().describe("the folder to start in"),
    env: z.record(z.string(), EnvValue).optional().describe("variables to set; null removes"),
    base_env: z.record(z.string(), z.string()).optional().describe("whole environment instead of the daemon's"),
    cols: Cols.optional().describe("columns"),
    rows: Rows.optional().describe("rows"),
    name: SessionName.optional().describe("a name for the session"),
    integrate: z.boolean().default(true).describe("let bash, zsh and fish mark their commands"),
    box: WantedBox.optional(),
    worktree: WantedWorktree.optional(),
    lazy: z.boolean().default(false).describe("start the program only when the session is first used"),
    host: OnHost,
  }),
  output: SessionInfo,
  cli: {
    verb: "open",
    args: [],
    rest: "command",
    adds: ["cwd", "base_env"],
    parts: { worktree: { worktree: "branch", from: "from", form: "form" } },
    print: "session",
    examples: [
      "duetty open",
      "duetty open --worktree fix-42 --from main",
      "duetty open --name web --cwd ~/app -- npm run dev",
      "duetty open --box --cwd ~/app",
      'duetty open --agent claude --prompt "Fix the failing test"',
      "duetty open --cols 80 --rows 24 -- vim notes.md",
    ],
  },
  mcp: {
    title: "Open a terminal",
    description:
      "Open a terminal (80x24): a shell, or the program in command. For servers, interactive programs or a place of your own; run_command needs none. Returns session_id; elsewhere its unique prefix or name will do. It is boxed unless the answer's box is null: writes only its work tree and its own /tmp, no network but its own localhost, no secrets.",
    tier: "drive",
    hints: { openWorld: true },
    hide: ["base_env", "integrate", "lazy", "resume"],
    // What most programs are drawn for, and half of what a large screen costs to read.
    defaults: { cols: 80, rows: 24 },
  },
});

export const ptyList = op("pty_list", {
  summary: "List sessions, running ones first.",
  effect: "read",
  input: z.object({
    all: z.boolean().default(true).describe("include ended sessions"),
    disk: z.boolean().default(false).describe("also tell what each takes on disk"),
    host: OnHost,
    hosts: AllHosts,
  }),
  output: z.object({
    sessions: z.array(SessionInfo),
    damaged: z
      .array(z.object({ session_id: z.string(), why: z.string() }))
      .optional()
      .describe("sessions whose files cannot be read, if there are any; nothing of them is deleted"),
    missing: Missing,
  }),
  cli: {
    verb: "ls",
    args: [],
    print: "session",
    forText: { disk: true },
    also: { all: { hosts: "all" } },
    examples: ["duetty ls", "duetty ls --all", "duetty ls --json"],
  },
  mcp: {
    title: "List terminals",
    description:
      "List sessions: id, name, state, command, folder, who has the keyboard, what runs and what it waits for. Use it to find a session_id or what a person works on.",
    tier: "readonly",
    hints: { readOnly: true },
    defaults: { all: false },
    hide: ["disk"],
  },
});

export const ptyClose = op("pty_close", {
  summary: "End a session and every process in it. What it showed stays readable.",
  effect: "write",
  input: z.object({ session_id: SessionRef }),
  output: SessionInfo,
  cli: { verb: "close", args: ["session_id"], print: "session", examples: ["duetty close web"] },
  mcp: {
    title: "Close a terminal",
    description:
      "End a session that you opened, and every process in it. What it showed stays readable. Sessions of others are refused. Returns its state and exit code.",
    tier: "all",
    hints: { destructive: true },
  },
});

export const remove = op("remove", {
  summary: "Delete an ended session with everything that it printed.",
  effect: "control",
  input: z.object({ session_id: SessionRef }),
  output: z.object({ session_id: SessionId, removed: z.literal(true) }),
  cli: { verb: "rm", args: ["session_id"], print: "session", examples: ["duetty rm s_7f3k2m9q"] },
});

const Keep = z.number().min(0).max(1_000_000).optional();

export const gc = op("gc", {
  summary:
    "Show which ended sessions leave the disk, by journal.keep in config.json or the rules given; --yes deletes them.",
  effect: "control",
  input: z.object({
    days: Keep.describe("keep what ended within so many days"),
    sessions: Keep.describe("keep so many ended sessions, the newest"),
    total_mb: Keep.describe("keep so many megabytes, with what runs"),
    session_mb: Keep.describe("keep none that takes more megabytes than this"),
    yes: z.boolean().default(false).describe("delete them now"),
  }),
  output: z.object({
    leaves: z.array(
      SessionInfo.pick({ session_id: true, name: true, command: true, actor: true }).extend({
        bytes: z.int(),
        why: z.string(),
      }),
    ),
    bytes: z.int().describe("of all of them together"),
    kept_bytes: z.int().describe("what the others take"),
    removed: z.boolean(),
  }),
  cli: { verb: "gc", args: [], print: "session", examples: ["duetty gc", "duetty gc --days 30 --yes"] },
});

export const ptyResize = op("pty_resize", {
  summary: "Resize a session's terminal. The program gets the new size.",
  effect: "write",
  input: z.object({ session_id: SessionRef, cols: Cols, rows: Rows }),
  output: z.object({ session_id: SessionId, cols: Cols, rows: Rows }),
  cli: {
    verb: "resize",
    args: ["session_id", "cols", "rows"],
    examples: ["duetty resize web 100 30", "duetty resize web 100x30"],
  },
  mcp: {
    title: "Resize a terminal",
    description:
      "Give a session's terminal another size; its program is told and redraws. Everybody who watches sees the new size.",
    tier: "all",
    hints: {},
  },
});

export const signal = op("signal", {
  summary: "Send a signal to the program in the foreground of a session.",
  effect: "write",
  input: z.object({
    session_id: SessionRef,
    signal: z.string().default("SIGINT").describe("INT, TERM, HUP, KILL, USR1 … with or without SIG"),
  }),
  output: z.object({ session_id: SessionId, signal: z.string(), delivered: z.boolean() }),
  cli: {
    verb: "signal",
    args: ["session_id", "signal"],
    examples: ["duetty signal web INT", "duetty signal web TERM"],
  },
  mcp: {
    title: "Send a signal",
    description:
      "Send a signal to the program in front of a session: INT (Ctrl+C) stops a server, TERM or KILL where that does not help. Nobody is asked: it works only for what you opened or began.",
    tier: "drive",
    hints: { destructive: true },
  },
});
