// What a page needs besides the terminal: names, completion, files to open, the workspace's checks, and a word when something changed.
import * as z from "zod";
import { op } from "../op.ts";
import { SessionRef } from "../words/ids.ts";
import { SessionInfo } from "./session.ts";

export const rename = op("rename", {
  summary: "Give a session another name, or none.",
  effect: "control",
  input: z.object({ session_id: SessionRef, name: z.string().max(100).describe("empty: no name") }),
  output: SessionInfo,
  cli: { verb: "rename", args: ["session_id", "name"], examples: ["duetty rename s_7f3k2m9q web"] },
});

/** More is not read by anybody. */
export const CANDIDATES_MAX = 200;

const Candidate = z.object({
  text: z.string().describe("replaces the text from `from` on"),
  kind: z.enum(["command", "option", "variable", "script", "word", "file", "folder"]),
  about: z.string().describe("what the shell says of it; often empty"),
});

export const complete = op("complete", {
  summary: "Complete a command line that a person writes, as the session's own shell would.",
  effect: "control",
  input: z.object({
    session_id: SessionRef,
    line: z.string().max(20_000),
    caret: z.int().min(0).optional().describe("where it is written, in UTF-16 units; default: the line's end"),
    kind: z
      .enum(["shell", "path"])
      .default("shell")
      .describe("shell: what Tab would offer; programs may run for it, in a box. path: names of files"),
  }),
  output: z.object({
    from: z.int().describe("where in the line the completed part begins"),
    candidates: z.array(Candidate).max(CANDIDATES_MAX),
    more: z.int().describe("candidates left out"),
    becomes: z.object({ text: z.string(), caret: z.int() }).describe("the line after Tab"),
    note: z.string().nullable().describe("why these are only names of files"),
  }),
});

/** A person's line calls no more programs that they would look at. */
const COMMANDS_MAX = 20;

export const unknownCommands = op("unknown_commands", {
  summary: "Say which of these names the session's shell would not find as a command. Nothing is run for it.",
  effect: "control",
  input: z.object({
    session_id: SessionRef,
    names: z
      .array(z.string().regex(/^\w[\w.+@:-]{0,99}$/))
      .max(COMMANDS_MAX)
      .describe("plain names, no paths"),
  }),
  output: z.object({ unknown: z.array(z.string()).describe("surely unknown; what cannot be told is not among them") }),
});

export const lift_line = op("lift_line", {
  summary: "Take the half line away from the shell's prompt, to go on writing it elsewhere.",
  effect: "control",
  input: z.object({ session_id: SessionRef }),
  output: z.object({
    text: z.string().nullable().describe("null: the shell is not at a prompt"),
    actor: z.string().describe("who typed last"),
  }),
});

/** What a screen full of errors names. A page asks in parts. */
const NAMES_MAX = 200;

export const findFiles = op("find_files", {
  summary: "Say which of these names, as a program printed them, are files.",
  effect: "control",
  input: z.object({
    session_id: SessionRef,
    folder: z.string().max(4_096).optional().describe("where they were printed; default: the session's folder"),
    names: z.array(z.string().min(1).max(1_024)).max(NAMES_MAX),
  }),
  output: z.object({ files: z.array(z.object({ name: z.string(), path: z.string() })) }),
});

export const edit = op("edit", {
  summary: "Open a file for a person: in their editor, in a new session, or by the address that config.json names.",
  effect: "control",
  input: z.object({
    session_id: SessionRef.describe("the session in which it was named"),
    path: z.string().min(1).max(4_096),
    line: z.int().min(1).optional(),
    column: z.int().min(1).optional(),
  }),
  output: z.object({
    session: SessionInfo.optional().describe("the new session, with the editor in it"),
    url: z.string().optional().describe("the address that opens it"),
  }),
});

export const Check = z.object({
  name: z.enum(["test", "lint", "types", "build", "format"]),
  command: z.string(),
  why: z.string().describe("the file that says so"),
});
export type Check = Readonly<z.output<typeof Check>>;

export const checks = op("checks", {
  summary: "List this workspace's own checks: tests, linter, types, build, as its files define them.",
  effect: "read",
  input: z.object({ session_id: SessionRef.optional(), cwd: z.string().max(4_000).optional() }),
  output: z.object({
    cwd: z.string(),
    checks: z.array(Check),
  }),
  cli: { verb: "checks", args: ["cwd"], adds: ["cwd"], examples: ["duetty checks", "duetty checks ~/app --json"] },
});

export const news = op("news", {
  summary: "Wait until sessions, commands, holds or questions changed; then ask for what you show.",
  effect: "read",
  input: z.object({
    since: z.int().min(0).default(0).describe("the last seq you know; 0 answers at once"),
    timeout_ms: z.int().min(0).max(600_000).default(25_000),
  }),
  output: z.object({ seq: z.int() }),
});
