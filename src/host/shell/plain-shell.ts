// Whether a process is a plain shell of this machine that reads lines of its user, as the kernel says; and the program that it is
// told to start instead of an agent's line. Linux only.
import fs from "node:fs";
import { join } from "node:path";
import { BOX_FILES } from "./box-line.ts";
import { quoted } from "./quoted.ts";

/** Only the system's own. A program of the same name elsewhere may be anything. */
const SHELLS = /^\/(?:usr\/)?bin\/(?:sh|dash|bash|ksh|ksh93|mksh|yash)$/;
/** Options without a value. One that is not known may take the next word, or a script. */
const OPTION = /^(?:-[ilmsvx]+|--(?:norc|noprofile|login|posix|noediting))$/;
/** Another of them is another machine, or another view of this one. */
const SPACES = ["mnt", "pid", "user", "net", "uts"];
const TYPED_FILE = "typed";

/** Its folder. Null: it is none, or not certainly. */
export function plainShell(pid: number): string | null {
  if (process.platform !== "linux") return null;
  try {
    const at = (name: string) => fs.readlinkSync(`/proc/${pid}/${name}`);
    const isHere = SPACES.every((name) => at(`ns/${name}`) === fs.readlinkSync(`/proc/self/ns/${name}`));
    if (!isHere || at("root") !== "/" || !SHELLS.test(at("exe"))) return null;
    const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
    const [, real, effective] = /^Uid:\t(\d+)\t(\d+)/m.exec(status) ?? [];
    if (Number(real) !== process.getuid?.() || real !== effective) return null;
    // A shell's child that has started no other program, such as (read x), has its name, its words and its memory.
    const [, parent = ""] = /^PPid:\t(\d+)/m.exec(status) ?? [];
    const memory = (of: number | string) => fs.readFileSync(`/proc/${of}/auxv`, "latin1");
    if (memory(pid) === memory(parent)) return null;
    const [, ...args] = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    const cwd = at("cwd");
    return args.every((arg) => OPTION.test(arg)) && fs.statSync(cwd, { throwIfNoEntry: false }) ? cwd : null;
  } catch (error) {
    // It has gone, or it is another user's.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** The shell has started what was laid out, which removes itself. */
export function hasBegun(dir: string): boolean {
  return !fs.existsSync(join(dir, TYPED_FILE));
}

/** Lays the line out and says what to type. It shows the line, as a shell with marks does. */
export function layTyped(dir: string, text: string): string {
  const file = join(dir, TYPED_FILE);
  const line = quoted(text);
  const shown = quoted(`${BOX_FILES.program} ${line}`);
  // The one before may still be read.
  fs.rmSync(file, { force: true });
  fs.writeFileSync(
    file,
    `#!/bin/sh
rm -f ${quoted(file)}
printf '%s\\n' ${shown}
exec ${quoted(join(dir, BOX_FILES.program))} ${line}
`,
    { mode: 0o700 },
  );
  return /^[\w./-]+$/.test(file) ? file : quoted(file);
}
