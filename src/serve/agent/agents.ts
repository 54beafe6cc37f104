// The agents that can be asked, and the performers of their turns. Owns: model settings and keys from a person's environment, in
// memory only, as long as their session lives.

import { createHash } from "node:crypto";
import { Driver } from "../../core/agent/driver/driver.ts";
import { ModelAgent } from "../../core/agent/driver/model-agent.ts";
import type { ConversationLink, Performer } from "../../core/agent/performer.ts";
import { advice } from "../../core/base/advice.ts";
import type { Cancelled } from "../../core/base/cancellation.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { APPROVAL_LIFE_MS } from "../../core/base/question-words.ts";
import type { Approvals } from "../../core/gate/approvals.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { nodeClock } from "../../host/clock.ts";
import { readKeyFile } from "../../host/models/key-file.ts";
import { openModel } from "../../host/models/model.ts";
import { modelSettings } from "../../host/models/settings.ts";
import { BIN } from "../../package.ts";
import type { Output } from "../../protocol/ops.ts";
import { BUILT_IN_NAME } from "../../protocol/plain/agent-name.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { isHostedName, type Preset, presets } from "../acp/presets.ts";
import type { Call, Caller } from "../auth.ts";
import type { Config } from "../config.ts";
import type { OpenRequests } from "../opening/open.ts";
import type { Perform } from "../perform.ts";
import { WorkspaceFiles } from "./files.ts";
import { systemPrompt } from "./prompt.ts";
import { builtInTools } from "./tools.ts";

export const BUILT_IN = "built-in";
/** The variables that decide which model is asked, and with which key. */
const MODEL_VARIABLES =
  /^(?:ANTHROPIC_|CLAUDE_|OPENAI_|CODEX_|GEMINI_|GOOGLE_|OPENCODE_|OPENROUTER_|OLLAMA_HOST$|DUETTY_AGENT_)/;

type Env = Readonly<Record<string, string | undefined>>;

interface AgentsParts {
  readonly sessions: Sessions;
  readonly approvals: Approvals;
  readonly opening: OpenRequests;
  /** The config as it is now. */
  config(): Config | Fault;
  readonly home: Home;
  readonly env: Env;
  /** Performs an operation from inside the daemon. */
  readonly perform: Perform;
}

export class Agents {
  #parts: AgentsParts;
  #theirs = new Map<string, Env>();
  /** A digest of the settings of a session's agents. A digest, because the settings contain keys. */
  #madeOf = new Map<string, string>();

  constructor(parts: AgentsParts) {
    this.#parts = parts;
  }

  /** The default agent and its limits. */
  settings(): NonNullable<Config["agent"]> | Fault {
    const config = this.#parts.config();
    return isFault(config) ? config : { ...config.agent, default: config.agent?.default ?? BUILT_IN };
  }

  /** An agent's name as an actor. */
  nameOf(agent: string): string {
    return agent === BUILT_IN ? BUILT_IN_NAME : agent;
  }

