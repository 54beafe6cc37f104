// What is read of a screen: every field, every format, deltas, the files that hold them, and no invisible tricks.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import type { Call, Output } from "../../../src/protocol/ops.ts";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person } = sharedStand();

async function open(script: string, size = { cols: 40, rows: 8 }): Promise<string> {
  const { session_id } = await person.pty_open({ command: ["bash", "-c", script], ...size });
  await person.pty_wait({ session_id, any: [{ idle_ms: 150 }] });
  return session_id;
}

const see = (session_id: string, options: Partial<Call<"pty_read_screen">> = {}) =>
  person.pty_read_screen({ session_id, ...options });
const file = (id: string, name: string) => join(duetty.home.sessions, id, name);

describe("a snapshot", () => {
  it("has every field", async () => {
    const id = await open("printf '\\033]2;a title\\007\\033[?2004h\\033[?1002hone\\r\\n 漢字 e\\314\\201x'; exec cat");
    const screen = await see(id);
    expect(screen).toMatchObject({
      session_id: id,
      cols: 40,
      rows_count: 8,
      rows: ["one", " 漢字 e\u0301x", "", "", "", "", "", ""],
      cursor: { row: 1, col: 8, visible: true },
      title: "a title",
      alt_screen: false,
      mouse: "button",
      bracketed_paste: true,
      echo: "on",
      foreground: { name: "cat" },
      state: "running",
      hold: "nobody",
      scrollback: [],
      scrollback_total: 0,
      cursor_bytes: duetty.raw(id).length,
    });
    expect(screen.hash).toMatch(/^[0-9a-f]{12}$/);
  });

  it("an unchanged screen is answered in one line", async () => {
    const id = await open("echo quiet; exec cat");
    const { hash, seq } = await see(id);
    for (const since of [{ since_hash: hash }, { since_seq: seq }]) {
      expect(await see(id, since)).toMatchObject({ unchanged: true, rows: [] });
    }
    const line = (await duetty.cli("see", id, "--since-hash", hash)).stdout;
    expect(line).toMatch(/^\[Terminal Screen - .* - Unchanged\]\n$/);
    await person.pty_send({ session_id: id, text: "x", then: { any: [{ change: true }] } });
    expect((await see(id, { since_hash: hash })).unchanged).toBeUndefined();
    expect(await person.pty_screen_status({ session_id: id })).not.toHaveProperty("rows");
  });

  it("history is exact, and rows can be read by region", async () => {
    const id = await open("seq 1 50; exec cat");
    const screen = await see(id, { scrollback: 5 });
    expect(screen.scrollback).toEqual(["39", "40", "41", "42", "43"]);
    expect(screen.scrollback_total).toBe(43);
    expect(screen.rows[0]).toBe("44");
    expect((await see(id, { scrollback: 1_000 })).scrollback).toHaveLength(43);
    const part = await see(id, { rows: "2:4" });
    expect({ rows: part.rows, first: part.first_row }).toEqual({ rows: ["46", "47", "48"], first: 2 });
    expect((await see(id, { rows: "6:" })).rows).toEqual(["50", ""]);
    expect((await duetty.cli("see", id, "--rows", "nonsense")).code).toBe(2);
  });

  it("the screen comes as text, rows, ANSI and HTML", async () => {
    const id = await open(
      "printf 'plain \\033[1;31mred <b>\\033[m\\r\\n\\033[38;2;1;2;3mtrue\\033[m \\033[48;5;99mback\\033[m'; exec cat",
    );
    const screen = await see(id, { format: "text" });
    expect(screen.content?.split("\n").slice(1)).toEqual(["plain red <b>", "true back", "[End Terminal Screen]"]);
    expect((await see(id, { format: "rows" })).content).toBe(
      ["plain red <b>", "true back", "", "", "", "", "", ""].join("\n"),
    );
    const engine = makeGhostty({ cols: 40, rows: 8, scrollback: 10 });
    engine.feed(Buffer.from((await see(id, { format: "ansi" })).content ?? ""));
    expect(engine.rows()).toEqual(screen.rows);
    engine.dispose();
    const html = (await duetty.cli("see", id, "--format", "html")).stdout;
    expect(html).toContain(
      'plain <span class="bold fg-1">red &lt;b&gt;</span>\n<span style="color:rgb(1,2,3)">true</span>',
    );
    expect(html).toContain('<span class="bg-99">back</span>');
  });

  it("characters that a person cannot see are marked", async () => {
    const tricks =
      "A\\u200bB \\u202eevil\\u202c \\U000e0041\\U000e0042 \\u2066x\\u2069 soft\\u00ad \\033[8mhidden text\\033[m.";
    const id = await open(`printf '${tricks}\\n'; printf '👨\\u200d👩\\u200d👧 ok\\n'; exec cat`, {
      cols: 78,
      rows: 6,
    });
    const { rows } = await see(id);
    const all = rows.join("\n");
    expect(all).not.toMatch(/[\u200b\u202e\u2066\u00ad]|[\u{e0000}-\u{e007f}]|hidden/u);
    expect(all).toContain("⟦11 concealed⟧.");
    expect(all).toContain("👨");
    const { deltas } = await person.pty_read_screen_deltas({ session_id: id });
    expect(JSON.stringify(deltas)).not.toMatch(/hidden|\u202e/);
  });

  it("keeps concealed text marked after it has scrolled away", async () => {
    const id = await open("printf '\\033[8mhidden text\\033[m seen\\n'; seq 20; exec cat", { cols: 40, rows: 6 });
    const { scrollback } = await person.pty_read_screen({ session_id: id, scrollback: 50 });
    expect(scrollback.slice(0, 3)).toEqual(["⟦11 concealed⟧ seen", "1", "2"]);
  });
});

