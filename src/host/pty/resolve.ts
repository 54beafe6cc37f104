// Finds the absolute file to execute for a command as typed, or the reason why not. Pure except for reading the disk.
// Owns: the PATH search. Refuses: to start anything. Checked before the fork, as the native fork answers a bad
// command only with exit code 1 and a message in the output.
import { accessSync, constants, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Fault, fault } from "../../core/base/fault.ts";
import type { PtyCommand } from "../../core/pty/pty.ts";

/** Where execvp looks when PATH is not set at all. */
const PATH_DEFAULT = "/usr/local/bin:/usr/bin:/bin";

type Found = "executable" | "missing" | "directory" | "not a file" | "not executable";

interface Resolved {
  readonly file: string;
  readonly cwd: string;
}

export function resolveCommand(command: Pick<PtyCommand, "file" | "args" | "cwd" | "env">): Resolved | Fault {
  const texts = [command.file, command.cwd, ...command.args, ...Object.entries(command.env).flat()];
  // C strings end at NUL, so the program would silently get less than was asked.
  if (texts.some((text) => text.includes("\0"))) {
    return fault("input.invalid", "The command, an argument or the environment contains a NUL byte.", "Remove it.");
  }
  const cwd = resolve(command.cwd);
  const at = look(cwd);
  if (at !== "directory") {
    const why = at === "missing" ? "does not exist" : "is not a directory";
    return fault("cwd.not_found", `The working directory ${cwd} ${why}.`, "Give an existing directory as cwd.");
  }
  if (!allowed(cwd, constants.X_OK)) {
    return fault(
      "cwd.not_found",
      `The working directory ${cwd} may not be entered.`,
      "Give a directory you may enter.",
    );
  }
  const { file, env } = command;
  if (file === "") return fault("command.not_found", "The command is empty.", "Name a program, such as bash.");
  return file.includes("/") ? resolvePath(file, cwd) : resolveName(file, cwd, env.PATH ?? PATH_DEFAULT);
}

function resolvePath(file: string, cwd: string): Resolved | Fault {
  const path = resolve(cwd, file);
  const found = look(path);
  switch (found) {
    case "executable":
      return { file: path, cwd };
    case "missing":
      return fault("command.not_found", `There is no file ${path}.`, `Check the path; it is taken relative to ${cwd}.`);
    case "not executable":
      return fault("command.not_found", `${path} is not executable.`, "Run chmod +x on it, or start its interpreter.");
    case "directory":
    case "not a file":
      return fault("command.not_found", `${path} is not a program (${found}).`, "Name an executable file.");
  }
}

function resolveName(file: string, cwd: string, path: string): Resolved | Fault {
  let blocked: string | null = null;
  for (const folder of path.split(":")) {
    // POSIX: an empty entry of PATH is the working directory.
    const candidate = join(resolve(cwd, folder), file);
    const found = look(candidate);
    if (found === "executable") return { file: candidate, cwd };
    if (found === "not executable") blocked ??= candidate;
  }
  if (blocked !== null) {
    return fault("command.not_found", `${blocked} is not executable.`, "Run chmod +x on it, or name another program.");
  }
  const hint = /\s/.test(file)
    ? `Give "${file.split(/\s+/)[0]}" as the command and the rest as args, or run: sh -c '${file}'.`
    : "Check the spelling, install it, or give its absolute path.";
  return fault("command.not_found", `No program "${file}" in PATH (${path}).`, hint);
}

function look(path: string): Found {
  // throwIfNoEntry covers ENOENT and ENOTDIR; a parent that may not be searched (EACCES) is as good as missing.
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return "missing";
    if (stat.isDirectory()) return "directory";
    if (!stat.isFile()) return "not a file";
  } catch {
    return "missing";
  }
  return allowed(path, constants.X_OK) ? "executable" : "not executable";
}

function allowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
