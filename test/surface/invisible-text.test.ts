// Invisible text from a program, a name, a folder or an agent: on every surface that an agent reads it is marked, and so it is
// where people agree to something. A real daemon, and every default-ignorable character of Unicode.
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { HostedWorld } from "../fixtures/agent/hosted-world.ts";
import { connectMcp } from "../fixtures/mcp/clients.ts";
import type { FakeRequest } from "../fixtures/model/fake-provider.mjs";
import { soon } from "../fixtures/soon.ts";
import { sharedStand, UNBOXED } from "../fixtures/stand/stand.ts";
import { TestViewer } from "../fixtures/stand/viewer.ts";

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
const ALL = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter((c) =>
  IGNORABLE.test(c),
);
/** Some of each kind, where not all of them fit: names, titles, folders. */
const SOME =
  "\u00ad\u034f\u115f\u180e\u200b\u202e\u2066\u3164\ufe00\ufe0f\ufeff\uffa0\u{1d173}\u{e0041}\u{e0100}\u{e0fff}";
const trick = (word: string) => `${word}${[...SOME].map((char) => `${char}x`).join("")}`;
const nameOf = (char: string) => `⟦U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`;
const MARKED_TRICK = [...SOME].map((char) => `${nameOf(char)}x`).join("");
/** Each behind a letter, in lines that fit the screen. */
const LINES = Array.from({ length: Math.ceil(ALL.length / 100) }, (_, i) =>
  ALL.slice(100 * i, 100 * i + 100)
    .map((char) => `x${char}`)
    .join(""),
).join("\n");

let asked: FakeRequest[] = [];
const { duetty, person, agent, openShell, openGatedShell, ...s } = sharedStand({
  config: UNBOXED,
  model: (request) => {
    asked.push(request);
    const results = request.messages.filter(({ role, result_of }) => role === "tool" || result_of !== null).length;
    if (results === 0) return { calls: [{ name: "read_file", args: { path: "all" } }] };
    if (results === 1) return { calls: [{ name: "list_files", args: { path: "." } }] };
    if (results === 2) return { calls: [{ name: "run_command", args: { command: "cat all" } }] };
    return { text: "read" };
  },
});
const folder = s.folder({ all: `${LINES}\n`, [`${trick("deep")}/empty`]: "" });
let session_id = "";

beforeAll(async () => {
  const look = { cwd: folder, cols: 110, rows: 60, name: trick("name") };
  session_id = (await openGatedShell("bash", look)).session_id;
});

/** Nothing invisible in it, and what was, by name. */
function expectMarked(
  what: string,
  value: unknown,
  holds: "each" | "all" | "trick" | "some" | "nothing" = "some",
): void {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const left = [...new Set(text.match(/\p{Default_Ignorable_Code_Point}/gu) ?? [])].map(nameOf);
  expect(left, what).toEqual([]);
  if (holds === "some") expect(text, what).toContain("⟦");
  if (holds === "trick") expect(text, what).toContain(MARKED_TRICK);
  // The engine drops an emoji's selectors where no emoji is.
  const shown = ALL.filter((char) => holds === "each" || (char !== "\ufe0e" && char !== "\ufe0f"));
  if (holds === "all" || holds === "each")
    expect(shown.filter((char) => !text.includes(`x${nameOf(char)}`)).map(nameOf), what).toEqual([]);
}

const FULL = { max_output_chars: 1 << 20 };
const BRIEF = { timeout_ms: 200 };

