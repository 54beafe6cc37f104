// What a key means while attached: for the program, or for duetty; and that no cut of the input changes it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ARM_MS,
  type KeyAction,
  type KeyState,
  NOTHING_OPEN,
  press,
  type Surroundings,
} from "../../../src/cli/attach/keys.ts";
import { type AttachState, afterMessage, firstState } from "../../../src/cli/attach/state.ts";
import type { Approval } from "../../../src/protocol/ops/gate.ts";
import { someApproval } from "../../fixtures/wire.ts";

const around: Surroundings = {
  now: 10_000,
  modes: { bracketed_paste: true, mouse_format: "sgr" },
  place: { area: { cols: 40, rows: 10 }, offset: { top: 5, left: 7 }, size: { cols: 80, rows: 24 } },
  reading: { isWhole: true, page: 5, last: 0 },
};
const person = firstState("person");

function asked(more: { kind?: Approval["kind"]; at?: number } = {}): AttachState {
  const approval = someApproval({ kind: more.kind ?? "run", created_at: 0, expires_at: 60_000 });
  return afterMessage(person, { type: "approval", approval }, more.at ?? 0);
}

/** And the person turned to it. */
const turned = (more: Parameters<typeof asked>[0] = {}): AttachState => ({ ...asked(more), focus: "question" });

/** Typed bytes as latin1, what was sent as JSON, in order. */
function sent(actions: readonly KeyAction[]): string[] {
  return actions.map((action) => {
    if (action.do === "type") return action.bytes.toString("latin1");
    return action.do === "send" ? JSON.stringify(action.message) : "detach";
  });
}

function keys(state: AttachState, input: string, more: Partial<Surroundings> = {}) {
  const after = press({ state, open: NOTHING_OPEN }, Buffer.from(input, "latin1"), { ...around, ...more });
  return { ...after, sent: sent(after.actions) };
}

const yes = '{"type":"answer","approval_id":"a_1","answer":"approve"}';
const no = '{"type":"answer","approval_id":"a_1","answer":"deny"}';

