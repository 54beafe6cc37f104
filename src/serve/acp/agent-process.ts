// One running ACP agent: its processes, the connection to it and its one ACP session, a new one or one that it kept. Owns:
// the tree until it is ended.
// Refuses: to know what a turn is (hosted.ts).
import * as acp from "@agentclientprotocol/sdk";
import type { Clock } from "../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { clipped } from "../../core/base/head-tail.ts";
import { type ChildTree, startTree, type TreeSpec } from "../../host/process/child-tree.ts";
import { VERSION } from "../../protocol/plain/version.ts";
import { connect, type HostSide } from "./connection.ts";
import type { Update } from "./messages.ts";
import { SERVER_NAME } from "./own-tools.ts";

/** Time from start to a session. Some agents load for ten seconds on a slow disk and look for their login. */
const OPEN_MS_MAX = 60_000;
/** Time between a closed pipe and its owner's exit. */
const EXIT_MS = 500;
/** What JSON-RPC answers when somebody has to log in first. */
const AUTH_REQUIRED = -32_000;

const STOP_REASONS: Readonly<Record<acp.StopReason, true>> = {
  end_turn: true,
  cancelled: true,
  refusal: true,
  max_tokens: true,
  max_turn_requests: true,
};

export interface AgentProcessParts extends HostSide {
  readonly tree: TreeSpec;
  readonly mcp: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  readonly clock: Clock;
}

export class AgentProcess {
  #tree: ChildTree;
  #parts: AgentProcessParts;
  #connection: acp.ClientConnection;
  #sessionId = "";
  #continues = false;
  #login = "";

  private constructor(tree: ChildTree, parts: AgentProcessParts) {
    this.#tree = tree;
    this.#parts = parts;
    // An agent that loads a session repeats all of it.
    const updated = (update: Update) => void (this.#sessionId !== "" && parts.updated(update));
    this.#connection = connect(tree, { ...parts, updated });
    // A dead agent may have left children that hold the pipe. We still read its last output.
    void tree.exited.then(() => parts.clock.after(EXIT_MS, () => this.#connection.close()));
  }

  /** The program runs, but we have not talked to it yet. */
  static async start(parts: AgentProcessParts): Promise<AgentProcess | Fault> {
    const tree = await startTree(parts.tree);
    return isFault(tree) ? tree : new AgentProcess(tree, parts);
  }

  get alive(): boolean {
    return this.#tree.alive && !this.#connection.signal.aborted;
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  /** It remembers what was said before it was started. */
  get continues(): boolean {
    return this.#continues;
  }

  /** Introduces us and asks for a session with our tools: this one, if the agent can load it. */
  async open(kept: string | null, openMs = OPEN_MS_MAX): Promise<Fault | undefined> {
    const { clock } = this.#parts;
    let late: (() => void) | undefined;
    const deadline = new Promise<Fault>((resolve) => {
      late = clock.after(openMs, () => resolve(this.#unwell(`no answer within ${openMs / 1_000} s`)));
    });
    try {
      return await Promise.race([this.#open(kept), deadline]);
    } catch (error) {
      return this.#troubled(error);
    } finally {
      late?.();
    }
  }

  async prompt(text: string): Promise<acp.StopReason | Fault> {
    try {
      const ask: acp.PromptRequest = { sessionId: this.#sessionId, prompt: [{ type: "text", text }] };
      const answer = await this.#connection.agent.request(acp.methods.agent.session.prompt, ask);
      // Updates right before the answer get their turn of the event loop first.
      await new Promise<void>((resolve) => this.#parts.clock.soon(resolve));
      if (isStopReason(answer.stopReason)) return answer.stopReason;
      return fault("agent.unavailable", `the agent stopped: ${String(answer.stopReason)}`, "Ask it to go on.");
    } catch (error) {
      return this.#troubled(error);
    }
  }

  /** Asks it to stop. A dead one need not be asked. */
  cancel(): void {
    if (this.#sessionId === "" || !this.alive) return;
    const { agent } = this.#connection;
    agent.notify(acp.methods.agent.session.cancel, { sessionId: this.#sessionId }).catch(() => undefined);
  }

  async end(): Promise<void> {
    this.#connection.close();
    await this.#tree.end();
  }

  async #open(kept: string | null): Promise<undefined> {
    const { agent } = this.#connection;
    const { authMethods = [], agentCapabilities } = await agent.request(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: true },
      clientInfo: { name: "duetty", version: VERSION },
    });
    this.#login = authMethods.map(({ name }) => name).join(", ");
    const { command, args, env } = this.#parts.mcp;
    const server = {
      name: SERVER_NAME,
      command,
      args: [...args],
      env: Object.entries(env).map(([name, value]) => ({ name, value })),
    };
    const { cwd } = this.#parts.tree;
    const ask: acp.NewSessionRequest = { cwd, mcpServers: [server] };
    this.#continues = kept !== null && (await this.#continued({ ...ask, sessionId: kept }, agentCapabilities));
    const session = this.#continues ? null : await agent.request(acp.methods.agent.session.new, ask);
    this.#sessionId = session?.sessionId ?? kept ?? "";
    return undefined;
  }

  /** We try resume first, because it repeats nothing. If the agent refuses, a new session starts with the history in words. */
  async #continued(ask: acp.LoadSessionRequest, can: acp.AgentCapabilities | undefined): Promise<boolean> {
    const { load, resume } = acp.methods.agent.session;
    if (!can?.sessionCapabilities?.resume && !can?.loadSession) return false;
    try {
      await this.#connection.agent.request(can.sessionCapabilities?.resume ? resume : load, ask);
      return true;
    } catch (error) {
      if (!this.alive) throw error;
      return false;
    }
  }

  /** Its answer, or its last error output when it is gone. */
  async #troubled(error: unknown): Promise<Fault> {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    const said = `${String(message ?? error)}${detail(data)}`;
    if (this.alive && code === AUTH_REQUIRED) {
      const ways = this.#login === "" ? "" : ` It offers: ${this.#login}.`;
      return fault(
        "agent.unavailable",
        `the agent wants a login: ${said}`,
        `Log in with its own program first.${ways}`,
      );
    }
    if (this.alive)
      return fault("agent.unavailable", `the agent answered: ${said}`, "Ask again, or look at its own log.");
    // The pipe may close a moment before the exit event.
    await Promise.race([
      this.#tree.exited,
      new Promise((resolve) => this.#parts.clock.after(EXIT_MS, () => resolve(null))),
    ]);
    const { code: exit, signal } = this.#tree.alive ? { code: null, signal: null } : await this.#tree.exited;
    const how = signal ? ` (${signal})` : exit === null ? "" : ` (exit code ${exit})`;
    return this.#unwell(`the agent's program ended${how}`);
  }

  #unwell(what: string): Fault {
    const { complaints } = this.#tree;
    const said = complaints === "" ? "" : `:\n${complaints}`;
    return fault("agent.unavailable", `${what}${said}`, "Ask again. It will be restarted.");
  }
}

/** The message may be from a later protocol version. */
function isStopReason(reason: unknown): reason is acp.StopReason {
  return typeof reason === "string" && Object.hasOwn(STOP_REASONS, reason);
}

function detail(data: unknown): string {
  if (data === undefined || data === null) return "";
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return ` (${clipped(text, 500)})`;
}
