// One shell whose marks are read: the session's own at the bottom, and above it shells that run inside of it and that
// somebody integrated. Owns: what its marks have said so far. Blocks decides what they mean.
import type { ShellName } from "../../protocol/words/program.ts";
import type { NestedShell } from "../journal/store.ts";
import type { Block } from "./block.ts";

export type Phase =
  | { readonly at: "start" }
  /** ready: the prompt is drawn and the line editor reads. taken: it has our line and is about to run it. */
  | {
      readonly at: "prompt";
      readonly line: "none" | "ready" | "taken";
      /** Where the prompt ends and the echo of what is typed begins. */
      readonly input: number | null;
      /** Where it said that it has our line. */
      readonly taken: number | null;
      readonly cmd: string | null;
      readonly run_id: string | null;
    }
  | { readonly at: "running"; readonly block: Block }
  /** Its command is a shell whose marks are read now. The block ended where they began. */
  | { readonly at: "inside"; readonly block: Block };

export interface Level {
  /** Null: it prints no marks. */
  readonly nonce: string | null;
  readonly shell: ShellName | null;
  /** Null: the session's own program. */
  readonly nested: NestedShell | null;
  phase: Phase;
  cycle: number;
  cwd: string | null;
  /** $? at the last prompt. */
  status: number | null;
  supported: boolean;
}

export function levelOf(own: { readonly nonce: string; readonly shell: ShellName } | null): Level {
  return { nonce: own?.nonce ?? null, shell: own?.shell ?? null, nested: null, ...NEW };
}

export function nestedLevel(nested: NestedShell): Level {
  return { nonce: nested.nonce, shell: nested.shell, nested, ...NEW };
}

const NEW = { phase: { at: "start" } as Phase, cycle: 0, cwd: null, status: null, supported: true };

/** The levels after these commands: one enters a shell, a later one leaves it. A program without marks has the first alone. */
export function levelsAfter(own: Level, ended: readonly Block[], known: readonly NestedShell[]): Level[] {
  const levels = [own];
  const enter = (id: string, block: Block | null) => {
    const nested = known.find((one) => one.id === id);
    const parent = levels.at(-1);
    if (!nested || !parent) return;
    if (block) parent.phase = { at: "inside", block };
    parent.cycle = nested.parent_cycle;
    levels.push(nestedLevel(nested));
  };
  const first = own.nonce === null ? known.find(({ parent }) => parent === null) : undefined;
  if (first) enter(first.id, null);
  for (const block of ended) {
    if (block.enters !== undefined) enter(block.enters, block);
    const left = levels.findIndex(({ nested }) => nested !== null && nested.id === block.left);
    if (left > 0) levels.splice(left);
    const now = levels.at(-1);
    if (left > 0 && now) now.phase = { at: "start" };
  }
  return levels;
}
