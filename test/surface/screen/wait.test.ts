// Waits: nothing stale matches, nothing new is missed, and every condition ends for its own reason.
import { describe, expect, it } from "vitest";
import type { Call, Output } from "../../../src/protocol/ops.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person } = sharedStand();

type Any = Call<"pty_wait">["any"];

async function open(command: string[], size = { cols: 60, rows: 12 }): Promise<string> {
  const { session_id } = await person.pty_open({ command, ...size, env: { PS1: "$ " } });
  await person.pty_wait({ session_id, any: [{ idle_ms: 100 }] });
  return session_id;
}

const bash = () => open(["bash", "--norc", "--noprofile"]);
const wait = (session_id: string, any: Any, more: Partial<Call<"pty_wait">> = {}) =>
  person.pty_wait({ session_id, any, ...more });
const send = (session_id: string, text: string, any: Any, more: object = {}) =>
  person.pty_send({ session_id, text, then: { any, ...more } });
const brief = ({ outcome, matched, matched_at_entry }: Output<"pty_wait">) => ({ outcome, matched, matched_at_entry });

describe("text that is already there", () => {
  it("old text does not match but is reported, and its next appearance matches", async () => {
    const id = await bash();
    await send(id, "echo MA''RK\n", [{ text: "MARK" }]);
    const stale = await wait(id, [{ text: "MARK" }], { timeout_ms: 150 });
    expect(brief(stale)).toEqual({ outcome: "deadline", matched: null, matched_at_entry: true });
    const fresh = await send(id, "echo MA''RK\n", [{ text: "MARK" }]);
    expect(brief(fresh)).toEqual({ outcome: "matched", matched: "MARK", matched_at_entry: true });
  });

  it("old text does not match when it scrolls, and matches when it comes again on a full screen", async () => {
    const id = await open(["sh", "-c", "echo MARK; exec cat"]);
    for (let i = 0; i < 8; i++) {
      const moved = await send(id, "up\n", [{ text: "MARK" }, { settled_ms: 60 }]);
      expect(moved.matched).toBe("settled");
    }
    for (let i = 0; i < 12; i++) expect((await send(id, "MARK\n", [{ text: "MARK" }])).outcome).toBe("matched");
  });

  it("old text does not match when it reappears after a full-screen program", async () => {
    const id = await bash();
    await send(id, "echo MA''RK\n", [{ text: "MARK" }]);
    await send(id, "less /etc/services\n", [{ idle_ms: 150 }]);
    const back = await send(id, "q", [{ text: "MARK" }, { idle_ms: 200 }]);
    expect(brief(back)).toMatchObject({ matched: "idle" });
    expect(back.screen.rows.join("\n")).toContain("MARK");
  });

  it("old text does not match when a full-screen program scrolls it", async () => {
    const id = await open(["less", "/etc/services"]);
    const text = "# Network services";
    expect((await send(id, "j", [{ text }, { idle_ms: 100 }])).matched).toBe("idle");
    expect((await send(id, "k", [{ text: "nothing like it" }, { idle_ms: 100 }])).matched).toBe("idle");
    expect((await send(id, "G", [{ gone: text }])).outcome).toBe("matched");
    expect((await send(id, "g", [{ text }])).matched).toBe(text);
  });

  it("a line that grows around old text does not match again", async () => {
    const id = await open(["sh", "-c", "printf 'Loading'; read x; printf '...'; read x; printf ' Loading'; exec cat"]);
    expect((await send(id, "\n", [{ text: "Loading" }, { settled_ms: 100 }])).matched).toBe("settled");
    expect((await send(id, "\n", [{ text: "Loading" }])).matched).toBe("Loading");
  });
});

it("since says from which cursor on text is new", async () => {
  const id = await open(["sh", "-c", "echo BEFORE; exec cat"]);
  const { cursor_bytes } = await person.pty_read_screen({ session_id: id });
  await send(id, "AFTER\n", [{ idle_ms: 100 }]);
  expect(brief(await wait(id, [{ text: "AFTER" }], { timeout_ms: 150 }))).toMatchObject({
    outcome: "deadline",
    matched_at_entry: true,
  });
  expect(brief(await wait(id, [{ text: "AFTER" }], { since: cursor_bytes }))).toMatchObject({
    outcome: "matched",
    matched_at_entry: false,
  });
  expect((await wait(id, [{ text: "BEFORE" }], { since: cursor_bytes, timeout_ms: 150 })).outcome).toBe("deadline");
  expect((await wait(id, [{ text: "BEFORE" }], { since: 0 })).outcome).toBe("matched");
  expect((await duetty.cli("wait", id, "--text", "BEFORE", "--since", "0")).code).toBe(0);
});