  /** Stores a person's settings for the agents of one session. "changed" when these or config.json's agents changed. */
  bring(session_id: string, env: Env | undefined): "changed" | "same" {
    const theirs = theirsIn(env);
    if (Object.keys(theirs).length > 0) this.#theirs.set(session_id, theirs);
    const config = this.#parts.config();
    const { agent, agents } = isFault(config) ? {} : config;
    const parts = JSON.stringify([this.#theirs.get(session_id), agent, agents]);
    const madeOf = createHash("sha256").update(parts).digest("hex");
    const isSame = this.#madeOf.get(session_id) === madeOf;
    this.#madeOf.set(session_id, madeOf);
    return isSame ? "same" : "changed";
  }

  /** The session is over. */
  forget(session_id: string): void {
    this.#theirs.delete(session_id);
    this.#madeOf.delete(session_id);
  }

  knows(agent: string): boolean {
    return agent === BUILT_IN || this.#presets().some(({ name }) => name === agent);
  }

  /** Whether this is the name of an agent that we host, so that nobody else may have it. */
  owns(name: string): boolean {
    const config = this.#parts.config();
    return isHostedName(name, isFault(config) ? {} : (config.agents ?? {}));
  }

  list(env: Env | undefined): Output<"agents">["agents"] | Fault {
    const config = this.settings();
    if (isFault(config)) return config;
    const settings = this.#model(config, undefined, undefined, theirsIn(env));
    const isDefault = (name: string) => name === config.default;
    const builtIn = {
      name: BUILT_IN,
      kind: "built-in" as const,
      title: "duetty",
      available: !isFault(settings),
      note: isFault(settings) ? `${settings.message} ${settings.hint}` : `${settings.provider}/${settings.model}`,
      is_default: isDefault(BUILT_IN),
    };
    const hosted = this.#presets().map(({ name, title, available, note }) => ({
      name,
      kind: "hosted" as const,
      title,
      available,
      note,
      is_default: isDefault(name),
    }));
    return [builtIn, ...hosted];
  }

  /** The same entry, after its packages were really loaded. The key is tried when something is asked. */
  async tested(agent: Output<"agents">["agents"][number]): Promise<Output<"agents">["agents"][number]> {
    const config = this.settings();
    const settings = agent.kind === "hosted" || isFault(config) ? undefined : this.#model(config, undefined, undefined);
    if (!settings || isFault(settings)) return agent;
    const model = await openModel(settings);
    return isFault(model) ? { ...agent, available: false, note: `${model.message} ${model.hint}` } : agent;
  }

  async performerFor(
    session: Session,
    agent: string,
    link: ConversationLink,
    { model }: { readonly model: string | undefined },
  ): Promise<Performer | Fault> {
    if (agent === BUILT_IN) return this.#builtIn(session, link, model);
    const preset = this.#presets().find(({ name }) => name === agent);
    if (!preset) return fault("not_found", `no agent is called "${agent}"`, advice("agents"));
    if (!preset.available) return fault("agent.unavailable", `${preset.title} is not installed`, preset.note);
    return this.#hosted(session, preset, link);
  }

  async #builtIn(session: Session, link: ConversationLink, wanted: string | undefined): Promise<Performer | Fault> {
    const { home } = this.#parts;
    const config = this.settings();
    if (isFault(config)) return config;
    const settings = this.#model(config, session.id, wanted);
    if (isFault(settings)) return settings;
    const model = await openModel(settings);
    if (isFault(model)) return model;
    const actor = { kind: "agent" as const, name: BUILT_IN_NAME };
    const tools = builtInTools({
      session_id: session.id,
      files: new WorkspaceFiles(() => session.info().cwd, home.dir),
      isTaken: () => session.isTaken,
      perform: (op, input, cancelled) => this.#parts.perform(op, input, this.#call(actor, cancelled)),
    });
    const system = systemPrompt(session, new Date(nodeClock.now()));
    const { history_chars } = config;
    const agent = new ModelAgent({ model, tools, system, ...(history_chars === undefined ? {} : { history_chars }) });
    return new Driver({ clock: nodeClock, agent, tools, link, noteFromPerson: () => session.gate.noteFor(actor) });
  }

  /** Waits for people as long as a question lives. */
  #call(actor: Caller["actor"], cancelled: Cancelled): Call {
    return { role: "agent", actor, cancelled, approvalWaitMs: APPROVAL_LIFE_MS };
  }

  async #hosted(session: Session, preset: Preset, link: ConversationLink): Promise<Performer> {
    // Loaded with the first one: making the schemas of their protocol is a tenth of a daemon's start.
    const { HostedAgent } = await import("../acp/hosted.ts");
    const { approvals, opening, home } = this.#parts;
    const actor = { kind: "agent" as const, name: preset.name };
    return new HostedAgent({
      name: preset.name,
      argv: preset.argv,
      env: { ...definedOf(this.#env(session.id)), ...preset.env },
      cwd: session.info().cwd,
      link,
      session,
      approvals,
      clock: nodeClock,
      mcp: {
        command: process.execPath,
        args: [BIN, "mcp", "--no-forms", "--as", `agent:${preset.name}`],
        env: { DUETTY_HOME: home.dir },
      },
      open: ({ command, cwd, env }, cancelled) =>
        opening.open(
          { command: [...command], cwd, env, lazy: false, integrate: true },
          { role: "agent", actor, cancelled },
        ),
    });
  }

  #model(
    config: NonNullable<Config["agent"]>,
    session_id: string | undefined,
    override: string | undefined,
    more: Env = {},
  ) {
    return modelSettings({ config, env: { ...this.#env(session_id), ...more }, override, readKey: readKeyFile });
  }

  #presets(): Preset[] {
    const config = this.#parts.config();
    return presets(isFault(config) ? {} : (config.agents ?? {}), this.#parts.env);
  }

  #env(session_id: string | undefined): Env {
    return { ...this.#parts.env, ...(session_id === undefined ? {} : this.#theirs.get(session_id)) };
  }
}

function theirsIn(env: Env = {}): Record<string, string> {
  return definedOf(Object.fromEntries(Object.entries(env).filter(([name]) => MODEL_VARIABLES.test(name))));
}

function definedOf(env: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
