// A repository of a person's, for agents that get a worktree of it: how it begins, and what of it nobody else may change.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";

export function gitSays(cwd, ...args) {
  try {
    return execFileSync("git", ["-C", cwd, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}

export function makeRepository(folder) {
  gitSays(folder, "init", "--quiet", "--initial-branch=main");
  gitSays(folder, "config", "user.name", "A person");
  gitSays(folder, "config", "user.email", "person@example.invalid");
  fs.writeFileSync(join(folder, "README.md"), "A project.\n");
  gitSays(folder, "add", "--all");
  gitSays(folder, "commit", "--quiet", "--message=first");
}

/** All files and their contents, but for objects and refs of git, where commits come in. */
export function personsOwn(folder) {
  const files = fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => !/^\.git\/(?:objects|refs|logs)\b/.test(name));
  const sum = (path) =>
    fs.lstatSync(path).isFile() ? createHash("sha256").update(fs.readFileSync(path)).digest("hex") : "";
  return files
    .map((name) => `${name} ${sum(join(folder, name))}`)
    .sort()
    .join("\n");
}
