// File reads of the built-in agent: inside the session's workspace, never where keys are. For other files
// it can use a command, which the gate judges.
import fs from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { wholeChars } from "../../core/base/head-tail.ts";
import { secretPath } from "../../core/gate/risk/secret-paths.ts";

/** Larger files are read in parts or with a command. */
const FILE_BYTES_MAX = 2 << 20;
/** One read: what a model can take in at once. */
const LINES_MAX = 400;
const LINE_CHARS_MAX = 500;
const NAMES_MAX = 300;
/** Limits a listing, because a workspace is not the whole disk. */
const PARENTS_MAX = 20;

interface FileLook {
  readonly text: string;
  readonly again: string;
}

export class WorkspaceFiles {
  #cwd: () => string;
  #forbidden: string;

  constructor(cwd: () => string, forbidden: string) {
    this.#cwd = cwd;
    this.#forbidden = forbidden;
  }

  read(path: string, from: number, count: number): FileLook | Fault {
    return this.#look(path, (real, name) => {
      const text = textOf(real, path);
      if (isFault(text)) return text;
      const lines = text.split("\n");
      if (lines.at(-1) === "") lines.pop();
      const first = Math.max(1, from);
      const shown = lines.slice(first - 1, first - 1 + Math.min(count, LINES_MAX));
      const last = first - 1 + shown.length;
      const head = `${name}: lines ${first} to ${last} of ${lines.length}`;
      const body = shown.map((line, i) => `${first + i}\t${shortened(line)}`).join("\n");
      const rest = last < lines.length ? `\n[${lines.length - last} more lines: read_file from ${last + 1}]` : "";
      return { text: `${head}\n${body}${rest}`, again: `read_file ${name} from ${first}` };
    });
  }

  list(path: string): FileLook | Fault {
    return this.#look(path, (real, name) => {
      const entries = fs.readdirSync(real, { withFileTypes: true });
      const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
      const shown = names.slice(0, NAMES_MAX);
      const rest = names.length > shown.length ? `\n[${names.length - shown.length} more]` : "";
      return { text: `${name}: ${names.length} entries\n${shown.join("\n")}${rest}`, again: `list_files ${path}` };
    });
  }

  /** A refusal of the system becomes an answer for the agent. */
  #look(path: string, look: (real: string, name: string) => FileLook | Fault): FileLook | Fault {
    try {
      const place = this.#place(path);
      return isFault(place) ? place : look(place.real, place.name);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
      if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
      return fault(
        "input.invalid",
        `${path} cannot be read (${code})`,
        "Look around with list_files, or use run_command.",
      );
    }
  }

  /** The real path with links followed, because that is what counts. */
  #place(path: string): { real: string; name: string } | Fault {
    const cwd = this.#cwd();
    const wanted = resolve(cwd, path);
    if (!fs.existsSync(wanted)) return fault("not_found", `there is no ${path}`, "Look around with list_files.");
    const real = fs.realpathSync(wanted);
    const root = workspaceOf(cwd);
    const outside = fault(
      "gate.denied",
      `${path} is outside of the workspace ${root}`,
      "Ask for it with run_command: a person can allow that.",
    );
    const forbidden = [fs.realpathSync(this.#forbidden), "/proc", "/sys", "/dev"];
    if (!isWithin(real, root) || forbidden.some((folder) => isWithin(real, folder))) return outside;
    const secret = [wanted, real].some((each) => secretPath([{ text: each }]));
    if (secret)
      return fault(
        "gate.denied",
        `${path} may hold keys or passwords`,
        "Ask for it with run_command: a person can allow that.",
      );
    return { real, name: relative(cwd, real) || "." };
  }
}

/** Opened once, so that we read exactly what we checked. */
function textOf(real: string, path: string): string | Fault {
  const file = fs.openSync(real, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW);
  try {
    const stat = fs.fstatSync(file);
    if (!stat.isFile()) return fault("input.invalid", `${path} is not a file`, "Use list_files for folders.");
    const hint = "Read a part of it with run_command (sed -n, head, tail).";
    if (stat.size > FILE_BYTES_MAX) return fault("input.invalid", `${path} has ${stat.size} bytes`, hint);
    const bytes = fs.readFileSync(file);
    if (!bytes.subarray(0, 8_000).includes(0)) return bytes.toString("utf8");
    return fault("input.invalid", `${path} is not text`, "Look at it with run_command (file, xxd | head).");
  } finally {
    fs.closeSync(file);
  }
}

/** The folder with .git above the session's folder, or that folder itself. */
function workspaceOf(cwd: string): string {
  const real = fs.existsSync(cwd) ? fs.realpathSync(cwd) : cwd;
  let folder = real;
  for (let i = 0; i < PARENTS_MAX; i += 1) {
    if (fs.existsSync(join(folder, ".git"))) return folder;
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return real;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function shortened(line: string): string {
  if (line.length <= LINE_CHARS_MAX) return line;
  const cut = wholeChars(line, LINE_CHARS_MAX);
  return `${line.slice(0, cut)} [${line.length - cut} more characters]`;
}
