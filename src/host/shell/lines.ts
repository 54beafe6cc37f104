// The Shells port on files: one private folder per session, in which its shell finds its script and the line to run.
import fs from "node:fs";
import { join } from "node:path";
import type { BoxedPlace, Shells } from "../../core/block/shells.ts";
import { type LineBox, lastFolder, layBox } from "./box-line.ts";
import { endDrain, isDrainLaid, layDrain } from "./drain.ts";
import { GUARD_FILES, openGuard, tell } from "./guard.ts";
import { greeting, marksOf, secret } from "./nested.ts";
import { hasBegun, layTyped, plainShell } from "./plain-shell.ts";
import { forget, integrate, LINE_FILE } from "./shells.ts";
import { STATE_FILE, takeState } from "./state.ts";

/** In the session's own folder. */
export const SHELL_FOLDER = "shell";
/**
 * Where a shell parks one history entry and its traps between two built-ins, the cycle in which it was denied something, and where
 * it writes its state for a moment.
 */
export const WRITTEN_BY_SHELLS: readonly string[] = ["text", "trap", "denied", STATE_FILE];

export interface LineBoxes {
  /** The box of a line that runs in `cwd`. `dir` is the shell's own folder. */
  of(at: Omit<BoxedPlace, "shell"> & { readonly session_id: string; readonly dir: string }): LineBox;
  /** The session's last boxed line is over. False: it had none since it was last told. */
  over(session_id: string): boolean;
}

export function shellFiles(sessions: string, boxes: LineBoxes): Shells {
  const dirOf = (session_id: string) => join(sessions, session_id, SHELL_FOLDER);
  return {
    integrate: (command, session_id, { shell, nonce }) => integrate(command, { shell, nonce, dir: dirOf(session_id) }),
    started: (session_id) => forget(dirOf(session_id)),
    layBox(session_id, { shell, ...at }) {
      const dir = dirOf(session_id);
      layBox(dir, shell, boxes.of({ session_id, ...at, dir }));
    },
    layTyped(session_id, { cwd }, text) {
      const dir = dirOf(session_id);
      fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
      layBox(dir, "bash", boxes.of({ session_id, cwd, roots: null, dir }));
      return layTyped(dir, text);
    },
    typedBegan: (session_id) => hasBegun(dirOf(session_id)),
    plainShell,
    lastFolder: (session_id) => lastFolder(dirOf(session_id)),
    boxOver: (session_id) => boxes.over(session_id),
    keysComing: (session_id) => layDrain(dirOf(session_id)),
    keysCame: (session_id) => isDrainLaid(dirOf(session_id)),
    keysOver: (session_id) => endDrain(dirOf(session_id)),
    typedAgain: (session_id, cycle) => void tell(join(dirOf(session_id), GUARD_FILES.again), `${cycle}\n`),
    layOut(session_id, { run_id, text, how, names }) {
      const file = join(dirOf(session_id), LINE_FILE);
      if (!fs.existsSync(dirOf(session_id))) fs.mkdirSync(dirOf(session_id), { recursive: true, mode: 0o700 });
      // Written whole or not at all, because the shell may read at any moment.
      const head = how === "plain" ? run_id : `${run_id} ${how}`;
      const listed = how === "guarded" && names.length > 0 ? `names ${names.join(" ")}\n` : "";
      fs.writeFileSync(`${file}.new`, `${head}\n${listed}${text}`, { mode: 0o600 });
      fs.renameSync(`${file}.new`, file);
    },
    guard: (session_id, judge) => openGuard(dirOf(session_id), judge),
    takeState: (session_id) => takeState(dirOf(session_id)),
    secret,
    greeting,
    marksOf,
    takeBack: (session_id) => fs.rmSync(join(dirOf(session_id), LINE_FILE), { force: true }),
  };
}
