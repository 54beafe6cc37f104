// config.json in the home folder: a person's settings for all sessions. An unreadable file stops the start with a
// clear message, because guessing would be worse. The agents' settings are read again whenever one is asked.
import fs from "node:fs";
import * as z from "zod";
import { presetsWith } from "../core/agent-cli/own-presets.ts";
import { startsWith } from "../core/agent-cli/start/own-starts.ts";
import { type Fault, fault, isFault } from "../core/base/fault.ts";
import { readRules } from "../core/box/network.ts";
import { DEFAULT_LIMITS } from "../core/gate/shares.ts";
import { redactRules } from "../core/redact/rules.ts";
import { isAgentName } from "../protocol/plain/agent-name.ts";
import { PUBLIC_ORIGINS_MAX, wrongOrigin } from "../protocol/plain/public-origins.ts";
import { BlockedKind } from "../protocol/words/agent-state.ts";
import { TerminalNotice } from "../protocol/words/need.ts";
import { wrongInput } from "../protocol/words/wrong-input.ts";
import { EditorAddress } from "./editor.ts";
import { FleetConfig } from "./fleet/config.ts";

const Patterns = z.array(z.string());
/** A command, or one that counts in one folder only, as "always" stores it. */
const Rules = z.array(z.union([z.string(), z.object({ command: z.string(), folder: z.string() })]));
const Hosts = Patterns.superRefine((texts, ctx) => {
  const rules = readRules(texts);
  if (isFault(rules)) ctx.addIssue(`${rules.message} ${rules.hint}`);
});
const Origins = Patterns.max(PUBLIC_ORIGINS_MAX).superRefine((texts, ctx) => {
  for (const wrong of texts.flatMap((text) => wrongOrigin(text) ?? [])) ctx.addIssue(wrong);
});
const OwnPresets = z
  .record(
    z.string().refine(isAgentName),
    z.strictObject({
      programs: Patterns.max(20).optional(),
      rules: z
        .array(
          z.strictObject({
            state: z.enum(["working", "blocked", "idle", "done", "error"]),
            kind: BlockedKind.optional(),
            title: z.string().optional(),
            screen: Patterns.min(1).max(5).optional(),
          }),
        )
        .max(50)
        .optional(),
      box: z
        .strictObject({
          sign: z.string(),
          open: z.boolean().optional(),
          hint: z.string().optional(),
          newline: z.string().optional(),
        })
        .optional(),
    }),
  )
  .prefault({})
  .transform((own, ctx) => {
    const presets = presetsWith(own);
    if (!isFault(presets)) return presets;
    ctx.addIssue(`${presets.message} ${presets.hint}`);
    return z.NEVER;
  });
const OwnStarts = z
  .record(
    z.string().refine(isAgentName),
    z
      .strictObject({
        command: Patterns.min(1),
        install: z.string(),
        args: Patterns,
        box_args: Patterns,
        prompt: Patterns,
        resume: Patterns.min(1),
        env: z.record(z.string(), z.string()),
        keys: Patterns,
        hosts: Hosts,
      })
      .partial(),
  )
  .prefault({})
  .transform(startsWith);
