// Another machine over the person's own ssh: HTTP and WebSocket over a socket that the control connection carries. Owns: connecting,
// and connecting again. Refuses: to keep anything that was asked while the machine is away.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { WebSocket } from "ws";
import { terminalAddress } from "../../../client/address.ts";
import { backoffMs } from "../../../client/backoff.ts";
import { CallError, isAbsent } from "../../../client/client.ts";
import { credentials, httpTransport, type Identity, KeptConnection } from "../../../client/http.ts";
import type { Cancelled } from "../../../core/base/cancellation.ts";
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import { BYTES_MAX } from "../../../core/fleet/stream/inbox.ts";
import { agentNameIn } from "../../../protocol/plain/agent-name.ts";
import { bytesMaxOf, readAnswer } from "../far-answer.ts";
import { listed } from "../listed.ts";
import type { Asker, FarSocket, HostNow, Reach, RemoteHost } from "../remote-host.ts";
import { nothingSent, unanswered } from "../unanswered.ts";
import { type Bridge, LINES_MAX, NOT_THERE, notDuetty, readBridge, START_BRIDGE } from "./bridge.ts";
import { Control, controlFolder } from "./control.ts";
import { heldBack } from "./held-back.ts";
import { type Ran, runOnce } from "./once.ts";
import { readSaid, type Said } from "./said.ts";

/** The daemon over there answers a poll at once when something happens, else after this time. */
const NEWS_MS = 20_000;
/** It is not asked for news more often: everything changes while something prints. */
const NEWS_PACE_MS = 200;
/** One that has not answered that by then is quiet. */
const QUIET_MS = 30_000;
/** From the call of ssh to the name: a login, a shell's dotfiles, and a daemon that starts and reads long journals. */
const GREETING_MS = 60_000;

interface SshHostParts {
  readonly name: string;
  readonly address: string;
  readonly target: readonly string[];
  readonly me: string;
  readonly ssh: readonly string[];
  /** Where sockets of running things are. */
  readonly run: string;
  readonly clock: Clock;
  env(): NodeJS.ProcessEnv;
}

interface Line {
  readonly control: Control;
  readonly bridge: Bridge;
  readonly socket: string;
  readonly kept: KeptConnection;
}

export class SshHost implements RemoteHost {
  readonly way = "ssh";
  readonly name: string;
  readonly address: string;
  readonly me: string;
  #parts: SshHostParts;
  #now: HostNow;
  #control: Control | undefined;
  #line: Line | undefined;
  #attempt = 0;
  #lines = 0;
  /** The first line that was no name. */
  #strange: string | undefined;
  #late: (() => void) | undefined;
  #retry: (() => void) | undefined;
  #isOver = false;
  /** Calls that wait for an answer. */
  #waiting = new Set<AbortController>();
  #reachRuns = new Set<() => void>();
  #newsRuns = new Set<() => void>();

  constructor(parts: SshHostParts) {
    this.#parts = parts;
    [this.name, this.address, this.me] = [parts.name, parts.address, parts.me];
    this.#now = { reach: "connecting", why: null, since: parts.clock.now(), version: null };
    this.#connect();
  }

  get now(): HostNow {
    return this.#now;
  }

  onReach(run: () => void): () => void {
    this.#reachRuns.add(run);
    return () => void this.#reachRuns.delete(run);
  }

  onNews(run: () => void): () => void {
    this.#newsRuns.add(run);
    return () => void this.#newsRuns.delete(run);
  }

  /** Runs a command there, also where there is no duetty yet: over a connection of its own. */
  run(command: string, input: Uint8Array, withinMs: number): Promise<Ran> {
    const { ssh, target, env } = this.#parts;
    return runOnce({ ssh, target, env: env() }, command, input, withinMs);
  }