describe("what a program prints", () => {
  let block_id = "";

  test("is marked in the output of a run, in a terminal and beside it", async () => {
    const ran = await agent().run_command({ session_id, command: "cat all", ...FULL });
    expectMarked("run", ran, "all");
    block_id = ran.block_id ?? "";
    expectMarked("pipe", await agent().run_command({ command: "cat all", mode: "pipe", cwd: folder, ...FULL }), "each");
  });

  test.each(["json", "text", "rows", "html"] as const)("is marked on the screen as %s", async (format) => {
    const screen = await agent().pty_read_screen({ session_id, format });
    expectMarked("rows", screen.rows, "all");
    if (format !== "json") expectMarked("content", screen.content, "all");
  });

  test("is not on the screen as ANSI, where nothing may move", async () => {
    const { content = "" } = await agent().pty_read_screen({ session_id, format: "ansi" });
    expect(IGNORABLE.test(content)).toBe(false);
    expect(content).toContain("x".repeat(100));
  });

  test("is marked in waits, deltas, and the files of the session", async () => {
    expectMarked("wait", await agent().pty_wait({ session_id, any: [{ regex: "x\u115f?x" }], since: 0 }), "all");
    const { deltas } = await agent().pty_read_screen_deltas({ session_id });
    expectMarked("deltas", deltas, "all");
    const file = (name: string) => fs.readFileSync(join(duetty.home.sessions, session_id, name), "utf8");
    await soon(() => expectMarked("screen.snapshot.json", JSON.parse(file("screen.snapshot.json")).rows, "all"));
    expectMarked("screen.jsonl", file("screen.jsonl"), "all");
  });

  test.each(["text", "html", "runs", "screen"] as const)("is marked in a block as %s", async (format) => {
    expectMarked(format, await agent().block({ block_id, format }), "all");
  });

  test("is marked in searches, reports and exports", async () => {
    expectMarked("search", await agent().search({ query: "x", session_id }));
    expectMarked("report", await agent().report({ id: block_id, format: "markdown", ...FULL }), "all");
    for (const format of ["text", "html", "cast"] as const)
      expectMarked(format, (await agent().export({ session_id, format })).content, "all");
  });

  test("is marked over MCP", async () => {
    await using mcp = await connectMcp(duetty, { line: "2.4 in 2026", way: "http" });
    for (const [tool, input, holds] of [
      ["run_command", { session_id, command: "head -3 all" }, "some"],
      ["pty_read_screen", { session_id }, "some"],
      ["block", { block_id }, "some"],
      // The first of them are about the prompt, and what went well is not spelt out.
      ["pty_read_screen_deltas", { session_id }, "nothing"],
      ["report", { id: block_id }, "nothing"],
    ] as const) {
      const { text, data } = await mcp.call(tool, input);
      expectMarked(tool, [text, data], holds);
    }
    const raw = await mcp.call("pty_read_raw", { session_id, from: 0, length: 20_000 });
    expectMarked("pty_read_raw", raw.text);
    expectMarked("resource", await mcp.read(`terminal://${session_id}/screen`));
  });

  test("is marked on the command line, for agents and for people", async () => {
    for (const words of [
      ["see", session_id],
      ["see", session_id, "--json"],
      ["deltas", session_id],
      ["block", block_id],
      ["search", "x"],
      ["run", session_id, "--", "head", "-3", "all"],
    ]) {
      expectMarked(words.join(" "), (await duetty.agentCli(...words)).stdout);
      expectMarked(words.join(" "), (await duetty.cli(...words)).stdout);
    }
  });
});

describe("names", () => {
  test("titles, folders, commands and names of sessions are marked", async () => {
    await person.run_command({ session_id, command: `cd ${trick("deep")}; PROMPT_COMMAND=` });
    await person.run_command({ session_id, command: `printf '\\e]2;%s\\a' '${trick("title")}'` });
    const mine = async (client: Client) =>
      (await client.pty_list({})).sessions.find((one) => one.session_id === session_id);
    await soon(async () => expect((await mine(agent()))?.title).toBe(`title${MARKED_TRICK}`));
    const info = await mine(agent());
    expectMarked("cwd", info?.cwd, "trick");
    expectMarked("name", info?.name, "trick");
    expectMarked("info", info, "trick");
    const screen = await agent().pty_read_screen({ session_id });
    expect(screen.title).toBe(`title${MARKED_TRICK}`);
    expectMarked("blocks", await agent().blocks({ session_id }), "trick");
    expectMarked("deltas", (await agent().pty_read_screen_deltas({ session_id })).deltas, "trick");
    expectMarked("status", await agent().status({ session_id }), "trick");
    await using mcp = await connectMcp(duetty, { line: "2.4 in 2025", way: "stdio" });
    for (const [tool, input] of [
      ["pty_list", {}],
      ["blocks", { session_id }],
      ["pty_screen_status", { session_id }],
    ] as const) {
      const { text, data } = await mcp.call(tool, input);
      expectMarked(tool, [text, data], "trick");
    }
    for (const words of [["ls"], ["status", session_id], ["blocks", session_id]]) {
      expectMarked(words.join(" "), (await duetty.agentCli(...words)).stdout, "trick");
      expectMarked(words.join(" "), (await duetty.cli(...words)).stdout, "trick");
    }
  });

  test("frames of the WebSocket are marked for agents", async () => {
    const viewer = new TestViewer(duetty, session_id, { token: duetty.token("agent"), role: "watch" });
    try {
      await viewer.hello();
      await person.run_command({ session_id, command: `: ${trick("seen")}` });
      await viewer.until(({ messages }) => messages.some(({ type }) => type === "block_end"));
      expectMarked("frames", viewer.messages, "trick");
    } finally {
      viewer.close();
    }
  });
});

