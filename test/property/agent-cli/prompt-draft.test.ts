// Whatever somebody's draft contains, however it is drawn into the box of an agent CLI, nobody prompts over it.
import fc from "fast-check";
import { expect, test } from "vitest";
import { PRESETS } from "../../../src/core/agent-cli/presets.ts";
import { boxIn, type Piece } from "../../../src/core/agent-cli/prompt-box.ts";
import { notReady } from "../../../src/core/agent-cli/readiness.ts";

const WIDTH = 40;

interface Frame {
  readonly agent: string;
  readonly sign: string;
  readonly around: readonly [above: string, below: string];
  readonly side?: string;
  /** What an empty one says. */
  readonly hint: Piece;
}

const line = (char: string, [left, right] = ["", ""]) => left + char.repeat(WIDTH - left.length - right.length) + right;
const faint = (text: string): Piece => ({ text, look: "faint" });
const coloured = (text: string): Piece => ({ text, look: "coloured" });
const TYPE_HERE = coloured("Type your message or @path/to/file");
const FRAMES: readonly Frame[] = [
  { agent: "claude", sign: "❯ ", around: [line("─"), line("─")], hint: faint('Try "fix a test"') },
  { agent: "codex", sign: "› ", around: ["", ""], hint: faint("Ask Codex to do anything") },
  { agent: "gemini", sign: " > ", around: [line("▄"), line("▀")], hint: TYPE_HERE },
  { agent: "gemini", sign: " > ", side: "│", around: [line("─", ["╭", "╮"]), line("─", ["╰", "╯"])], hint: TYPE_HERE },
  { agent: "copilot", sign: "❯ ", around: [line("─"), line("─")], hint: coloured("Type @ to mention files") },
  { agent: "qwen", sign: "> ", around: [line("─"), line("─")], hint: TYPE_HERE },
];

const plain = (text: string): Piece => ({ text, look: "plain" });

/** The screen with these rows in the box. */
function screen({ sign, around: [above, below], side = "" }: Frame, rows: readonly (readonly Piece[])[]): Piece[][] {
  const inBox = rows.map((pieces, i) => {
    const begin = side + (i === 0 ? sign : " ".repeat(sign.length));
    const length = pieces.reduce((sum, { text }) => sum + text.length, begin.length);
    return [plain(begin), ...pieces, plain(" ".repeat(Math.max(0, WIDTH - 1 - length)) + side)];
  });
  const before = ["❯ old", "> old", "› old", "", "● done", "", "", "", ""].map((text) => [plain(text)]);
  return [...before, [plain(above)], ...inBox, [plain(below)], [plain("  ? for shortcuts")]];
}

function ready(frame: Frame, rows: readonly (readonly Piece[])[], openMs: number | undefined): string | undefined {
  const box = PRESETS.find(({ name }) => name === frame.agent)?.box;
  if (!box) throw new Error(frame.agent);
  const now = { state: "idle" as const, why: "", source: "screen" as const, since: 5 };
  return notReady({ agent: { name: frame.agent, now }, box: boxIn(box, screen(frame, rows)), openMs }, "s_1")?.code;
}

test.each(FRAMES)("$agent $around: an empty box is known", (frame) => {
  const [first = "", rest] = [frame.hint.text[0], { ...frame.hint, text: frame.hint.text.slice(1) }];
  expect(ready(frame, [[frame.hint]], 60_000)).toBeUndefined();
  expect(ready(frame, [[{ text: first, look: "reverse" }, rest]], undefined)).toBeUndefined();
  if (frame.agent !== "codex") expect(ready(frame, [[{ text: " ", look: "reverse" }]], 60_000)).toBeUndefined();
});

const words = fc.constantFrom(
  ..."\n\n\n  ab|│┃❯>›*─└╰╭▀▄字é🙂",
  line("─"),
  line("─", ["╰", "╯"]),
  "\n❯ ",
  "\n> ",
  "└── plan.md",
  "? for shortcuts",
  ...FRAMES.map(({ hint }) => hint.text),
  "[Pasted text #1 +20 lines]",
);

test.each(FRAMES)("$agent $around: a draft is never taken for an empty box", (frame) => {
  const look = fc.constantFrom("plain" as const, "coloured" as const);
  const ghost = fc.constantFrom("", "", "ix the test");
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), look, fc.nat(), fc.nat(), ghost, (units, of, at, top, more) => {
      const draft = units.join("");
      fc.pre(draft.trim() !== "" || draft.includes("\n"));
      // Only its colour would tell it from the hint.
      fc.pre(of === "plain" || draft.trim() !== frame.hint.text);
      const wrapped = draft.split("\n").flatMap((text) => text.match(/.{1,30}/gu) ?? [""]);
      // A long one is scrolled. Its first visible row has the sign.
      const from = wrapped.length > 6 ? top % (wrapped.length - 5) : 0;
      const rows = wrapped.slice(from, from + 6).map((text) => [{ text, look: of } as Piece]);
      const cursor = at % rows.length;
      const chars = [...(rows[cursor]?.[0]?.text ?? "")];
      const on = (at >> 3) % (chars.length + 1);
      const marked = rows.map((pieces, i): Piece[] => {
        if (i !== cursor) return pieces;
        const under: Piece = { text: chars[on] ?? " ", look: "reverse" };
        const [before, behind] = [chars.slice(0, on).join(""), chars.slice(on + 1).join("")];
        return [{ text: before, look: of }, under, { text: behind, look: of }, faint(more)];
      });
      for (const drawn of [rows, marked])
        expect(["prompt.busy", "agent.unread"]).toContain(ready(frame, drawn, 60_000));
    }),
    { numRuns: 300 },
  );
});
