// Port: a hidden shell beside a session's own, which completes lines as that one would. Adapter: src/host/shell/side.
// Completion runs programs: parts of the line, and files of the project. So it happens in a box that can write nothing, and an
// answer that does not come in time ends everything that the shell has started.
import type { ShellName } from "../../protocol/words/program.ts";

export interface SideQuestion {
  readonly shell: ShellName;
  /** Its program. */
  readonly program: string;
  readonly cwd: string;
  readonly line: string;
  /** Where the caret is, in characters. */
  readonly point: number;
  /** one: what Tab makes of the line, where the shell does not tell it along with all. */
  readonly what: "all" | "one";
  /** What the session's shell knows now. Undefined: as before. */
  readonly state: string | undefined;
  readonly within_ms: number;
}

export interface SideShells {
  /** Why there are none on this machine. */
  readonly unavailable: string | null;
  /** Whether it knows the session's state. */
  isWarm(session_id: string): boolean;
  /** Its answer, as the scripts in shell/ write it. Undefined: none in time. The shell is gone then. */
  ask(session_id: string, question: SideQuestion): Promise<string | undefined>;
  end(session_id: string): void;
  dispose(): Promise<void>;
}
