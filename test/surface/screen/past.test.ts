// The past of a session: any screen it ever showed, files to keep, finding, and playing it again.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../../src/core/screen/engine.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import type { Call, Output } from "../../../src/protocol/ops.ts";
import { removeFolder } from "../../fixtures/folder.ts";
import { SOON_MS, soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty, person, folder, open } = sharedStand();
const ended = (session_id: string) => person.pty_wait({ session_id, any: [{ exit: true }] });

type Screen = Output<"pty_read_screen">;

const face = ({ rows, cursor, hash, cols, rows_count, title, alt_screen, scrollback }: Screen) => ({
  rows,
  cursor,
  hash,
  cols,
  rows_count,
  title,
  alt_screen,
  scrollback,
});

/** What the session shows now, once it is quiet. */
async function settled(session_id: string): Promise<Screen> {
  await person.pty_wait({ session_id, any: [{ settled_ms: 150 }] });
  return person.pty_read_screen({ session_id, scrollback: 30 });
}

async function past(session_id: string, at: string | number): Promise<Screen> {
  return person.pty_read_screen({ session_id, at, scrollback: 30 });
}

async function whole(session_id: string, format: "cast" | "text" | "html", range: object = {}): Promise<string> {
  let part = await person.export({ session_id, format, ...range });
  let { content } = part;
  while (part.next !== null) {
    const { from, to, next } = part;
    part = await person.export({ session_id, format, from, to, after: next });
    content += part.content;
  }
  return content;
}

/** A bash that printed enough to have states kept (a tenth of a second of work and more), then vim and other sizes; with what was seen along the way. */
async function busySession(): Promise<{ id: string; seen: Screen[] }> {
  const id = await open(["bash", "--norc"], { cols: 80, rows: 20 });
  const seen: Screen[] = [];
  // A screen that rests may only wait for a program that is slow, so what comes of the keys is waited for.
  const type = async (text: string, comes: NonNullable<Call<"pty_wait">["any"]>[number]) => {
    const then = { any: [comes], timeout_ms: SOON_MS };
    expect(await person.pty_send({ session_id: id, text, then })).toMatchObject({ outcome: "matched" });
    seen.push(await settled(id));
  };
  await type("echo first $((1+1))\n", { text: "first 2" });
  await person.pty_send({
    session_id: id,
    text: "for i in $(seq 3000); do printf '\\033[3%dmline %d of a long and colourful log that fills the journal\\033[m\\n' $((i%8)) $i; done; seq 1 150000; echo FLOOD-OVER\n",
    then: { any: [{ regex: "^FLOOD-OVER" }], timeout_ms: 60_000 },
  });
  seen.push(await settled(id));
  await person.pty_resize({ session_id: id, cols: 60, rows: 30 });
  seen.push(await settled(id));
  await type("vim -u NONE -n -N /etc/services\n", { text: "# Network services" });
  await type("G", { gone: "# Network services" });
  await person.pty_resize({ session_id: id, cols: 100, rows: 24 });
  seen.push(await settled(id));
  await type(":q\r", { prompt: true });
  await type("echo the end\n", { prompt: true });
  return { id, seen };
}