  hurry(): void {
    if (this.#line || this.#isOver || this.#now.reach === "connecting") return;
    // A try that is under way may have begun before whatever was mended since: its end would be told as how things stand.
    const before = this.#control;
    this.#control = undefined;
    before?.close();
    this.#retry?.();
    this.#attempt = 0;
    this.#tell("connecting", null);
    this.#connect();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#retry?.();
    this.#late?.();
    this.#control?.close();
  }

  async call(op: string, input: object, asker: Asker, cancelled: Cancelled): Promise<object | Fault> {
    // One that is quiet would answer much later, or never.
    const line = this.#now.reach === "here" ? this.#line : undefined;
    if (!line) return this.#away();
    const gone = new AbortController();
    this.#waiting.add(gone);
    const answer = await this.#ask(line, op, input, asker, cancelled, gone);
    this.#waiting.delete(gone);
    return answer;
  }

  async #ask(
    line: Line,
    op: string,
    input: object,
    asker: Asker,
    cancelled: Cancelled,
    gone = new AbortController(),
  ): Promise<object | Fault> {
    cancelled.onCancel(() => gone.abort());
    const place = { socketPath: line.socket };
    const transport = httpTransport(place, () => this.#identity(line, asker), line.kept, {}, bytesMaxOf(op));
    const { approvalWaitMs } = asker;
    try {
      const options = { signal: gone.signal, approvalWaitMs };
      return readAnswer(this.name, op, await transport(op, JSON.stringify(input), options));
    } catch (error) {
      return this.#failed(error, op);
    }
  }

  lists(asker: Asker, cancelled: Cancelled): Promise<object | Fault> {
    return listed((op, input) => this.call(op, input, asker, cancelled));
  }

  open(session_id: string, query: URLSearchParams, asker: Asker): FarSocket {
    const root = this.#line ? `ws+unix://${this.#line.socket}:` : "ws+unix:///nowhere:";
    const headers = this.#line ? credentials(this.#identity(this.#line, asker)) : {};
    const socket = new WebSocket(terminalAddress(root, session_id, query), {
      headers,
      perMessageDeflate: false,
      maxPayload: BYTES_MAX,
    });
    socket.on("error", () => {
      // Its close follows, and says enough.
    });
    return heldBack(socket);
  }

  #identity({ bridge }: Line, { role, actor, surface, connection, masked }: Asker): Identity {
    const name = agentNameIn(actor) ?? "unnamed";
    const behalf = `${role === "person" ? "person" : `agent:${name}`}@${this.me}`;
    return { token: bridge.token, as: undefined, behalf, surface, connection, masked };
  }

