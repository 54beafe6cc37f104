// Whether the program in front has been left alone since its command began.
import { expect, test } from "vitest";
import { Fresh } from "../../../src/core/session/nested/fresh.ts";

/** P: a prompt. p: one that has stood for long. B: a typed command begins. R: a run's. Else: keys, "." for Enter. */
function after(steps: string, isOld = false): boolean {
  const fresh = new Fresh(isOld);
  let [isRested, isEntered] = [false, false];
  for (const step of steps) {
    if (step === "P" || step === "p") fresh.prompted();
    else if (step === "B" || step === "R") fresh.began(step === "R", isEntered);
    else fresh.typed(Uint8Array.of(step === "." ? 0x0d : step.charCodeAt(0)), isRested);
    isEntered = step === ".";
    isRested = step === "p";
  }
  return fresh.is;
}

test.each(["", "Px.B", "PR", "Px.BPy.B", "PRPx.B", "Px.Bvim..pd.B"])("left alone: %s", (steps) => {
  expect(after(steps)).toBe(true);
});

test.each([
  // Typed to it.
  ...["x", ".", "Px.Bx", "Px.B.", "PRx", "PR.", "Px.Bx."],
  // Typed ahead of it: in one go, two commands before, before the first prompt, beside a run.
  ...["Px.y.B", "Px.yB", "Px.y.z.BPB", "Pa.b.c.BPBPBx.", "Pa.b.c.d.BPBPx.B", "x.y.Pz.B", "P.R"],
  // Keys for a program may be left for the next.
  "Px.Bvim..Pd.B",
])("not: %s", (steps) => expect(after(steps)).toBe(false));

test("what was typed before nobody knows", () => {
  expect(["", "Px.B", "PRPx.B"].filter((steps) => after(steps, true))).toEqual([]);
  expect(after("px.B", true)).toBe(true);
});
