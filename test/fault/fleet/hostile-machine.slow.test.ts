// Terminals and calls of a hostile machine that was added over ssh: whatever it sends, or never sends, ends at most itself.
import type http from "node:http";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { sendEmptyLists, sharedHostileMachine } from "../../fixtures/fleet/hostile-machine.ts";
import { BULK_MS, soon, until } from "../../fixtures/soon.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const machine = sharedHostileMachine();
const { server } = machine;
const pidOf = async () => (await machine.hub.person.status({})).daemon.pid;

test("a call that it never answers ends when it is quiet, and is told as one that may have been done; so does a terminal", async () => {
  const held: http.ServerResponse[] = [];
  server.onSocket = (one) => one.send('{"type":"notice","message":"hello"}');
  const viewer = TestViewer.open(machine.hub.duetty, "box%2Fs_aaaaaaaa");
  await viewer.until(({ messages }) => messages.length > 0);
  server.answer = (op, response) => (op === "pty_send" ? void held.push(response) : sendEmptyLists(op, response));
  const sent = machine.hub.person.pty_send({ session_id: "box/s_aaaaaaaa", text: "x" }).catch((error: object) => error);
  await until(() => held.length === 1, "the call");
  // News wait for longer than any machine that is well needs.
  await until(async () => (await machine.hub.person.hosts()).hosts[0]?.reach === "quiet", "that it is quiet", BULK_MS);
  expect(await sent).toMatchObject({
    code: "host.quiet",
    hint: expect.stringContaining("may have been done, or begin when that machine goes on"),
  });
  await until(() => viewer.closed !== undefined, "the end of the terminal", BULK_MS);
  server.publishNews();
  await until(async () => (await machine.hub.person.hosts()).hosts[0]?.reach === "here", "that it is back");
});

test.each<[string, (socket: WebSocket) => void]>([
  ["a command that is none", (one) => one.send('{"type":"block_begin","block":null}')],
  [
    "a message of millions of parts",
    (one) => one.send(`{"type":"notice","message":"x","more":[${"[],".repeat(5 << 20)}1]}`),
  ],
  ["words that are no message", (one) => one.send("nonsense")],
  ["a number", (one) => one.send("7")],
  ["a deep message", (one) => one.send(`{"type":"hello","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)],
  ["a message of an unknown type", (one) => one.send('{"type":"evil","approval":null}')],
  ["a question that nobody could draw", (one) => one.send('{"type":"approval","approval":{"approval_id":7}}')],
  ["a strange code at its end", (one) => one.close(4999, "x".repeat(100))],
  ["a death in the middle", (one) => one.terminate()],
])("a terminal that says %s ends at most itself", async (_, say) => {
  const pid = await pidOf();
  server.answer = sendEmptyLists;
  server.onSocket = (one) => {
    say(one);
    setTimeout(() => one.close(), 50);
  };
  const { session_id } = (await machine.hub.person.pty_open({ command: ["/bin/cat"] })) as { session_id: string };
  const { code } = await machine.hub.duetty.cli("attach", "box/s_aaaaaaaa");
  expect(code).not.toBe(0);
  const terminal = TestTerminal.open(machine.hub.duetty, ["attach", session_id]);
  await terminal.shows(/detach/);
  terminal.type("still here\r");
  await terminal.shows("still here");
  terminal.type("\x1c");
  await terminal.ended();
  await soon(async () => expect(await pidOf()).toBe(pid));
  await machine.hub.person.pty_close({ session_id });
});
