// What a session knows of a shell without marks that is in front of it.

import { utf8 } from "../../base/utf8.ts";
import type { Shells } from "../../block/shells.ts";
import type { PlainShellParts } from "../../gate/line/plain-shell.ts";
import type { Meta } from "../../journal/store.ts";
import type { Glance } from "../../screen/wait/reads.ts";
import type { HalfLine } from "../half-line.ts";

export function plainShellParts(
  { session_id, box }: Pick<Meta, "session_id" | "box">,
  parts: { readonly shells: Shells; boxing(): "on" | "none" | "missing"; glance(): Glance | undefined },
  halfLine: () => Pick<HalfLine, "mayBe" | "isFresh">,
): Omit<PlainShellParts, "place" | "leader"> {
  const { shells } = parts;
  return {
    mayBeHalf: () => halfLine().mayBe,
    isFresh: () => halfLine().isFresh,
    beforeCursor() {
      const now = parts.glance();
      return now && !now.alt_screen ? now.before : null;
    },
    plainShell: (pid) => shells.plainShell(pid),
    // In a box keys are free.
    boxing: () => (box ? "none" : parts.boxing()),
    typedBegan: () => shells.typedBegan(session_id),
    typedOver: () => void shells.boxOver(session_id),
    layTyped: (cwd, text) => utf8(`${shells.layTyped(session_id, { cwd }, text)}\r`),
  };
}