describe("any past screen", () => {
  it("a past screen is the one that was seen, without caches and after restarts too", async () => {
    const { id, seen } = await busySession();
    const dir = join(duetty.home.sessions, id);
    // A resize happens at a cursor too: what was seen there before it has only its time to be named by.
    const { resizes } = await person.timeline({ session_id: id });
    const lasting = seen.filter(
      ({ cursor_bytes, ts }) => !resizes.some((resize) => resize.cursor === cursor_bytes && resize.ts > ts),
    );
    expect(lasting.length).toBeGreaterThan(4);
    const check = async () => {
      for (const screen of lasting) expect(face(await past(id, screen.cursor_bytes))).toEqual(face(screen));
      for (const screen of seen) expect(face(await past(id, `@${screen.ts}`))).toEqual(face(screen));
    };
    await soon(() => expect(fs.readdirSync(join(dir, "keyframes")).length).toBeGreaterThan(0));
    await check();
    // The daemon may write another keyframe meanwhile.
    removeFolder(join(dir, "keyframes"));
    for (const name of fs.readdirSync(dir)) if (name.startsWith("screen.")) fs.rmSync(join(dir, name));
    await check();
    expect((await duetty.cli("shutdown", "--keep-sessions")).stdout).toMatch(/^ended, \d+ sessions? goe?s? on\n$/);
    await duetty.status();
    await check();
    const now = await settled(id);
    expect(face(now)).toEqual(face(seen.at(-1) ?? now));
    // The new daemon has written states again; damaged ones are not believed.
    await soon(() => expect(fs.readdirSync(join(dir, "keyframes")).length).toBeGreaterThan(0));
    for (const name of fs.readdirSync(join(dir, "keyframes")))
      fs.writeFileSync(join(dir, "keyframes", name), "no state");
    await check();
    await person.pty_close({ session_id: id });
    await check();
  });

  it("a past screen is found by time: before the end, after the start, by the clock", async () => {
    const script = "echo one; sleep 0.6; echo two; sleep 0.6; echo three";
    const id = await open(["sh", "-c", script]);
    await ended(id);
    const timeline = await person.timeline({ session_id: id });
    expect(timeline).toMatchObject({ exit_code: 0, total_bytes: 17, resizes: [] });
    expect(timeline.marks.map((mark) => mark.cursor)).toEqual([0, 5, 10]);
    const [one, two] = timeline.marks;
    const first = (screen: Screen) => screen.rows.filter((row) => row !== "");
    expect(first(await past(id, `@${(two?.ts ?? 0) - 50}`))).toEqual(["one"]);
    expect(first(await past(id, new Date((two?.ts ?? 0) + 50).toISOString()))).toEqual(["one", "two"]);
    expect(first(await past(id, `t+${((one?.ts ?? 0) - timeline.started_at + 300) / 1000}s`))).toEqual(["one"]);
    expect(await past(id, 5)).toMatchObject({ state: "running", cursor_bytes: 5, ts: one?.ts });
    expect(await past(id, "-0s")).toMatchObject({ state: "done", cursor_bytes: 17 });
    expect(first(await past(id, "@1000"))).toEqual([]);
    // Before the end of the program, which may come some time after its last words.
    const { ended_at } = (await person.status({ session_id: id })).session ?? {};
    const [, , three] = timeline.marks;
    const seen = await duetty.cli("see", id, "--at", `-${(ended_at ?? 0) - (three?.ts ?? 0) + 300}ms`);
    expect(seen.stdout).toContain("two");
    expect(seen.stdout).not.toContain("three");
    expect(await duetty.cli("see", id, "--at", "yesterday")).toMatchObject({ code: 2 });
    expect((await duetty.cli("see", id, "--at", "5", "--format", "rows")).stdout.trim()).toBe("one");
  });
});

/** A player of recordings, as anybody might write one. */
function playCast(cast: string): {
  engine: Engine;
  events: [number, string, string][];
  header: Record<string, unknown>;
} {
  const [head = "", ...lines] = cast.trimEnd().split("\n");
  const header = JSON.parse(head);
  const events = lines.map((line) => JSON.parse(line) as [number, string, string]);
  const engine = makeGhostty({ cols: header.term.cols, rows: header.term.rows, scrollback: 1000 });
  for (const [, code, data] of events) {
    const [cols = 0, rows = 0] = data.split("x").map(Number);
    if (code === "o") engine.feed(Buffer.from(data));
    if (code === "r") engine.resize({ cols, rows });
  }
  return { engine, events, header };
}