  #away(): Fault {
    const { reach, why } = this.#now;
    const reason = why ?? (reach === "connecting" ? "it is being connected to" : null);
    const message = `${this.name} is not here${reason === null ? "" : `: ${reason}`}`;
    return fault(reach === "refused" ? "host.refused" : "host.gone", message, nothingSent());
  }

  /** What it has got, a daemon that was only stopped does when it goes on. */
  #unanswered(op: string): Fault {
    if (this.#now.reach !== "quiet") return { ...this.#away(), hint: unanswered(op) };
    return fault("host.quiet", `${this.name} did not answer`, unanswered(op, Number.POSITIVE_INFINITY));
  }

  #failed(error: unknown, op: string): Fault {
    if (isAbsent(error)) return this.#away();
    if (!(error instanceof CallError)) return this.#unanswered(op);
    return fault("host.gone", `${this.name} went away before it answered`, unanswered(op));
  }

  /** While it tries again, it stands as it stood: a machine that is off is gone, and not always on its way. */
  #connect(): void {
    const { ssh, target, run, env, clock } = this.#parts;
    const folder = controlFolder(run, () => fs.mkdtempSync(`${tmpdir()}/duetty-ssh-`));
    const control: Control = new Control({
      ...{ ssh, target, folder, env: env(), command: START_BRIDGE },
      line: (text) => void this.#greeted(control, text).catch((error: unknown) => this.#giveUp(control, String(error))),
      ended: (code, said) => this.#lost(control, code, said),
    });
    this.#control = control;
    [this.#lines, this.#strange] = [0, undefined];
    this.#late?.();
    this.#late = clock.after(GREETING_MS, () =>
      this.#giveUp(control, this.#strange ?? "it has not said its name in time"),
    );
  }

  async #greeted(control: Control, text: string): Promise<void> {
    if (this.#line || control !== this.#control || this.#lines > LINES_MAX) return;
    this.#lines += 1;
    const bridge = readBridge(this.name, text);
    if (isFault(bridge)) return this.#giveUp(control, bridge.message);
    if (!bridge) return this.#heard(control, text);
    const socket = await control.forward(bridge.socket);
    if (control !== this.#control) return;
    if (isFault(socket)) return this.#giveUp(control, socket.message);
    const line = { control, bridge, socket, kept: new KeptConnection() };
    this.#line = line;
    this.#attempt = 0;
    this.#late?.();
    this.#tell("here", null, bridge.duetty);
    void this.#follow(line);
  }

  /** A shell may greet before it runs what it was given. */
  #heard(control: Control, text: string): void {
    if (text.trim() !== "") this.#strange ??= notDuetty(text);
    if (this.#lines > LINES_MAX) this.#giveUp(control, this.#strange ?? notDuetty(text));
  }

  /** It answers, and we cannot work together. Tried again later, because somebody may renew it. */
  #giveUp(control: Control, why: string): void {
    if (control !== this.#control) return;
    this.#tell("refused", why);
    this.#end(control);
  }

  /** Asks for changes as long as this line holds. */
  async #follow(line: Line): Promise<void> {
    const { clock } = this.#parts;
    for (let since = 0; line === this.#line; ) {
      const quiet = clock.after(QUIET_MS, () => this.#tell("quiet", "it does not answer", line.bridge.duetty));
      const asker = { role: "person", actor: "person" } as const;
      const wait = { since, timeout_ms: since === 0 ? 0 : NEWS_MS };
      const answer = (await this.#ask(line, "news", wait, asker, NEVER)) as { readonly seq?: unknown } | Fault;
      quiet();
      if (line !== this.#line) return;
      if (isFault(answer) || typeof answer.seq !== "number") {
        this.#tell("quiet", isFault(answer) ? answer.message : "it answers strangely", line.bridge.duetty);
        await new Promise<void>((resolve) => void clock.after(backoffMs(3, Math.random()), resolve));
        continue;
      }
      this.#tell("here", null, line.bridge.duetty);
      const { seq } = answer;
      if (seq !== since) for (const run of this.#newsRuns) run();
      since = seq;
      await new Promise<void>((resolve) => void clock.after(NEWS_PACE_MS, resolve));
    }
  }

  #lost(control: Control, code: number | null, words: Said): void {
    if (control !== this.#control) return;
    const said = readSaid(words, [...this.#parts.ssh, ...this.#parts.target]);
    if (code === NOT_THERE) this.#tell("refused", "duetty is not installed there");
    else if (said.reach === "refused") this.#tell("refused", said.why);
    else if (this.#line || !this.#strange) this.#tell("gone", said.why || "the connection ended");
    else this.#tell("refused", this.#strange);
    this.#end(control);
  }

  #end(control: Control): void {
    this.#late?.();
    control.close();
    this.#line?.kept.destroy();
    [this.#control, this.#line] = [undefined, undefined];
    if (this.#isOver) return;
    const wait = backoffMs(this.#attempt, Math.random()) * (this.#now.reach === "refused" ? 10 : 1);
    this.#attempt += 1;
    this.#retry = this.#parts.clock.after(wait, () => this.#connect());
  }

  #tell(reach: Reach, why: string | null, version = this.#now.version): void {
    const { reach: before, why: known } = this.#now;
    if (reach === before && why === known) return;
    const since = reach === before ? this.#now.since : this.#parts.clock.now();
    this.#now = { reach, why, since, version };
    if (reach !== "here") for (const call of this.#waiting) call.abort();
    for (const run of [...this.#reachRuns]) run();
  }
}

const NEVER: Cancelled = { onCancel: () => undefined };
