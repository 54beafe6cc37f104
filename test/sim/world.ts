// A whole installation in one process: fake PTY, fake clock, memory store, real engine. A daemon can die at any moment;
// holder, store and viewers stay. Every random choice comes from the seed.

import { isFault } from "../../src/core/base/fault.ts";
import type { PtyCommand } from "../../src/core/pty/pty.ts";
import { Redactor } from "../../src/core/redact/redactor.ts";
import type { Engine, MakeEngine } from "../../src/core/screen/engine.ts";
import type { Session } from "../../src/core/session/session.ts";
import { Sessions } from "../../src/core/session/sessions.ts";
import type { Viewer } from "../../src/core/viewer/viewer.ts";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { someApprovals } from "../fixtures/fakes/approvals.ts";
import { FakeClock } from "../fixtures/fakes/clock.ts";
import { LocalHolder } from "../fixtures/fakes/local-holder.ts";
import { MemoryStore } from "../fixtures/fakes/memory-store.ts";
import { noBoxes } from "../fixtures/fakes/no-boxes.ts";
import { noShells } from "../fixtures/fakes/no-shells.ts";
import { type FakePty, fakeTerminal } from "../fixtures/fakes/pty.ts";

export const ID = "s_00000001";
const SIZE = { cols: 40, rows: 10 };
const SCROLLBACK = 1_000;
const COMMAND: PtyCommand = { file: "sim", args: [], cwd: "/", env: {}, ...SIZE, marker: "SIM=1" };

interface Told {
  readonly type: string;
  readonly cursor?: number;
  readonly part?: string;
  readonly cols?: number;
  readonly rows?: number;
}

/** A viewer with a terminal of its own, which must always show what the session shows. */
export class SimViewer {
  engine: Engine = makeGhostty({ ...SIZE, scrollback: SCROLLBACK });
  viewer: Viewer | undefined;
  /** Of what it received; a repaint sets it. */
  cursor: number | undefined;
  #picture: number | undefined;
  buffered = 0;
  #repaintNext = false;

  readonly link = {
    bytes: (bytes: Uint8Array) => this.#bytes(bytes),
    drawing: (ansi: string) => this.engine.feed(Buffer.from(ansi)),
    text: (message: object) => this.#text(message as Told),
    buffered: () => this.buffered,
  };

  /** What a page confirms. */
  get shown(): number | undefined {
    return this.#picture ?? this.cursor;
  }

  #bytes(bytes: Uint8Array): void {
    if (this.#repaintNext) {
      const size = this.engine.size();
      this.engine.dispose();
      this.engine = makeGhostty({ ...size, scrollback: SCROLLBACK });
      this.#repaintNext = false;
    } else if (this.cursor !== undefined) this.cursor += bytes.length;
    this.engine.feed(bytes);
    this.engine.takeReplies();
  }

  #text({ type, cursor, part, cols, rows }: Told): void {
    if (type === "snapshot") {
      this.#repaintNext = part === undefined;
      // Bytes cannot continue what is only visible.
      this.cursor = part === undefined ? cursor : undefined;
      this.#picture = part === undefined ? undefined : cursor;
    }
    const sized = (type === "hello" || type === "resize") && cols !== undefined && rows !== undefined;
    if (sized) this.engine.resize({ cols, rows });
    if (type === "hello") this.cursor ??= cursor;
  }
}

export class World {
  readonly clock = new FakeClock();
  readonly store = new MemoryStore();
  readonly viewers: SimViewer[] = [];
  readonly said: Uint8Array[] = [];
  #terminal = fakeTerminal(
    (pty) => void pty.setEcho("raw"),
    (run) => this.clock.soon(run),
  );
  #holder = new LocalHolder({
    store: this.store,
    clock: this.clock,
    spawn: this.#terminal.spawn,
    pid: 1,
    version: "sim",
  });
  #sessions: Sessions;
  #makeEngine: MakeEngine;

  constructor(makeEngine: MakeEngine = makeGhostty) {
    this.#makeEngine = makeEngine;
    this.#sessions = this.#newSessions();
  }

  get pty(): FakePty {
    const [pty] = this.#terminal.ptys;
    if (!pty) throw new Error("no PTY yet");
    return pty;
  }

  get ptys(): readonly FakePty[] {
    return this.#terminal.ptys;
  }

  get session(): Session {
    return this.sessionOf(ID);
  }

  get sessions(): Sessions {
    return this.#sessions;
  }

  sessionOf(id: string): Session {
    const session = this.#sessions.find(id);
    if (isFault(session)) throw new Error(session.message);
    return session;
  }

  async open(id = ID): Promise<void> {
    const actor = { kind: "person" } as const;
    const spec = {
      id,
      name: null,
      command: COMMAND,
      env_names: [],
      sizing: "follow",
      integration: null,
      box: null,
      actor,
      start: "now",
    } as const;
    const opened = await this.#sessions.open(spec);
    if (isFault(opened)) throw new Error(opened.message);
  }

  say(bytes: Uint8Array): void {
    this.said.push(bytes.slice());
    this.pty.say(bytes);
  }

  async attach(viewer: SimViewer): Promise<void> {
    const attaching = this.session.attach({
      link: viewer.link,
      role: "input",
      paint: "history",
      cursor: viewer.cursor,
    });
    await this.settle();
    const attached = await attaching;
    if (isFault(attached)) throw new Error(attached.message);
    viewer.viewer = attached;
  }

  /** kill -9: everything the daemon had in memory is gone, its connections too. */
  async killDaemon(): Promise<void> {
    for (const viewer of this.viewers) viewer.viewer = undefined;
    this.#sessions.dispose();
    this.#sessions = this.#newSessions();
    await this.#sessions.load(this.#holder);
    void this.#sessions.wake();
  }

  /** Runs until nothing is left to do at this instant. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < 3; ) {
      await Promise.resolve();
      idle = this.clock.turn() ? 0 : idle + 1;
    }
  }

  dispose(): void {
    this.#sessions.dispose();
    for (const { engine } of this.viewers) engine.dispose();
  }

  #newSessions(): Sessions {
    const { store, clock } = this;
    return new Sessions({
      presets: [],
      integrates: [],
      eyes: new Redactor({ label: () => "0000" }),
      shells: noShells,
      boxes: noBoxes,
      approvals: someApprovals(this.clock),
      rules: () => [],
      boxing: () => "none",
      halted: () => undefined,
      keepFiles: async () => false,
      lacks: async () => undefined,
      boxedTo: (_, cwd) => cwd,
      isFree: () => false,
      waysOf: (folder) => ({ folder, links: [] }),
      worktreeOf: () => null,
      branchOf: () => null,
      onNews: () => undefined,
      store,
      clock,
      makeEngine: this.#makeEngine,
      holder: this.#holder,
      scrollback: SCROLLBACK,
      commandOf: () => COMMAND,
    });
  }
}
