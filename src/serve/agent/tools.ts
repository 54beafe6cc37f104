// The built-in agent's tools: operations of the table, in its own session and under its own name, and a few reads and
// notes. Terminal tools take the same way as those of any other agent: through the handlers and the gate.

import * as z from "zod";
import type { Kind } from "../../core/agent/agent.ts";
import type { Seen, Tool } from "../../core/agent/tool.ts";
import type { Cancelled } from "../../core/base/cancellation.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { shortened } from "../../core/base/head-tail.ts";
import { marked } from "../../core/base/invisible.ts";
import { offered } from "../../mcp/schemas.ts";
import { textOf } from "../../mcp/texts.ts";
import { type AnyOp, type OpName, ops } from "../../protocol/ops.ts";
import { wrongInput } from "../../protocol/words/wrong-input.ts";
import type { WorkspaceFiles } from "./files.ts";

/** One observation: what a model can take in at once. */
const OBSERVATION_CHARS_MAX = 12_000;
/** How long the agent waits for a command before it asks again. */
const RUN_TIMEOUT_MS = 120_000;
const NOTE_CHARS_MAX = 4_000;
const PLAN_ENTRIES_MAX = 50;

/** Its operations, their kind for the driver, and the inputs that we fix. */
const OFFERED: Readonly<
  Partial<Record<OpName, { kind: Kind; fixed: Readonly<Record<string, unknown>>; hide: readonly string[] }>>
> = {
  run_command: {
    kind: "terminal",
    fixed: { max_output_chars: 8_000, mode: "pty" },
    hide: ["cwd", "env", "base_env", "mode", "stdin", "max_output_chars"],
  },
  run_tests: { kind: "terminal", fixed: { max_output_chars: 8_000 }, hide: ["cwd", "max_output_chars"] },
  pty_send: { kind: "terminal", fixed: {}, hide: ["mouse", "scroll"] },
  pty_wait: { kind: "terminal", fixed: {}, hide: ["region", "ignore_rows"] },
  ask_person: { kind: "terminal", fixed: {}, hide: [] },
  pty_read_screen: {
    kind: "internal",
    fixed: { format: "json" },
    hide: ["format", "since_hash", "since_seq", "zones"],
  },
  blocks: { kind: "internal", fixed: {}, hide: [] },
  block: { kind: "internal", fixed: { format: "text" }, hide: ["format", "offset"] },
  search: { kind: "internal", fixed: {}, hide: ["after"] },
};

interface ToolParts {
  readonly session_id: string;
  readonly files: WorkspaceFiles;
  perform(op: AnyOp, input: unknown, cancelled: Cancelled): Promise<object | Fault>;
  /** A person took the keyboard, so the agent waits until they give it back. */
  isTaken(): boolean;
}

export function builtInTools(parts: ToolParts): Tool[] {
  const fromTable = ops.flatMap((op) => {
    const ours = OFFERED[op.name];
    return ours ? [opTool(op, ours.kind, ours.fixed, ours.hide, parts)] : [];
  });
  return [...fromTable, ...ownTools(parts.files)];
}

function opTool(
  op: AnyOp,
  kind: Kind,
  fixed: Readonly<Record<string, unknown>>,
  hide: readonly string[],
  { session_id, perform, isTaken }: ToolParts,
): Tool {
  const given = "session_id" in op.input.shape ? { ...fixed, session_id } : fixed;
  const schema = offered(op.name, op.input, { hide: [...hide, "session_id"] });
  return {
    name: op.name,
    description: op.mcp?.description ?? op.summary,
    schema,
    kind,
    title: (args) => titleOf(op.name, args),
    async run(args, cancelled) {
      if (typeof args !== "object" || args === null) return notJson(op.name);
      const unknown = Object.keys(args).find((name) => !(name in schema.properties));
      if (unknown !== undefined) return fault("input.invalid", `${op.name} has no field ${unknown}`, "See its schema.");
      const patience = op.name === "run_command" ? { timeout_ms: RUN_TIMEOUT_MS } : {};
      const result = await perform(op, { ...patience, ...args, ...given }, cancelled);
      if (isFault(result)) return { ...refused(result), held: result.code === "gate.held" };
      return { ...seenOf(op, result), held: kind === "terminal" && isTaken() };
    },
  };
}

/** Its conversation is read by people, too: what a program printed stands in a step of its own there. */
const asItIs = (text: string): string => text;