describe("what an agent asks", () => {
  test("is marked on the card, on every surface, and in what explains it", async () => {
    const command = `rm -rf ${trick("made")}`;
    const waits = await agent().run_command({ session_id, command, description: trick("why"), ...BRIEF });
    expect(waits.status).toBe("approval_pending");
    const card = async (client: Client) =>
      (await client.approvals({ session_id })).approvals.find(({ approval_id }) => approval_id === waits.approval_id);
    for (const client of [person, agent()]) {
      const seen = await card(client);
      expect(seen?.text).toBe(`rm -rf made${MARKED_TRICK}`);
      expectMarked("card", seen, "trick");
    }
    const viewer = new TestViewer(duetty, session_id);
    await viewer.hello().finally(() => viewer.close());
    expectMarked("frame", viewer.message("approval"), "trick");
    expectMarked("approvals", (await duetty.cli("approvals")).stdout, "trick");
    for (const client of [person, agent()]) expectMarked("explain", await client.explain({ command }), "trick");
    expectMarked("explain", (await duetty.cli("explain", "--", command)).stdout, "trick");
    await person.deny({ approval_id: waits.approval_id ?? "" });
  });

  test("is shown as the characters that it types", async () => {
    const id = await s.open(["cat"]);
    const sends = agent().pty_send({ session_id: id, text: `né – 漢${trick("k")}\n` });
    const { approval_id, text } = await s.pendingOf(id);
    expect(text).toBe(`né – 漢k${MARKED_TRICK}⏎`);
    await person.deny({ approval_id });
    await expect(sends).rejects.toMatchObject({ code: "gate.denied" });
    // What is no text is told byte by byte, and is nobody else's text.
    const viewer = await TestViewer.open(duetty, id, { token: duetty.token("agent") }).hello();
    viewer.socket.send(Buffer.of(0x61, 0xe9, 0x62));
    expect((await s.pendingOf(id)).text).toBe("a⟦U+DCE9⟧b");
  });

  test("is marked in questions to a person", async () => {
    const question = {
      kind: "choice" as const,
      message: trick("which"),
      choices: [trick("one"), "two"],
      timeout_ms: 0,
    };
    await agent().ask_person({ session_id, ...question });
    expectMarked("question", (await person.approvals({ session_id })).approvals, "trick");
    await person.stop({ session_id });
    await person.release({ session_id });
  });
});

describe("agents of ours", () => {
  test("the built-in one reads no invisible text: not in prompts, files, folders or outputs", async () => {
    asked = [];
    const opened = await openShell("bash", { cwd: folder, cols: 110, rows: 60 });
    const id = opened.session_id;
    await person.ask({ session_id: id, text: trick("do") });
    await soon(async () => {
      const { events } = await person.agent_events({ session_id: id });
      expect(events.some(({ type }) => type === "ended")).toBe(true);
    });
    expect(asked).toHaveLength(4);
    expectMarked("prompt", asked.at(0)?.messages, "trick");
    expectMarked("everything", asked.at(-1)?.messages, "some");
  });

  test("hosted ones read none in the terminals that they open", async () => {
    await using world = await new HostedWorld().begin();
    await world.ask(`terminal printf '%s' '${trick("out")}'`);
    expectMarked("terminal output", JSON.parse(world.said).seen.output, "trick");
  });
});