it("text that a flood carries away at once still matches", async () => {
  const id = await open([
    "sh",
    "-c",
    "read x; seq 1 30000; echo NEEDLE in the flood; seq 1 60000; echo E''ND; exec cat",
  ]);
  for (const any of [[{ text: "NEEDLE" }], [{ regex: "^NEEDLE in the \\w+$" }]] as Any[]) {
    const other = await open(["sh", "-c", "read x; seq 1 30000; echo NEEDLE in the flood; seq 1 60000; exec cat"]);
    expect((await send(other, "\n", any)).outcome).toBe("matched");
  }
  expect((await send(id, "\n", [{ text: "END" }], { stop: [{ text: "NEEDLE" }] })).outcome).toBe("stop");
});

describe("conditions", () => {
  it("text and patterns match across wrapped rows", async () => {
    const id = await bash();
    const long = `${"x".repeat(55)}NEEDLE in the wrap`;
    const found = await send(id, `printf '%s\\n' ${"x".repeat(55)}NEE''DLE\\ in\\ the\\ wrap\n`, [
      { text: "NEEDLE in the wrap" },
    ]);
    expect(found.matched).toBe("NEEDLE in the wrap");
    expect((await send(id, "clear; printf '%s\\n' abcdefghij{0..9}\n", [{ regex: "j\\d" }])).matched).toMatch(/^j\d$/);
    expect(long.length).toBeGreaterThan(60);
  });

  it("gone, row and region conditions match", async () => {
    const id = await open([
      "sh",
      "-c",
      "printf 'spin 1'; read x; printf '\\033[H\\033[2J'; read x; printf '\\033[4;3Hhere\\033[8;1Hthere'; exec cat",
    ]);
    expect(brief(await send(id, "\n", [{ gone: "spin" }]))).toMatchObject({
      outcome: "matched",
      matched: "gone: spin",
    });
    const rowed = await send(id, "\n", [
      { row: 3, text: "there" },
      { row: 3, text: "here" },
    ]);
    expect(rowed.matched).toBe("here");
    expect((await wait(id, [{ gone: "not there at all" }])).outcome).toBe("matched");
    const elsewhere = await send(id, "bottom\n", [{ text: "bottom" }, { settled_ms: 150 }], {
      region: { top: 0, bottom: 4 },
    });
    expect(elsewhere.matched).toBe("settled");
  });

  it("ignored rows count neither as a change nor as unsettled", async () => {
    const clock = "while :; do printf '\\0337\\033[1;1Hclock %s\\0338' $((i=i+1)); sleep 0.05; done";
    const { session_id: id } = await person.pty_open({ command: ["bash", "-c", `printf '\\033[2;1H'; ${clock}`] });
    await wait(id, [{ text: "clock" }, { change: true }]);
    expect((await wait(id, [{ settled_ms: 1_500 }], { timeout_ms: 2_000 })).outcome).toBe("deadline");
    expect((await wait(id, [{ settled_ms: 200 }], { ignore_rows: [0] })).matched).toBe("settled");
    expect((await wait(id, [{ change: true }], { ignore_rows: [[0, 3]], timeout_ms: 300 })).outcome).toBe("deadline");
    expect((await wait(id, [{ change: true }])).matched).toBe("change");
  });

  it("stop patterns end a wait with their own reason", async () => {
    const id = await bash();
    const stopped = await send(id, "echo ER''ROR: no\n", [{ text: "never" }], { stop: [{ regex: "^ERROR.*" }] });
    expect(brief(stopped)).toMatchObject({ outcome: "stop", matched: "ERROR: no" });
  });

  it("exit comes after the last output; other waits say exited", async () => {
    const id = await open(["sh", "-c", "read x; seq 1 20000; echo LAST WORDS; exit 2"]);
    const both = await Promise.all([
      wait(id, [{ text: "LAST WORDS" }], { since: 0 }),
      wait(id, [{ exit: true }]),
      wait(id, [{ text: "never" }]),
      send(id, "\n", [{ change: true }]),
    ]);
    expect(both.map(({ outcome, matched }) => [outcome, matched])).toEqual([
      ["matched", "LAST WORDS"],
      ["matched", "exit"],
      ["exited", null],
      ["matched", "change"],
    ]);
    expect(both[2]?.screen.rows.join("\n")).toContain("LAST WORDS");
    expect(both.slice(1, 3).map(({ exit_code }) => exit_code)).toEqual([2, 2]);
  });

  it("a prompt matches where the shell waits, not where text looks like one", async () => {
    const id = await bash();
    const before = Date.now();
    const { outcome, matched } = await send(id, "echo '$ '; sleep 0.6; echo '$ '; sleep 0.6\n", [{ prompt: true }]);
    expect({ outcome, matched }).toEqual({ outcome: "matched", matched: "prompt" });
    expect(Date.now() - before).toBeGreaterThan(1_100);
    expect((await wait(id, [{ prompt: true }])).outcome).toBe("matched");
    const ended = await send(id, "sleep 0.4; (exit 3)\n", [{ block_end: true }]);
    expect(ended).toMatchObject({ matched: "block_end", exit_code: 3 });
    expect((await duetty.cli("wait", id, "--prompt")).stdout).toContain("matched: prompt (exit 3)");
  });

  it("idle does not match quiet work or constant output", async () => {
    const id = await bash();
    const busy = await send(id, "i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done; echo D''ONE\n", [{ idle_ms: 150 }]);
    expect(busy.matched).toBe("idle");
    expect(busy.screen.rows.join("\n")).toContain("DONE");
    expect((await send(id, "sleep 5\n", [{ idle_ms: 200 }])).matched).toBe("idle");
  });

  it("a password prompt is noticed, and has its own outcome and exit code", async () => {
    const id = await open(["bash", "-c", "sleep 0.2; read -s -p 'Password: ' x; echo; exec cat"]);
    expect(brief(await wait(id, [{ echo_off: true }]))).toMatchObject({ outcome: "echo_off" });
    expect((await duetty.cli("wait", id, "--echo-off")).code).toBe(6);
    expect((await person.pty_read_screen({ session_id: id })).echo).toBe("off");
    expect(brief(await wait(id, [{ text: "never" }], { stop: [{ echo_off: true }] }))).toMatchObject({
      outcome: "stop",
    });
  });

  it("M1: a pattern made to hurt answers at once, and the daemon keeps answering others", async () => {
    const id = await bash();
    // Twelve seconds and more for a matcher that tries every way.
    const hostile = ["[a-z]+[a-z]+[a-z]+[a-z]+\\d", "(a+)+!", "(.*)*#"];
    const waits = hostile.map((regex) => wait(id, [{ regex }], { timeout_ms: 20_000 }));
    await send(id, `printf '%s\\n' ${"a".repeat(400)}\n`, [{ text: "aaaa" }]);
    await send(id, "echo aaaa1 'aaa!' 'x#'\n", [{ text: "x#" }]);
    for (const answer of await Promise.all(waits)) expect(answer.outcome).toBe("matched");
  });

  it("refuses a pattern that needs to go back, and says what to write", async () => {
    const id = await bash();
    for (const regex of ["(a)\\1", "a(?=b)", "(?<q>a)\\k<q>"]) {
      await expect(wait(id, [{ regex }])).rejects.toMatchObject({ code: "input.invalid" });
    }
  });
});

