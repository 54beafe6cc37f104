// Starts of agent CLIs: our words, variables and files around what was asked. Owns: a session's private files, which go with its end.
// Writes none of the person's files. Refuses: to decide whether it is boxed, and who may open what.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { basename, join } from "node:path";
import { startOf } from "../../core/agent-cli/start/own-starts.ts";
import { beginning, markersIn, type Places, startCommand } from "../../core/agent-cli/start/start.ts";
import type { StartPreset } from "../../core/agent-cli/start/start-preset.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import type { SessionBoxes } from "../../core/box/boxes.ts";
import { PROXY_FOLDER } from "../../core/box/bridge.ts";
import type { BoxSummary } from "../../core/box/plan.ts";
import type { Meta } from "../../core/journal/store.ts";
import type { BoxOpenings, PtyCommand } from "../../core/pty/pty.ts";
import { shellLine } from "../../core/run/tests/shell-words.ts";
import { agentFolder } from "../../host/agent-folders.ts";
import { proxyFolder } from "../../host/sandbox/network/session-proxies.ts";
import { BIN, packageFile } from "../../package.ts";
import type { Input } from "../../protocol/ops.ts";
import { agentNameIn } from "../../protocol/plain/agent-name.ts";
import { type Home, homeOf } from "../../protocol/plain/home.ts";

/** The private folder of a session without a box. In a box it is the one that has the way to the daemon. */
const FOLDER = "agent";
/** In a box: the agent's own files, which stay as long as the session's, and a home and caches, which go with its end. */
const OWN = { config: "agent-cli/config", home: "agent-cli/home" };

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]):/;

type Env = Readonly<Record<string, string>>;
type Wanted = Pick<Input<"pty_open">, "agent" | "prompt" | "resume" | "command" | "env">;

export interface AgentStart {
  readonly preset: StartPreset;
  /** What was asked behind the agent's name. */
  readonly args: readonly string[];
  readonly resume: string | undefined;
  /** What was asked, without our words. */
  readonly words: readonly string[];
  /** Whether the person's login and keys come along in a box. An agent's start has them only by a person's yes. */
  readonly login: "theirs" | "none";
}

interface Placed {
  readonly command: PtyCommand;
  readonly box: BoxSummary | null;
}

interface Earlier {
  readonly id: string;
  readonly meta: Meta;
}

export class AgentStarts {
  #home: Home;
  #homeFolder: string;
  #starts: readonly StartPreset[];