const Limit = z.int().min(1).nullable();
const Argv = Patterns.min(1).max(50);
const Config = z.strictObject({
  /** What the daemon's log tells: failures; also what begins and ends; also every call. */
  log_level: z.enum(["error", "info", "debug"]).default("info"),
  /** History lines kept in memory for each session. The journal has everything. */
  scrollback_lines: z.int().min(0).max(100_000).default(1_000),
  /** An agent's command that runs longer is interrupted. 0 means never. */
  command_timeout_ms: z.int().min(0).default(0),
  /** An agent's session that is quiet this long is closed. 0 means never. */
  session_timeout_ms: z.int().min(0).default(0),
  /** The screen engine of a session that is quiet this long is let go, and comes back at its next use. 0 means never. */
  sleep_after_ms: z.int().min(0).default(60_000),
  /** How long a shell may take to complete a line. What it has started is killed then. 0: it is never asked. */
  complete_ms: z.int().min(0).max(60_000).default(1_000),
  /** What agents may run without asking, must ask for, may not run: by the commands' normal form. */
  rules: z.object({ allow: Rules, ask: Rules, deny: Rules }).partial().optional(),
  /**
   * Which MCP clients may ask their person and bring the answer. stdio: those that `duetty setup` set up, over standard input and
   * output. on: all, over HTTP too. off: none; people answer only in duetty.
   */
  elicitation: z.enum(["stdio", "on", "off"]).default("stdio"),
  /**
   * What a person's cookie or token counts for when it comes over TCP from a process of another user, such as the end of an ssh
   * tunnel. agent: nobody can tell whether it runs inside a session.
   */
  unseen_peers: z.enum(["agent", "person"]).default("agent"),
  /** Addresses under which a tunnel or a proxy shows the page, such as https://desk.example.net. Links begin with the first. */
  public_origins: Origins.default([]),
  /** Pages of other sites that may show sessions and call operations with a token (src/serve/http/embedding.ts). */
  embed_origins: Origins.default([]),
  /** Notifications on paired devices that switched them on. */
  push: z
    .strictObject({
      /** A command that took this long is worth one when it ends. */
      long_ms: z.int().min(0).default(60_000),
      /** Also to push services on this machine, without TLS: for tests alone. */
      loopback: z.boolean().default(false),
    })
    .prefault({}),
  /** How a terminal that is attached to one session tells of needs in others. */
  notify: z.array(TerminalNotice).default(["osc9"]),
  /** A program of your own for each event, with its arguments; no shell. src/serve/needs/event-commands.ts says how it runs. */
  on: z.strictObject({ needs: Argv, session: Argv, agent: Argv, block: Argv, approval: Argv }).partial().optional(),
  /** The address by which your own editor opens a file: vscode://file/{path}:{line}:{col}. Default: $EDITOR, in a session. */
  editor: EditorAddress.optional(),
  /** Other machines. */
  fleet: FleetConfig,
  /** What sessions keep of their output. */
  journal: z
    .strictObject({
      /** What a session may print while no daemon reads it: a minute of a loud one. */
      unread_mb: z.int().min(4).max(1_000_000).default(64),
      /** Beyond that: the program waits, or what it prints is dropped and a gap says how much. */
      unread_beyond: z.enum(["pause", "drop"]).default("pause"),
      /** How long after a session's end its output is compressed. Null: never. What ended long ago is seldom read again. */
      pack_after_days: z.number().min(0).nullable().default(7),
      /** Which ended sessions stay. Null: all, because only a person knows what is worth keeping. */
      keep: z
        .strictObject({
          days: z.number().min(0).nullable().default(null),
          sessions: z.int().min(0).nullable().default(null),
          total_mb: z.number().min(0).nullable().default(null),
          session_mb: z.number().min(0).nullable().default(null),
          /** How long a person's own session stays after `duetty ls` said that it leaves. */
          warn_days: z.number().min(0).default(7),
        })
        .prefault({}),
    })
    .prefault({}),
  /** What one agent may have at a time. src/core/gate/shares.ts says why so many. */
  limits: z
    .strictObject({
      sessions: z.int().min(1).max(400).default(DEFAULT_LIMITS.sessions),
      /** Running or pending, of people and agents together. */
      all_sessions: z.int().min(1).max(100_000).default(DEFAULT_LIMITS.all_sessions),
      questions: z.int().min(1).max(50).default(DEFAULT_LIMITS.questions),
      runs: z.int().min(1).max(80).default(DEFAULT_LIMITS.runs),
      waits: z.int().min(1).max(1_000).default(DEFAULT_LIMITS.waits),
    })
    .prefault({}),
  /** Shells inside of others that are made to mark their commands without asking: "ssh", "ssh *.lan", "docker", "sudo" … */
  integrate: Patterns.max(100).default([]),
  /** Restore points: the files of a workspace, kept before agents change them. */
  restore: z
    .strictObject({
      on: z.boolean().default(true),
      /** Larger files are listed, not kept. */
      max_file_mb: z.number().min(0).max(1_000).default(10),
      /** What the store of one workspace may hold. With more, no point is made. */
      max_total_mb: z.number().min(1).max(1_000_000).default(2_000),
      /** How long an agent's input waits for its point. After that it goes on, and the points say so. */
      budget_ms: z.int().min(0).max(600_000).default(3_000),
      /** Also keep what .gitignore names. */
      ignored: z.boolean().default(false),
      /** Points of one workspace. */
      keep: z.int().min(1).max(10_000).default(100),
    })
    .prefault({}),
  /** Worktrees of sessions. */
  worktree: z
    .strictObject({
      /** Where they are made; default: below $XDG_DATA_HOME. Never a temporary folder, which loses them. */
      root: z.string().min(1).optional(),
      /** A line for sh that each new one begins with, where its repository has none of its own. */
      setup: z.string().min(1).optional(),
    })
    .prefault({}),
  /** Tasks of agent CLIs. */
  task: z
    .strictObject({
      /** Who gets those that name nobody; default: the first agent that is installed. */
      agent: z.string().min(1).optional(),
      /** More at a time than anybody can follow, and each costs a whole agent. */
      at_once: z.int().min(1).max(400).default(20),
    })
    .prefault({}),
  /** Boxes, in which only the work tree can be written and nothing secret be read. */
  box: z
    .strictObject({
      /** Sessions and lines of agents. */
      agents: z.boolean().default(true),
      /** Sessions of people who do not say otherwise. */
      people: z.boolean().default(false),
      /** Hosts that every box may reach, exactly or as *.SUFFIX. */
      network: Hosts.default([]),
      /** Folders that every box may write besides its work tree. */
      roots: Patterns.default([]),
      /** What nobody in a box sees, besides the usual secrets. */
      masks: Patterns.default([]),
      /** Null: no limit. Address space has none, because node and Go reserve far more than they use. */
      limits: z
        .strictObject({
          processes: Limit.default(4_096),
          file_bytes: Limit.default(16 * 2 ** 30),
          memory_bytes: Limit.default(null),
          cpu_seconds: Limit.default(null),
        })
        .prefault({}),
    })
    .prefault({}),
  /** What agents and logs do not get to see: a person's own rules, and the kinds that are shown after all. */
  redact: z
    .unknown()
    .prefault({})
    .transform((value, ctx) => {
      const rules = redactRules(value);
      if (!isFault(rules)) return rules;
      ctx.addIssue(`${rules.message} ${rules.hint}`);
      return z.NEVER;
    }),
  /** Folders whose .duetty.json counts, with the rules that a person trusted. */
  trusted: z
    .array(z.union([z.string(), z.object({ folder: z.string(), rules: z.unknown(), setup: z.unknown().optional() })]))
    .optional(),
  /** The built-in agent: which model, where its key is found (never the key itself), and how far it may go. */
  agent: z
    .strictObject({
      default: z.string().min(1),
      model: z.string().min(1),
      base_url: z.string().min(1),
      key_env: z.string().min(1),
      key_file: z.string().min(1),
      streaming: z.boolean(),
      max_steps: z.int().min(1).max(1_000),
      time_limit_ms: z.int().min(1_000).max(86_400_000),
      history_chars: z.int().min(5_000).max(5_000_000),
    })
    .partial()
    .optional(),
  /** Agent CLIs in sessions: programs and rules of a person's own, before ours of the same name. */
  agent_states: OwnPresets,
  /** How agent CLIs are started: a person's own, or fields in place of ours. */
  agent_starts: OwnStarts,
  /** Hosted agents besides the known ones: anything that speaks the Agent Client Protocol on its standard streams. */
  agents: z
    .record(
      z.string().refine(isAgentName),
      z.strictObject({ command: z.array(z.string()).min(1), env: z.record(z.string(), z.string()).optional() }),
    )
    .optional(),
});
export type Config = z.output<typeof Config>;
/** As a person writes it: everything may be left out. */
export type ConfigFile = z.input<typeof Config>;

export function readConfig(path: string): Config {
  const text = fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "{}";
  const config = Config.safeParse(parsed(text, path));
  if (config.success) return config.data;
  throw new Error(`${path}: ${wrongInput(config.error)}`);
}

/** What is wrong with a configuration that stands in no file. */
export function wrongConfig(given: unknown): string | undefined {
  const { error } = Config.safeParse(given);
  return error && wrongInput(error);
}

/** Reads it again, for settings that a person may change while the daemon runs. */
export function configNow(path: string): Config | Fault {
  try {
    return readConfig(path);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fault("agent.unavailable", message, "Fix the file and ask again.");
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${String(error)}`);
  }
}