describe("deltas", () => {
  it("deltas add up to the screen, and cursors continue where the last answer ended", async () => {
    const id = await open("for i in 1 2 3 4 5 6; do printf '\\033[%s;1Hrow %s' $i $i; sleep 0.13; done; exec cat");
    await person.pty_wait({ session_id: id, any: [{ text: "row 6" }], since: 0 });
    // They are written at their own pace.
    await soon(() => expect(fs.readFileSync(file(id, "screen.jsonl"), "utf8")).toContain("row 6"));
    const rows: string[] = Array.from({ length: 8 }, () => "");
    let cursor = 0;
    let answers = 0;
    for (;;) {
      const part = await person.pty_read_screen_deltas({ session_id: id, cursor, limit: 2 });
      expect(part.deltas.length).toBeLessThanOrEqual(2);
      for (const delta of part.deltas) for (const { row, text } of delta.rows) rows[row] = text;
      answers += 1;
      cursor = part.resume_cursor;
      if (cursor === part.file_size) break;
    }
    expect(answers).toBeGreaterThan(1);
    const screen = await see(id);
    expect(rows).toEqual(screen.rows);
    expect(fs.statSync(file(id, "screen.jsonl")).size).toBe(cursor);
    expect((await duetty.cli("deltas", id)).stdout).toMatch(/^\[Seq: \d+ - Cursor: \(\d+, \d+\)\]\n@\d+ row 1/);
    expect((await duetty.cli("deltas", id, "--limit", "201")).code).toBe(2);
  });

  it("a spinner of 100 Hz costs at most five lines a second, a screen that stays the same none", async () => {
    const spin = "for i in $(seq 1 150); do printf '\\r%s' $((i % 8)); sleep 0.01; done; printf '\\rdone'";
    const id = await open(
      `read x; ${spin}; read x; for i in $(seq 1 100); do printf '\\rdone'; sleep 0.01; done; exec cat`,
    );
    const size = async () => {
      // What is due is written first.
      await person.pty_read_screen_deltas({ session_id: id });
      return fs.readFileSync(file(id, "screen.jsonl"), "utf8").split("\n").length - 1;
    };
    const began = Date.now();
    await person.pty_send({ session_id: id, text: "\n", then: { any: [{ regex: "^done" }] } });
    const spun = await size();
    expect(spun).toBeGreaterThan(3);
    expect(spun).toBeLessThanOrEqual(Math.ceil((Date.now() - began) / 200) + 4);
    await person.pty_send({ session_id: id, text: "\n", then: { any: [{ idle_ms: 1_500 }] } });
    // The Enter itself moved the cursor; the hundred redraws of the same text cost nothing.
    expect((await size()) - spun).toBeLessThanOrEqual(3);
  });

  it("an unfinished frame (mode 2026) is not shown, within a time limit", async () => {
    const id = await open(
      "printf 'before'; read x; printf '\\033[?2026h\\r\\nhalf'; for i in {1..300}; do :; done; printf ' whole\\033[?2026l'; read x; printf '\\033[?2026h\\r\\nstuck'; exec cat",
    );
    const first = await person.pty_send({ session_id: id, text: "\n", then: { any: [{ text: "half" }] } });
    expect(first.screen.rows.join("\n")).toContain("half whole");
    const stuck = await person.pty_send({ session_id: id, text: "\n", then: { any: [{ text: "stuck" }] } });
    expect(stuck.outcome).toBe("matched");
  });

  it("the newest screen is in a file, whole, and final after the end", async () => {
    const id = await open("echo first; read x; echo LAST; exit 0");
    const read = () =>
      JSON.parse(fs.readFileSync(file(id, "screen.snapshot.json"), "utf8")) as Output<"pty_read_screen">;
    await soon(() => expect(read().rows[0]).toBe("first"));
    await person.pty_send({ session_id: id, text: "\n", then: { any: [{ exit: true }] } });
    const { seq } = await see(id);
    await soon(() => expect(read()).toMatchObject({ seq, rows: expect.arrayContaining(["LAST"]) }));
  });

  it("deltas survive a torn tail and a killed daemon", async () => {
    const id = await open("echo one; exec cat");
    await person.pty_send({ session_id: id, text: "two\n" });
    await soon(() => expect(fs.readFileSync(file(id, "screen.jsonl"), "utf8")).toContain("two"));
    await duetty.killDaemon();
    fs.appendFileSync(file(id, "screen.jsonl"), '{"type":"screen_del');
    await duetty.cli("status");
    await person.pty_send({ session_id: id, text: "three\n" });
    await soon(() => expect(fs.readFileSync(file(id, "screen.jsonl"), "utf8")).toContain("three"));
    const { deltas } = await person.pty_read_screen_deltas({ session_id: id, limit: 200 });
    const rows = new Map(deltas.flatMap((delta) => delta.rows.map(({ row, text }) => [row, text])));
    expect([...rows.values()]).toEqual(expect.arrayContaining(["one", "two", "three"]));
  });
});