describe("export", () => {
  it("export makes the same valid asciicast v3 each time, and playing it gives the same screen", async () => {
    const id = await open(["bash", "--norc"], { cols: 70, rows: 12 });
    await person.pty_send({
      session_id: id,
      text: "printf '\\033]2;title\\007\\342\\202'; sleep 0.2; printf '\\254 \\377 \\033[7mx\\033[m\\n'\n",
    });
    await settled(id);
    await person.pty_resize({ session_id: id, cols: 50, rows: 15 });
    await settled(id);
    const middle = (await settled(id)).cursor_bytes;
    await person.pty_send({ session_id: id, text: "seq 40; exit 3\n", then: { any: [{ exit: true }] } });
    const cast = await whole(id, "cast");
    expect(await whole(id, "cast")).toBe(cast);
    const { engine, events, header } = playCast(cast);
    expect(header).toMatchObject({
      version: 3,
      term: { cols: 70, rows: 12, type: "xterm-256color" },
      command: "bash --norc",
    });
    expect(Number.isInteger(header.timestamp)).toBe(true);
    expect(events.every(([interval]) => interval >= 0)).toBe(true);
    expect(events.map(([, code]) => code)).toContain("r");
    expect(events.at(-1)?.slice(1)).toEqual(["x", "3"]);
    const text = events.flatMap(([, code, data]) => (code === "o" ? [data] : [])).join("");
    expect(text).toContain("€ \ufffd ");
    const screen = await settled(id);
    expect(engine.rows()).toEqual(screen.rows);
    expect(engine.cursor()).toEqual(screen.cursor);
    const later = playCast(await whole(id, "cast", { from: middle }));
    expect(later.header).toMatchObject({ term: { cols: 50, rows: 15 } });
    expect(later.engine.rows()).toEqual(screen.rows);
  });

  it("export writes the whole text and a page, with wrapped lines joined, across resizes", async () => {
    const long = "0123456789".repeat(12);
    const script = `seq -f 'number %g' 1 3000; printf '\\033[1;32mgreen <b>\\033[m\\n${long}\\n'; read go; seq -f 'later %g' 1 60`;
    const id = await open(["sh", "-c", script], { cols: 50, rows: 10 });
    await person.pty_wait({ session_id: id, all: [{ text: "green" }, { settled_ms: 200 }], since: 0 });
    await person.pty_resize({ session_id: id, cols: 50, rows: 30 });
    await person.pty_resize({ session_id: id, cols: 33, rows: 12 });
    await person.pty_send({ session_id: id, text: "\n", then: { any: [{ exit: true }] } });
    const numbers = (word: string, n: number) => Array.from({ length: n }, (_, i) => `${word} ${i + 1}`);
    const wanted = [...numbers("number", 3000), "green <b>", long, "", ...numbers("later", 60), ""].join("\n");
    expect(await whole(id, "text")).toBe(wanted);
    const html = await whole(id, "html");
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toMatch(/<span class="[^"]*bold[^"]*">green &lt;b&gt;<\/span>/);
    const file = join(folder(), "out.txt");
    expect((await duetty.cli("export", id, "--text", "-o", file)).stdout).toBe("");
    expect(fs.readFileSync(file, "utf8")).toBe(wanted);
    expect((await duetty.cli("export", id, "--cast")).stdout).toMatch(/^{"version":3/);
  });

  it("a long export comes in parts", async () => {
    const id = await open(["sh", "-c", "seq -f 'ä row number %g' 1 150000"]);
    await person.pty_wait({ session_id: id, any: [{ exit: true }] });
    const lines = (await whole(id, "text")).trimEnd().split("\n");
    expect(lines).toHaveLength(150_000);
    expect(lines.every((line, i) => line === `ä row number ${i + 1}`)).toBe(true);
    const cast = await whole(id, "cast");
    expect(cast).not.toContain("\ufffd");
    const { engine } = playCast(cast);
    expect(engine.rows()).toEqual((await settled(id)).rows);
  });
});

describe("search", () => {
  it("search finds text across colours and cuts, in one session or all, with cursors", async () => {
    const script =
      "printf 'a \\033[31mneed'; sleep 0.1; printf '\\033[1mle\\033[m here\\n'; seq 2000; printf '10%%\\r20%%\\r\\n'; echo NEEDLE";
    const id = await open(["sh", "-c", script]);
    await ended(id);
    const found = await person.search({ query: "needle", session_id: id });
    expect(found).toMatchObject({ truncated: false, next: null });
    expect(found.matches).toMatchObject([{ session_id: id, line: 0, text: "a needle here", column: 2, length: 6 }]);
    const [match] = found.matches;
    expect((await past(id, match?.cursor ?? 0)).rows[0]).toBe("a needle");
    const any = await person.search({ query: "needle", session_id: id, case: "insensitive" });
    expect(any.matches.map((m) => m.line)).toEqual([2002, 0]);
    expect((await person.search({ query: "^[12]0%", regex: true, session_id: id })).matches.map((m) => m.text)).toEqual(
      ["20%", "10%"],
    );
    expect((await person.search({ query: "NEEDLE" })).matches.map((m) => m.session_id)).toContain(id);
    await expect(person.search({ query: "(a)\\1", regex: true })).rejects.toThrow("backreference");
    const printed = await duetty.cli("search", "needle", "--session", id);
    expect(printed).toMatchObject({ code: 0, stdout: `${id} ${match?.cursor}: a needle here\n` });
    const pattern = await duetty.cli("search", "^a n[e]+dle", "--regex", "--case", "insensitive", "--session", id);
    expect(pattern).toMatchObject({ code: 0, stdout: printed.stdout });
    const bad = await duetty.cli("search", "(", "--regex");
    expect(bad.code).not.toBe(0);
    expect(bad.stderr).toMatch(/not a regular expression.*\n.*Search for literal text instead/s);
  });

  it("search says when there is more, and continues", async () => {
    const session_id = await open(["sh", "-c", 'for i in 1 2 3 4 5; do printf "hit $i\\rhit again $i\\n"; done']);
    await ended(session_id);
    const texts: string[] = [];
    for (let after: string | undefined; ; ) {
      const answer = await person.search({ query: "hit", session_id, limit: 3, ...(after ? { after } : {}) });
      texts.push(...answer.matches.map((match) => match.text));
      expect(answer.truncated).toBe(answer.next !== null);
      if (answer.next === null) break;
      after = answer.next;
    }
    expect(texts).toEqual([5, 4, 3, 2, 1].flatMap((i) => [`hit again ${i}`, `hit ${i}`]));
  });
});

describe("replay", () => {
  const terminal = (...args: string[]) => TestTerminal.open(duetty, args);

  it("replay prints the bytes when there is no terminal", async () => {
    const id = await open(["printf", "a\\033[1mb\\n"], { cols: 80, rows: 18 });
    await ended(id);
    expect((await duetty.cli("replay", id)).stdout).toBe("a\x1b[1mb\r\n");
    expect((await duetty.cli("replay", id, "--from", "5")).stdout).toBe("b\r\n");
    expect((await duetty.cli("replay", id, "--from", "-100s")).stdout).toBe("a\x1b[1mb\r\n");
  });

  it("replay in a terminal pauses, steps, jumps and quits, and restores the terminal", async () => {
    // Each is on disk before the next is drawn: a busy machine would read two at once, which are one then.
    const draw = 'printf "\\033[?1049h\\033[2J\\033[Hpicture $i"; sleep 0.25; read go';
    const script = `stty -echo; for i in 1 2 3 4 5 6 7 8; do ${draw}; done`;
    const id = await open(["sh", "-c", script], { cols: 80, rows: 18 });
    for (let i = 1; i <= 8; i += 1) {
      await person.pty_wait({ session_id: id, any: [{ text: `picture ${i}` }], since: 0 });
      await person.pty_send({ session_id: id, text: "\n" });
    }
    await ended(id);
    const { started_at, latest_at } = await person.timeline({ session_id: id });
    const [half] = (await past(id, `@${Math.round((started_at + latest_at) / 2)}`)).rows;
    expect(half).toMatch(/^picture [2-7]$/);
    const slow = terminal("replay", id, "--speed", "0.1");
    await slow.shows("picture 1");
    slow.type(" ");
    slow.type(".");
    await slow.shows("picture 2");
    slow.type("\x1b[C");
    await slow.shows("picture 8");
    slow.type("5");
    await soon(() => expect(slow.text()).toContain(half));
    slow.type("q");
    await slow.ended();
    expect(slow.exit).toBe(0);
    expect(slow.text()).toContain("[stopped]");
    expect(slow.engine.modes().alt_screen).toBe(false);
    const fast = terminal("replay", id, "--speed", "50");
    await fast.ended();
    expect(fast.text()).toContain("[the end]");
  });
});