describe("many at once", () => {
  it("two waits and a send that race 300 times never miss and never match old text", async () => {
    // Without echo every token appears exactly once.
    const id = await open(["sh", "-c", "stty -echo; exec cat"], { cols: 40, rows: 10 });
    for (let i = 0; i < 300; i++) {
      const text = `tok${i}.`;
      const stale = `tok${i - 1}.`;
      const [a, b, c] = await Promise.all([
        person.pty_wait({ session_id: id, any: [{ text }], timeout_ms: 5_000 }),
        person.pty_wait({ session_id: id, any: [{ text: stale }, { text }], timeout_ms: 5_000 }),
        person.pty_send({ session_id: id, text: `${text}\n`, then: { any: [{ text }] } }),
      ]);
      // A wait that arrived after the text was there says so; everyone else must have seen it appear.
      for (const { outcome, matched, matched_at_entry } of [a, b]) {
        if (outcome === "deadline") expect(matched_at_entry).toBe(true);
        else expect(matched).toBe(text);
      }
      expect(c).toMatchObject({ outcome: "matched", matched: text });
    }
  });

  it("a wait ends when its caller disconnects", async () => {
    const id = await open(["cat"]);
    const controller = new AbortController();
    const body = JSON.stringify({ session_id: id, any: [{ text: "never" }], timeout_ms: 60_000 });
    const asking = fetch(`http://127.0.0.1:${duetty.port}/v1/pty_wait`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${duetty.token("agent")}` },
      signal: controller.signal,
    });
    await wait(id, [{ settled_ms: 100 }]);
    controller.abort();
    await expect(asking).rejects.toThrow();
    expect((await send(id, "still works\n", [{ text: "still works" }])).outcome).toBe("matched");
  });
});