  constructor(home: Home, homeFolder: string, starts: readonly StartPreset[]) {
    [this.#home, this.#homeFolder, this.#starts] = [home, homeFolder, starts];
  }

  /** Undefined: none was asked for. `again`: an agent that cannot go on with its conversation begins a new one. */
  asked({ agent, prompt, resume, command: args = [] }: Wanted, start: "new" | "again"): AgentStart | Fault | undefined {
    if (agent === undefined) {
      const lone = prompt !== undefined ? "prompt" : resume !== undefined ? "resume" : undefined;
      return lone && fault("input.invalid", `${lone} is for agents`, "Say which one with agent.");
    }
    const preset = startOf(this.#starts, agent);
    if (isFault(preset)) return preset;
    const first = prompt === undefined ? [] : [...preset.prompt, prompt];
    const isLost = start === "again" && preset.resume.length === 0;
    const known = isLost ? undefined : resume;
    const old = known === undefined ? [] : preset.resume.map((word) => word.replaceAll("{id}", known));
    const words = [...preset.command, ...old, ...args, ...first];
    return { preset, args, words, resume: known, login: "none" };
  }

  /** Those whose program is there. */
  names(isThere: (file: string) => boolean): string[] {
    return this.#starts.filter(({ command: [file = ""] }) => isThere(file)).map(({ name }) => name);
  }

  /** What starts it again, for a person to read: with its old conversation, where that can be named. */
  againWords(wanted: Wanted): { readonly words: readonly string[]; readonly resume: string | undefined } | Fault {
    const start = this.asked(wanted, "again");
    if (start === undefined || isFault(start)) return start ?? { words: wanted.command ?? [], resume: undefined };
    return start;
  }

  /** Whether its command is an agent with something to do, which it would do again. A first prompt is not said again. */
  isTasked({ agent, agent_args = [], command: [file = "", ...words] }: Meta): boolean {
    const isAgent = agent || this.#starts.some(({ command }) => command[0] === basename(file));
    return Boolean(isAgent) && (agent ? agent_args : words).some((word) => !word.startsWith("-"));
  }

  /** Hosts that its box opens: the maker's, and that of a provider which the person has named. */
  hosts(preset: StartPreset, env: Env): string[] {
    return [...preset.hosts, ...preset.bases.flatMap((name) => hostOf(env[name] ?? ""))];
  }

  /** The command with our words around it. Makes the private files; `ended` takes them away. `all`: sessions, of any kind. */
  prepare(id: string, agent: AgentStart, input: Wanted, { command, box }: Placed, all: readonly Earlier[]) {
    const { preset, args, resume, login } = agent;
    const folder = box ? proxyFolder(this.#home.sessions, id) : join(this.#home.sessions, id, FOLDER);
    const isBoxed = box !== null;
    const home = isBoxed ? PROXY_FOLDER : this.#home.dir;
    const hook = shellLine(["env", `DUETTY_HOME=${home}`, process.execPath, BIN, "hook"]);
    const root = box?.roots[0] ?? command.cwd;
    const ours = { node: process.execPath, duetty: BIN, home, hook, cwd: command.cwd, root };
    const known = { ...ours, private: isBoxed ? PROXY_FOLDER : folder, config: "", id: randomUUID() };
    const own = box && preset.config && this.#ownFolder(id, agent, command.env, known, all);
    const wish = { prompt: input.prompt, args, resume, isBoxed };
    const start = startCommand(preset, wish, { ...known, config: own?.folder ?? "" });
    if (isFault(start)) return start;
    for (const [name, text] of Object.entries(start.files)) write(folder, name, text);
    if (isBoxed) this.#openWay(folder);
    const [file = "", ...words] = start.argv;
    const env = agentEnv(command.env, start.env, input.env ?? {});
    const hosts = this.hosts(preset, command.env);
    const opens: BoxOpenings = {
      writable: own ? [...own.writable, ...(login === "theirs" ? own.logins : [])] : [],
      readable: [packageFile(""), ...(command.opens?.readable ?? [])],
      own: this.#in(id, OWN.home),
      variables: [...(login === "theirs" ? preset.keys : []), ...Object.keys(start.env)],
      loopback: hosts.some((host) => LOOPBACK.test(host) && box?.network.includes(host)) ? "outside" : "own",
    };
    return { command: { ...command, file, args: words, env, opens }, agent_session_id: start.agent_session_id };
  }

  /** Its program ended, or never began. */
  ended(id: string): void {
    const dir = join(this.#home.sessions, id);
    fs.rmSync(join(dir, FOLDER), { recursive: true, force: true });
    // Caches may be large. What is left when the daemon ends goes with the next one's start.
    fs.rm(join(dir, OWN.home), { recursive: true, force: true }, () => undefined);
    if (fs.existsSync(tokenIn(join(dir, "network")))) fs.rmSync(join(dir, "network"), { recursive: true, force: true });
  }

  /** Those that still run after a restart. The others ended while nobody looked. */
  keepOnly(running: ReadonlySet<string>): void {
    for (const id of fs.readdirSync(this.#home.sessions)) if (!running.has(id)) this.ended(id);
  }

  /** A box that another start had may have left anything. So each has its own, and few files pass on. */
  #ownFolder(id: string, agent: AgentStart, env: Env, places: Places, all: readonly Earlier[]) {
    const { config, name } = agent.preset;
    if (!config) return null;
    const { theirs, parts, login, seen, apart, begins, conversation } = config;
    const named = theirs.variable === undefined ? undefined : env[theirs.variable];
    const folder = named ?? join(this.#homeFolder, theirs.path);
    const texts = Object.entries(begins).map(([file, value]) => [file, beginning(value, places)]);
    const old = all
      .filter(({ meta }) => meta.agent === name && meta.box?.roots[0] === places.root)
      .sort((a, b) => b.meta.created_at - a.meta.created_at);
    const folderOf = (session: Earlier) => this.#in(session.id, OWN.config);
    const before = old.filter(({ meta }) => meta.agent_session_id === agent.resume);
    const said = agent.resume === undefined ? [] : before.slice(0, 1);
    const mine = agent.login === "none" ? [] : old.filter(({ meta }) => agentNameIn(meta.actor) === undefined);
    const earlier = [
      ...said.map((one) => ({ folder: folderOf(one), files: filesOf(conversation, agent.resume) })),
      ...mine.map((one) => ({ folder: folderOf(one), files: login })),
    ];
    const at = { made: this.#in(id, OWN.config), root: places.root, parts };
    const linked = [{ folder, part: parts[0], login, seen }];
    if (apart) linked.push({ ...apart, folder: join(this.#homeFolder, apart.path), login: [] });
    return agentFolder(at, linked, Object.fromEntries(texts), earlier);
  }

  #in(id: string, name: string): string {
    return join(fs.realpathSync(this.#home.sessions), id, name);
  }

  /** What a client in the box needs to find and call the daemon. The socket is there while the session runs. */
  #openWay(folder: string): void {
    fs.mkdirSync(homeOf({ DUETTY_HOME: folder }).run, { recursive: true, mode: 0o700 });
    write(folder, "agent.token", fs.readFileSync(this.#home.agentToken, "utf8"));
  }
}

/** Boxes in which agents that we started find the daemon: the same folder has their network, and a socket of ours. */
export function withWays(
  boxes: SessionBoxes,
  sessions: string,
  listenAt: (path: string) => { close(): void },
): SessionBoxes {
  return {
    ...boxes,
    proxy(id, network, failed) {
      const proxy = boxes.proxy(id, network, failed);
      const folder = proxyFolder(sessions, id);
      const way = fs.existsSync(tokenIn(folder)) ? listenAt(homeOf({ DUETTY_HOME: folder }).daemonSocket) : undefined;
      return {
        close() {
          way?.close();
          proxy.close();
        },
      };
    },
  };
}

function filesOf(patterns: readonly string[], id = ""): string[] {
  return patterns.map((pattern) => pattern.replace("{id}", id).replace("{id8}", id.slice(0, 8)));
}

function tokenIn(folder: string): string {
  return homeOf({ DUETTY_HOME: folder }).agentToken;
}

function write(folder: string, name: string, text: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(join(folder, name), text, { mode: 0o600 });
}

/** Without what another agent has left there. What was asked for by name counts. */
function agentEnv(env: Env, ours: Env, asked: NonNullable<Wanted["env"]>): Record<string, string> {
  const left = new Set(markersIn(Object.keys(env)).filter((name) => !(name in asked)));
  const kept = Object.entries(env).filter(([name]) => !left.has(name));
  const set = Object.entries(ours).filter(([name]) => !(name in asked));
  return Object.fromEntries([...kept, ...set]);
}

/** With its port: without one, a rule of a box opens all of them. */
function hostOf(base: string): string[] {
  if (!URL.canParse(base)) return [];
  const { protocol, hostname, port } = new URL(base);
  return hostname === "" ? [] : [`${hostname}:${port || (protocol === "http:" ? 80 : 443)}`];
}
