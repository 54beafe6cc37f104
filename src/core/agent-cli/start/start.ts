// A start preset and a wish become a command: words, variables and files. Pure; nothing here looks at a disk.
import { type Fault, fault } from "../../base/fault.ts";
import type { StartPreset, Value, Word } from "./start-preset.ts";

/** What the braces stand for. */
export interface Places {
  readonly node: string;
  readonly duetty: string;
  readonly home: string;
  readonly hook: string;
  readonly cwd: string;
  readonly root: string;
  readonly private: string;
  readonly config: string;
  readonly id: string;
}

interface StartWish {
  readonly prompt: string | undefined;
  /** A person's own words for the agent. */
  readonly args: readonly string[];
  /** An old conversation. */
  readonly resume: string | undefined;
  readonly isBoxed: boolean;
}

interface StartCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Name and text of each file in the private folder. */
  readonly files: Readonly<Record<string, string>>;
  /** How the agent calls this conversation, where we may say so. */
  readonly agent_session_id: string | null;
}

/** An id stands in an agent's command line and never begins an option. */
export function isAgentSessionId(text: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,99}$/.test(text);
}

export function startCommand(preset: StartPreset, wish: StartWish, places: Places): StartCommand | Fault {
  const { prompt, args, resume, isBoxed } = wish;
  if (resume !== undefined && (preset.resume.length === 0 || !isAgentSessionId(resume)))
    return fault(
      "input.invalid",
      `${preset.name} cannot go on with "${resume}"`,
      "Leave it out for a new conversation.",
    );
  const known = { ...places, ...(resume === undefined ? {} : { id: resume }) };
  const word = (one: Word) => wordOf(one, known);
  const isNamed = resume !== undefined || preset.newId.length > 0;
  const env = { ...preset.env, ...(isBoxed ? { ...preset.config?.env, ...preset.boxEnv } : {}) };
  return {
    argv: [
      ...preset.command,
      ...(resume === undefined ? [] : preset.resume.map(word)),
      ...[...preset.args, ...(isBoxed ? preset.boxArgs : [])].map(word),
      ...(resume === undefined ? preset.newId.map(word) : []),
      ...args,
      ...(prompt === undefined ? [] : [...preset.prompt, prompt]),
    ],
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, word(value)])),
    files: Object.fromEntries(
      Object.entries(preset.files).map(([name, value]) => [name, JSON.stringify(filled(value, known), null, 2)]),
    ),
    agent_session_id: isNamed ? known.id : null,
  };
}

function wordOf(word: Word, places: Places): string {
  if (typeof word === "string") return text(word, places);
  return "json" in word ? JSON.stringify(filled(word.json, places)) : word.after + toml(filled(word.toml, places));
}

/** A file that a new folder of an agent begins with. */
export function beginning(value: Value, places: Places): string {
  return `${JSON.stringify(filled(value, places), null, 2)}\n`;
}

function filled(value: Value, places: Places): Value {
  if (typeof value === "string") return text(value, places);
  if (typeof value !== "object") return value;
  if (isList(value)) return value.map((one) => filled(one, places));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [text(key, places), filled(one, places)]));
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Each place once: what is put in is not read again. */
function text(template: string, places: Places): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(places, name) ? places[name as keyof Places] : whole,
  );
}

/** In one line. What JSON writes between quotes, TOML reads. */
function toml(value: Value): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(toml).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)} = ${toml(one)}`);
  return `{ ${pairs.join(", ")} }`;
}

/** Variables by which agents tell the programs that they start who they are. A new one would believe that it runs inside another. */
const MARKERS =
  /^(?:CLAUDECODE|CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT|SESSION_ID|CHILD_SESSION|EXECPATH|TMPDIR)|CLAUDE_(?:PROJECT_DIR|ENV_FILE|PID)|CODEX_(?:SANDBOX|SANDBOX_NETWORK_DISABLED|THREAD_ID|INTERNAL_ORIGINATOR_OVERRIDE|CI|MANAGED_\w+)|GEMINI_CLI(?:_NO_RELAUNCH|_IDE_\w+)?|QWEN_CODE(?:_\w+)?|OPENCODE(?:_PID|_PROCESS_ROLE|_RUN_ID|_CALLER)?|COPILOT_(?:CLI|AGENT_\w+|RUN_APP)|CURSOR_(?:AGENT|TRACE_ID)|AMP_\w*THREAD\w*|AGENT|AI_AGENT|IS_SANDBOX|DUETTY_MCP_\w+)$/;

/** The names that a new agent does not inherit. */
export function markersIn(names: readonly string[]): readonly string[] {
  return names.filter((name) => MARKERS.test(name));
}