describe("input", () => {
  it("keys follow the terminal's modes", async () => {
    const id = await open(
      "stty raw -echo; printf '\\033[?1h\\033[?2004hready'; head -c 3 | od -An -c; head -c 14 | od -An -c; exec cat",
    );
    const arrow = await person.pty_send({ session_id: id, keys: ["Up"], then: { any: [{ regex: "033.*A" }] } });
    expect(arrow.screen.rows.join(" ")).toMatch(/033\s+O\s+A/);
    const pasted = await person.pty_send({ session_id: id, paste: "ab", then: { any: [{ regex: "~" }] } });
    expect(pasted.screen.rows.join(" ").replace(/\s+/g, " ")).toContain("033 [ 2 0 0 ~ a b 033 [ 2 0 1 ~");
  });

  it("clicks by visible text, and says why it cannot", async () => {
    const id = await open(
      "stty raw -echo; printf '\\033[?1000h\\033[?1006h\\033[3;5HOK  Cancel  OK'; head -c 18 | od -An -c; exec cat",
      { cols: 70, rows: 10 },
    );
    const click = (at: object) =>
      person.pty_send({ session_id: id, mouse: { action: "click", at: at as { text: string } } });
    await expect(click({ text: "OK" })).rejects.toMatchObject({ message: expect.stringMatching(/2/) });
    await expect(click({ text: "Nowhere" })).rejects.toMatchObject({ code: "input.invalid" });
    await click({ text: "Cancel" });
    await soon(async () =>
      expect((await see(id)).rows.join(" ").replace(/\s+/g, "")).toContain("033[<0;9;3M033[<0;9;3m"),
    );
    const short = await duetty.cli("send", id, "--click", "2,15", "--scroll", "0", "--wait-settled", "100");
    expect(short.code).toBe(0);
    await soon(() => expect(duetty.raw(id).toString("latin1")).toContain("\x1b[<0;16;3M"));
    const plain = await open("exec cat");
    const refused = person.pty_send({ session_id: plain, mouse: { action: "click", at: { row: 0, col: 0 } } });
    await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining("keys") });
  });

  it("Enter is sent apart for programs that take a burst of keys for a paste", async () => {
    const script = `process.stdin.setRawMode(true); process.stdout.write("\\x1b[?2004hready");
      process.stdin.on("data", (d) => process.stdout.write(JSON.stringify(d.toString()) + " "));`;
    const { session_id } = await person.pty_open({ command: [process.execPath, "-e", script] });
    await person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
    const { screen } = await person.pty_send({ session_id, text: "hello\n", then: { any: [{ text: '"\\r"' }] } });
    expect(screen.rows[0]).toContain('"hello" "\\r"');
  });
});

it("a viewer's attach does not change an agent's screen", () => {
  // The sizes themselves are tested with the stream; here: nothing in this file was attached to, and nothing resized.
  const sizes = execFileSync("sh", ["-c", `cat ${duetty.home.sessions}/*/records.jsonl | grep -c resize || true`]);
  expect(Number(sizes.toString())).toBe(0);
});
