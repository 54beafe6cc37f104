// `duetty attach` while agents ask: the proposal stands beside the program's screen, and only a person's own, deliberate
// key answers it. The other side of the socket is played by the test, frame by frame.
import fs from "node:fs";
import http from "node:http";
import { dirname } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { ToViewer } from "../../../src/protocol/stream.ts";
import { soon, until } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { SIZE, TestTerminal } from "../../fixtures/stand/terminal.ts";
import { PLAIN_MODES, someApproval } from "../../fixtures/wire.ts";

const { duetty } = sharedStand({ daemon: "later" });
const ROWS = SIZE.rows - 1;
const screen = Array.from({ length: ROWS }, (_, row) => `program row ${row}`);

/** A daemon with one session, whose frames the test writes. */
class Counterpart {
  readonly heard: string[] = [];
  readonly queries: string[] = [];
  socket: WebSocket | undefined;
  readonly #server = http.createServer((request, response) => {
    const answers: Record<string, object> = {
      "/v1/status": {
        session: {
          session_id: "s_00000000",
          name: "web",
          command: ["psql"],
          sizing: "follow",
          state: "running",
          ...SIZE,
        },
      },
      "/v1/agent_events": { events: [], status: { session_id: "s_00000000", agent: null, state: "idle", seq: 0 } },
      "/v1/pty_screen_status": { foreground: { pid: 1, name: "psql" }, echo: "raw", state: "running" },
    };
    // Nothing happens elsewhere.
    if (request.url === "/v1/news") return;
    request.resume().on("end", () => response.end(JSON.stringify(answers[request.url ?? ""] ?? {})));
  });

  async listen(path: string): Promise<void> {
    const sockets = new WebSocketServer({ server: this.#server });
    sockets.on("connection", (socket, request) => {
      this.socket = socket;
      this.queries.push(request.url ?? "");
      socket.on("message", (data: Buffer, binary: boolean) => {
        this.heard.push(binary ? `typed ${data.toString("latin1")}` : data.toString());
      });
      this.say({
        type: "hello",
        session_id: "s_00000000",
        cursor: 0,
        cols: SIZE.cols,
        rows: ROWS,
        seq: 1,
        state: "running",
      });
      this.paint();
    });
    fs.mkdirSync(dirname(path), { recursive: true });
    await new Promise<void>((resolve) => this.#server.listen(path, resolve));
  }

  say(message: ToViewer): void {
    this.socket?.send(JSON.stringify(message));
  }

  paint(): void {
    this.say({
      type: "paint",
      rows: screen.map((ansi, row) => ({ row, ansi })),
      cursor: { row: 3, col: 5, visible: true },
      cols: SIZE.cols,
      rows_count: ROWS,
      title: "",
      alt_screen: false,
      modes: PLAIN_MODES,
    });
  }

  /** Resolves with what came since the last call, once there is something like it. */
  async hears(wanted: string): Promise<void> {
    await soon(() => expect(this.heard).toContain(wanted));
    this.heard.length = 0;
  }

  close(): void {
    this.socket?.terminate();
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const daemon = new Counterpart();
let terminal: TestTerminal;
beforeAll(async () => {
  await daemon.listen(duetty.home.daemonSocket);
});
afterAll(() => daemon.close());
beforeEach(async () => {
  terminal = TestTerminal.open(duetty, ["attach", "web"]);
  await terminal.shows("program row 18");
  // Its size is the first that it says.
  await soon(() => expect(daemon.heard.join()).toContain('"type":"resize"'));
  daemon.heard.length = 0;
});

const approval = (approval_id: string, text: string) =>
  someApproval({
    approval_id,
    text,
    risk: "destructive",
    rule: "rm.recursive",
    created_at: Date.now(),
    expires_at: Date.now() + 60_000,
  });

async function ask(id: string, text: string): Promise<void> {
  daemon.say({ type: "approval", approval: approval(id, text) });
  await terminal.shows(`claude wants to run: ${text}`);
}

const armed = () => new Promise((resolve) => setTimeout(resolve, 450));
/** Presses until it counts: a busy terminal shows a question later than it came, and arms it then. */
async function answers(key: string, wanted: string): Promise<void> {
  const press = async () => {
    terminal.type(key);
    await armed();
    return daemon.heard.includes(wanted);
  };
  await armed();
  await until(press, wanted);
  daemon.heard.length = 0;
}
const answer = (id: string, answer: string) => JSON.stringify({ type: "answer", approval_id: id, answer });

it("attach asks for a composed view and sends its size without the status line", async () => {
  expect(daemon.queries.at(-1)).toContain("view=composed");
  daemon.paint();
  expect(terminal.above).toEqual(screen);
  expect(terminal.engine.cursor()).toEqual({ row: 3, col: 5, visible: true });
  await soon(() => expect(terminal.statusLine).toContain("psql"));
});

it("shows a proposal beside the program's screen; Ctrl+Y and y allow it, Enter never does, Ctrl+C refuses it", async () => {
  await ask("a_1", "rm -rf build");
  expect(terminal.engine.rows().at(-2)).toBe(" folder  /");
  expect(terminal.engine.rows().at(-3)).toMatch(/rm -rf build May destroy data {2}\(rm.recursive\) +\d+ s/);
  await soon(() => expect(terminal.statusLine).toContain("Ctrl+Y answer  Ctrl+C no  Esc stop"));
  // Two rows fewer are shown; nothing is drawn into the others.
  expect(terminal.engine.rows().slice(0, ROWS - 2)).toEqual(screen.slice(0, ROWS - 2));
  await armed();
  terminal.type("\x19\r");
  await soon(() => expect(terminal.statusLine).toContain("y yes  n no  Esc stop"));
  terminal.type("\r");
  await answers("y", answer("a_1", "approve"));
  daemon.say({ type: "approval_settled", approval: { ...approval("a_1", ""), state: "approved" } });
  await soon(() => expect(terminal.above).toEqual(screen));
  await ask("a_2", "rm -rf dist");
  await answers("\x03", answer("a_2", "deny"));
});

it("B7: a long request is approved only after its last row was shown", async () => {
  const text = Array.from({ length: 40 }, (_, i) => `echo ${i}⏎`).join("\n");
  daemon.say({ type: "approval", approval: { ...approval("a_long", `${text}\nrm -rf the-end`), stdin: "read this" } });
  await terminal.shows("wants to run: ");
  expect(terminal.text()).not.toContain("the-end");
  await armed();
  terminal.type("\x19");
  await soon(() => expect(terminal.statusLine).toMatch(/Space more \(\d+ rows\)/));
  terminal.type("y");
  const left = () => /Space more \(\d+ rows\)/.exec(terminal.statusLine)?.[0];
  for (let before = left(); before; before = left()) {
    terminal.type(" ");
    await soon(() => expect(left()).not.toBe(before));
  }
  await soon(() => expect(terminal.statusLine).toMatch(/y yes/));
  expect(terminal.text()).toContain("rm -rf the-end");
  expect(terminal.text()).toContain("reads   read this");
  expect(daemon.heard).toEqual([]);
  await answers("y", answer("a_long", "approve"));
  daemon.say({ type: "approval_settled", approval: { ...approval("a_long", ""), state: "approved" } });
});

it("a key typed before the request goes to the program, and typing moves the request aside", async () => {
  await ask("a_3", "rm -rf out");
  terminal.type("x");
  await daemon.hears("typed x");
  await soon(() => expect(terminal.statusLine).toContain("1 asks: Ctrl+Y to look"));
  expect(terminal.above).toEqual(screen);
  await armed();
  terminal.type("\r");
  await daemon.hears("typed \r");
  terminal.type("\x19");
  await terminal.shows("wants to run: rm -rf out");
  await armed();
  terminal.type("\x1b");
  await daemon.hears('{"type":"stop"}');
});

it("the status line shows who has the keyboard and the mode, and keys change both", async () => {
  daemon.say({ type: "hold", hold: "agent:claude", reason: null, note: "migrating" });
  await soon(() => expect(terminal.statusLine).toMatch(/claude types.*Esc stop/));
  terminal.type("\x1b");
  await daemon.hears('{"type":"stop"}');
  terminal.type("\x1d");
  await daemon.hears('{"type":"take"}');
  daemon.say({ type: "hold", hold: "person", reason: "manual", note: null });
  await soon(() => expect(terminal.statusLine).toContain("Ctrl+] release"));
  terminal.type("\x1d");
  await daemon.hears('{"type":"release"}');
  terminal.type("\x14");
  await daemon.hears('{"type":"mode","mode":"agent"}');
  daemon.say({ type: "mode", mode: "agent" });
  await soon(() => expect(terminal.statusLine).toMatch(/^ Agent .*Ctrl\+T terminal/));
  terminal.type("lost");
  terminal.type("\x14");
  await soon(() => expect(daemon.heard).toEqual(['{"type":"mode","mode":"terminal"}']));
});

it("attach ends with the session, and goes on after its connection broke", async () => {
  daemon.say({ type: "exit", exit_code: 3, signal: null });
  await terminal.ended();
  expect(terminal.engine.rows().slice(0, 2)).toEqual(["an older line", "[exited with 3]"]);
  const another = TestTerminal.open(duetty, ["attach", "web"]);
  await another.shows("program row 18");
  const before = daemon.queries.length;
  daemon.socket?.terminate();
  await until(() => daemon.queries.length > before, "another connection");
  another.type("on");
  await daemon.hears("typed on");
  expect(another.exit).toBeUndefined();
});