describe("keys of duetty", () => {
  const mode = (mode: string) => `{"type":"mode","mode":"${mode}"}`;
  const agent = { ...person, hold: "agent:x" };
  it.each<[string, AttachState, string, string[]]>([
    ["Ctrl+T changes the mode from both to agent", person, "\x14", [mode("agent")]],
    ["Ctrl+T changes the mode from agent to terminal", { ...person, mode: "agent" }, "\x14", [mode("terminal")]],
    [
      "Ctrl+T changes the mode from terminal to both",
      { ...person, mode: "terminal" },
      "\x14",
      [mode("agent_terminal")],
    ],
    ["Ctrl+T works in kitty's form", person, "\x1b[116;5u", [mode("agent")]],
    ["Ctrl+T works with num lock", person, "\x1b[116;133u", [mode("agent")]],
    ["Ctrl+` changes the mode where terminals can send it", person, "\x1b[96;5u", [mode("agent")]],
    ["Ctrl+` works in xterm's form", person, "\x1b[27;5;96~", [mode("agent")]],
    ["NUL goes to the program", person, "\x00", ["\x00"]],
    ["Ctrl+] takes the keyboard", person, "\x1d", ['{"type":"take"}']],
    ["Ctrl+] gives the keyboard back", { ...person, hold: "person" }, "\x1d", ['{"type":"release"}']],
    ["Ctrl+\\ detaches", person, "\x1c", ["detach"]],
    ["Ctrl+\\ works in kitty's form", person, "\x1b[92;5u", ["detach"]],
    ["Escape stops an agent that types", agent, "\x1b", ['{"type":"stop"}']],
    ["Escape works in kitty's form", agent, "\x1b[27u", ['{"type":"stop"}']],
    ["Escape goes to the program when no agent types", person, "\x1b", ["\x1b"]],
    ["an arrow key does not count as Escape", agent, "\x1b[A", ["\x1b[A"]],
    ["Alt+x does not count as Escape", agent, "\x1bx", ["\x1bx"]],
    ["Escape stops an agent that asks", asked(), "\x1b", ['{"type":"stop"}']],
    ["Ctrl+Y and y allow a request", asked(), "\x19y", [yes]],
    ["y works in kitty's form", turned(), "\x1b[121u", [yes]],
    ["Ctrl+Y and n refuse a request", asked(), "\x19n", [no]],
    ["y alone goes to the program", asked(), "y", ["y"]],
    ["Enter never allows a request", asked(), "\r", ["\r"]],
    ["Enter in kitty's form never allows a request", asked(), "\x1b[13u", ["\x1b[13u"]],
    ["Enter at a request does nothing", turned(), "\r\x1b[13u\r", []],
    ["Ctrl+Y never allows a request, however often", asked(), "\x19\x19\x19", []],
    ["Ctrl+C refuses a request", asked(), "\x03", [no]],
    ["y does not answer a choice", turned({ kind: "choice" }), "y", []],
    ["Enter and Ctrl+C go to the program when no open questions", person, "\r\x03", ["\r\x03"]],
    ["Ctrl+Y goes to the program when no open questions", person, "\x19", ["\x19"]],
    ["nothing is typed in agent mode", { ...person, mode: "agent" }, "ls\r\x1b[<0;3;3M", []],
    ["requests are answered in agent mode", { ...asked(), mode: "agent" }, "\x19y", [yes]],
    ["a watcher can only detach", { ...turned(), role: "watch" }, "xy\r\x14\x1d\x1c", ["detach"]],
    ["an agent decides nothing", { ...turned(), role: "agent" }, "\x14\x19y", ["\x14\x19y"]],
  ])("%s", (_, state, input, wanted) => {
    expect(keys(state, input).sent).toEqual(wanted);
  });

  it("a request can be answered only after it could be read", () => {
    const state = turned({ at: around.now - ARM_MS + 1 });
    expect(keys(state, "y").sent).toEqual([]);
    expect(keys(state, "y", { now: around.now + 1 }).sent).toEqual([yes]);
    const early = keys({ ...state, focus: "program" }, "\x03");
    expect(early).toMatchObject({ sent: ["\x03"], state: { aside: true } });
  });

  it("a request that is not read to its end can be refused but not allowed", () => {
    const reading = { isWhole: false, page: 5, last: 12 };
    expect(keys(turned(), "y", { reading })).toMatchObject({ sent: [], state: { aside: false } });
    expect(keys(turned(), "\x03", { reading }).sent).toEqual([no]);
    const pages = [" ", "\x1b[6~", "\x1b[B", " "].reduce((state, key) => keys(state, key, { reading }).state, turned());
    expect(pages.scrolled).toBe(12);
    expect(keys(pages, "y", { reading: { ...reading, isWhole: true } }).sent).toEqual([]);
    expect(keys(pages, "y", { reading: { ...reading, isWhole: true }, now: around.now + ARM_MS }).sent).toEqual([yes]);
    expect(keys(pages, "\x1b[A", { reading }).state.scrolled).toBe(8);
    expect(keys(asked(), " ", { reading }).sent).toEqual([" "]);
  });

  it("a request moves aside while the person types, until they turn to it", () => {
    const typing = keys(turned(), "l");
    expect(typing.state).toMatchObject({ aside: true, focus: "program" });
    const enter = keys(typing.state, "\r\x03\x1b[Ay", { now: around.now + 5_000 });
    expect(enter.sent).toEqual(["\r\x03\x1b[Ay"]);
    expect(keys(typing.state, "\x1b").sent).toEqual(["\x1b"]);
    const looked = keys(typing.state, "\x19", { now: around.now + 5_000 });
    expect(looked).toMatchObject({ sent: [], state: { aside: false, focus: "question" } });
    // Seen anew, it must be read anew.
    expect(keys(looked.state, "y", { now: around.now + 5_001 }).sent).toEqual([]);
    expect(keys(looked.state, "y", { now: around.now + 5_000 + ARM_MS }).sent).toEqual([yes]);
  });

  it("a key that is held down answers once and types nothing", () => {
    const first = keys(turned(), "y");
    expect(keys(first.state, "yy", { now: around.now + ARM_MS - 1 }).sent).toEqual([]);
    const settled = afterMessage(
      first.state,
      { type: "approval_settled", approval: { ...asked().approvals[0], state: "approved" } as Approval },
      0,
    );
    expect(keys(settled, "y", { now: around.now + ARM_MS - 1 }).sent).toEqual([]);
    expect(keys(settled, "y", { now: around.now + ARM_MS }).sent).toEqual(["y"]);
  });

  it("a key's release goes where its press went", () => {
    const pressed = keys(turned(), "\x1b[121;1:1u\x1b[121;1:3u\x1b[97;1:3u");
    expect(pressed.sent).toEqual([yes, "\x1b[97;1:3u"]);
    expect(pressed.state.aside).toBe(false);
  });
});

