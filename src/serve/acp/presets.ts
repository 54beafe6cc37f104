// The agents that can be hosted: known ones, and those in config.json. Data, and a search in PATH.
import { isFault } from "../../core/base/fault.ts";
import { resolveCommand } from "../../host/pty/resolve.ts";

/** As config.json has them. */
interface NamedAgent {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly available: boolean;
  /** How it is started, or what to do to have it. */
  readonly note: string;
}

interface Known extends Pick<Preset, "name" | "title" | "argv" | "env"> {
  readonly package: string;
}

const KNOWN: readonly Known[] = [
  {
    name: "claude",
    title: "Claude Code",
    argv: ["claude-agent-acp"],
    // It refuses to run inside itself, and believes that when the daemon was started from one of its terminals.
    env: { CLAUDECODE: "" },
    package: "@agentclientprotocol/claude-agent-acp",
  },
  {
    name: "codex",
    title: "Codex",
    argv: ["codex-acp"],
    // By default a second model answers its questions. Here people answer them.
    env: { INITIAL_AGENT_MODE: "workspace-write" },
    package: "@agentclientprotocol/codex-acp",
  },
  { name: "gemini", title: "Gemini CLI", argv: ["gemini", "--acp"], env: {}, package: "@google/gemini-cli" },
  {
    name: "opencode",
    title: "opencode",
    argv: ["opencode", "acp"],
    // By default it runs and writes without asking.
    env: { OPENCODE_PERMISSION: '{"bash":"ask","edit":"ask","webfetch":"ask"}' },
    package: "opencode-ai",
  },
];

type Env = Readonly<Record<string, string | undefined>>;

/** A person's own entry replaces ours of the same name. */
export function presets(named: Readonly<Record<string, NamedAgent>>, env: Env): Preset[] {
  const own = Object.entries(named).map(([name, { command, env: theirs = {} }]) => ({
    ...{ name, title: name, argv: command, env: theirs },
    ...found(command, { ...env, ...theirs }, null),
  }));
  const ours = KNOWN.filter(({ name }) => !Object.hasOwn(named, name)).map(({ package: from, ...known }) => ({
    ...known,
    ...found(known.argv, env, from),
  }));
  return [...ours, ...own];
}

export function isHostedName(name: string, named: Readonly<Record<string, NamedAgent>>): boolean {
  return Object.hasOwn(named, name) || KNOWN.some((known) => known.name === name);
}

function found(argv: readonly string[], env: Env, from: string | null): Pick<Preset, "available" | "note"> {
  const [file = "", ...args] = argv;
  const vars = env.PATH === undefined ? {} : { PATH: env.PATH };
  const resolved = resolveCommand({ file, args, cwd: "/", env: vars });
  if (!isFault(resolved)) return { available: true, note: argv.join(" ") };
  return { available: false, note: from === null ? `${resolved.message} ${resolved.hint}` : `npm install -g ${from}` };
}