function seenOf(op: AnyOp, result: object): Seen {
  const facts = result as { status?: string; exit_code?: number | null; verdict?: string };
  const run = "run" in result ? (result.run as { block_id?: string } | null) : result;
  const block_id = (run as { block_id?: string | null } | null)?.block_id ?? null;
  const isBad =
    (facts.exit_code ?? 0) !== 0 ||
    facts.verdict === "failed" ||
    facts.status === "denied" ||
    facts.status === "approval_pending";
  return {
    ok: !isBad,
    text: shortened(textOf(op.name, result, asItIs), OBSERVATION_CHARS_MAX),
    again: block_id === null ? null : `block ${block_id}`,
    block_id,
    suggests: isInteractive(result) ? "terminal" : null,
  };
}

/** A program has the screen or waits for keys, so the terminal says more than words. */
function isInteractive(result: object): boolean {
  const waiting = "waiting" in result ? (result.waiting as { kind: string } | null) : null;
  const screen = "screen" in result ? (result.screen as { alt_screen?: boolean } | undefined) : undefined;
  return waiting?.kind === "full_screen" || waiting?.kind === "keys" || screen?.alt_screen === true;
}

/** A one-line title for people: the command, the keys, or the condition it waits for. */
function titleOf(name: OpName, args: unknown): string {
  const given = (typeof args === "object" && args !== null ? args : {}) as Record<string, unknown>;
  const words = [
    given.command,
    given.text,
    given.keys,
    given.paste,
    given.message,
    given.file,
    given.name,
    given.query,
    given.block_id,
  ]
    .flat()
    .filter((word): word is string => typeof word === "string");
  return words.length > 0 ? words.join(" ") : name.replaceAll("_", " ");
}

function ownTools(files: WorkspaceFiles): Tool[] {
  return [
    own("read_file", "Read a text file of the workspace, with line numbers.", ReadFile, ({ path, from, lines }) => {
      const look = files.read(path, from, lines);
      return isFault(look) ? look : seen(look.text, look.again);
    }),
    own("list_files", "List a folder of the workspace.", ListFiles, ({ path }) => {
      const look = files.list(path);
      return isFault(look) ? look : seen(look.text, look.again);
    }),
    own("plan", "Keep a short plan that the person sees; give the whole plan each time.", Plan, ({ plan }) => ({
      ...seen("The plan is noted.", null),
      plan,
    })),
    own("note", "Note something for yourself; it stays in this conversation.", Note, () => seen("Noted.", null)),
  ];
}

const ReadFile = z.object({
  path: z.string().min(1).max(4_000),
  from: z.int().min(1).default(1).describe("first line"),
  lines: z.int().min(1).max(400).default(200),
});
const ListFiles = z.object({ path: z.string().max(4_000).default(".") });
const Plan = z.object({
  plan: z
    .array(
      z.object({
        text: z.string().min(1).max(500),
        status: z.enum(["pending", "in_progress", "completed"]).default("pending"),
      }),
    )
    .max(PLAN_ENTRIES_MAX),
});
const Note = z.object({ text: z.string().min(1).max(NOTE_CHARS_MAX) });

function own<In extends z.ZodObject>(
  name: string,
  description: string,
  input: In,
  run: (args: z.output<In>) => Seen | Fault,
): Tool {
  return {
    name,
    description,
    schema: offered(name, input, {}),
    kind: "internal",
    title: (args) => {
      const path = typeof args === "object" && args !== null && "path" in args ? String(args.path) : "";
      return path === "" ? name.replaceAll("_", " ") : path;
    },
    async run(args) {
      if (typeof args !== "object" || args === null) return notJson(name);
      const given = input.safeParse(args);
      return given.success
        ? run(given.data)
        : fault("input.invalid", wrongInput(given.error), `See the schema of ${name}.`);
    },
  };
}

/** Files hold what people do not see, too. */
function seen(text: string, again: string | null): Seen {
  const shown = shortened(marked(text, { controls: "keep" }), OBSERVATION_CHARS_MAX);
  return { ok: true, text: shown, again, block_id: null, suggests: null };
}

function refused({ message, hint }: Fault): Seen {
  return { ok: false, text: `${message}. ${hint}`, again: null, block_id: null, suggests: null };
}

function notJson(tool: string): Fault {
  return fault("input.invalid", `the arguments of ${tool} are not a JSON object`, "Give them by its schema.");
}