describe("pastes", () => {
  const paste = "\x1b[200~\x14\r\x1c\x03\x1b\x1b[201~";
  it("pastes go to the program, bracketed only if it asks for that", () => {
    expect(keys(asked(), paste).sent).toEqual([paste]);
    expect(keys(asked(), paste).state.aside).toBe(true);
    const plain = { ...around.modes, bracketed_paste: false };
    expect(keys(person, `a${paste}b`, { modes: plain }).sent).toEqual(["a\x14\r\x1c\x03\x1bb"]);
  });

  it("a pasted line is handed on in one piece to a program that may read lines", () => {
    const plain = { ...around, modes: { ...around.modes, bracketed_paste: false } };
    const pieces = ["\x1b[200~one\rtw", "o tw", "o\rthr", "ee\x1b[20", "1~x"];
    let keyboard: KeyState = { state: person, open: NOTHING_OPEN };
    const actions = pieces.map((piece) => {
      const next = press(keyboard, Buffer.from(piece, "latin1"), plain);
      keyboard = next;
      return sent(next.actions).join("");
    });
    expect(actions).toEqual(["one\r", "", "two two\r", "", "threex"]);
  });

  it("input gives the same result in any pieces, except a lone Escape", () => {
    const parts = fc.constantFrom(
      "a",
      "\r",
      "\x14",
      paste,
      "\x1b[<0;3;4M",
      "\x1b[<0;3;4m",
      "\x1b[A",
      "ü",
      "\x1b[116;5u",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), fc.array(fc.nat(80), { maxLength: 4 }), (all, cuts) => {
        const input = all.join("");
        const apart = (keyboard: KeyState, from: number, to: number) =>
          press(keyboard, Buffer.from(input.slice(from, to), "latin1"), around);
        const whole = apart({ state: asked(), open: NOTHING_OPEN }, 0, input.length);
        let keyboard: KeyState = { state: asked(), open: NOTHING_OPEN };
        const actions: KeyAction[] = [];
        // Terminals do not cut within keys; only pastes and reports are long enough to be.
        const ends = [...cuts, input.length].sort((a, b) => a - b).filter((end) => !cutsKey(input, end));
        let from = 0;
        for (const to of ends) {
          if (to <= from) continue;
          const next = apart(keyboard, from, to);
          actions.push(...next.actions);
          keyboard = next;
          from = to;
        }
        expect(sent(actions).join("")).toBe(sent(whole.actions).join(""));
        expect(keyboard.state).toEqual(whole.state);
      }),
      { numRuns: 400 },
    );
  });

  function cutsKey(input: string, end: number): boolean {
    const before = input.slice(0, end);
    const isPasting = before.lastIndexOf("\x1b[200~") > before.lastIndexOf("\x1b[201~");
    return !isPasting && /\x1b(?:\[(?:\d*(?:;\d*)?)?)?$/.test(before) && !/\x1b\[(?:2|20|200)$/.test(before);
  }
});

describe("the mouse", () => {
  const at = (format: Surroundings["modes"]["mouse_format"]) => ({
    modes: { bracketed_paste: false, mouse_format: format },
  });
  it("the mouse reports the session's own cells in the program's format", () => {
    expect(keys(person, "\x1b[<0;3;4M").sent).toEqual(["\x1b[<0;10;9M"]);
    expect(keys(person, "\x1b[<0;3;4m", at("x10")).sent).toEqual(["\x1b[M#*)"]);
    expect(keys(person, "\x1b[<64;3;4M", at("urxvt")).sent).toEqual(["\x1b[96;10;9M"]);
    expect(keys(person, "\x1b[<0;3;4M", at("sgr_pixels")).sent).toEqual(["\x1b[<0;76;136M"]);
    expect(keys(person, "\x1b[M #$").sent).toEqual(["\x1b[<0;10;9M"]);
  });

  it("the mouse beside the session reports nothing but the end of a drag", () => {
    expect(keys(person, "\x1b[<0;3;11M\x1b[<0;3;11m\x1b[<35;41;2M").sent).toEqual([]);
    expect(keys(person, "\x1b[<0;3;4M\x1b[<32;3;12M\x1b[<0;3;12m").sent).toEqual(["\x1b[<0;10;9M\x1b[<0;10;15m"]);
    const small = { ...around.place, offset: { top: 0, left: 0 }, size: { cols: 10, rows: 3 } };
    expect(keys(person, "\x1b[<0;11;1M\x1b[<0;10;3M", { place: small }).sent).toEqual(["\x1b[<0;10;3M"]);
  });

  it("the mouse does not move a request aside", () => {
    expect(keys(asked(), "\x1b[<35;3;4M\x1b[I").state.aside).toBe(false);
  });
});
