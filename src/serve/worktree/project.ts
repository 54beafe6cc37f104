// What a repository asks for in its new worktrees, by its own files: a setup line and copies (.duetty.json, .worktreeinclude), and
// words before each task. They count only once a person trusted exactly these: they run code, hand out secrets, or tell agents what to do.
import fs from "node:fs";
import { isAbsolute, join } from "node:path";
import { advice } from "../../core/base/advice.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import { isWithin } from "../../core/box/plan.ts";
import { realPath } from "../../host/sandbox/links.ts";
import type { Caller } from "../auth.ts";

const PROJECT_FILE = ".duetty.json";
/** Ignored files that come along, in the language of .gitignore. Other tools read it, too. */
const INCLUDE_FILE = ".worktreeinclude";
const PROMPT_FILE = ".duetty/task.md";
/** It stands in an agent's first prompt, which is an argument of its command. */
const PROMPT_BYTES_MAX = 64 << 10;
const FILE_BYTES_MAX = 1 << 20;
const PROMPT_CHARS_SHOWN = 500;

export interface ProjectWish {
  /** A line for sh. */
  readonly setup: string;
  /** Patterns, one a line. */
  readonly copies: string;
  /** What stands before each task. */
  readonly prompt?: string;
}

/** Null: it asks for nothing. `repo` is the top of the person's own tree: no agent's work counts. */
export function projectWish(repo: string): ProjectWish | null {
  const { setup, copy } = projectFile(repo);
  const listed = Array.isArray(copy) ? copy.filter((one): one is string => typeof one === "string") : [];
  const included = textIn(repo, INCLUDE_FILE, FILE_BYTES_MAX) ?? "";
  const prompt = taskPrompt(repo);
  const wish = {
    setup: typeof setup === "string" ? setup.trim() : "",
    copies: [included.trim(), ...listed].join("\n").trim(),
    ...(prompt === undefined ? {} : { prompt }),
  };
  return wish.setup === "" && wish.copies === "" && prompt === undefined ? null : wish;
}

/** The file that .duetty.json names, or the usual one. */
function taskPrompt(repo: string): string | undefined {
  const { task } = projectFile(repo);
  const named = typeof task === "object" && task !== null && "prompt" in task ? task.prompt : undefined;
  const text = textIn(repo, typeof named === "string" ? named : PROMPT_FILE, PROMPT_BYTES_MAX)?.trim();
  return text === "" ? undefined : text;
}

/** `role`: whose wish is refused. */
export function untrusted(repo: string, { setup, copies, prompt }: ProjectWish, role: Caller["role"]): Fault {
  const does = [
    ...(setup === "" ? [] : [`run ${JSON.stringify(setup)}`]),
    ...(copies === "" ? [] : [`copy ${copies.split("\n").join(", ")}`]),
    ...(prompt === undefined ? [] : [`begin each task with ${JSON.stringify(prompt.slice(0, PROMPT_CHARS_SHOWN))}`]),
  ].join(" and ");
  const who = role === "person" ? "you have" : "a person has";
  return fault(
    "gate.denied",
    `${repo} wants to ${does} in new worktrees, and ${who} not agreed yet`,
    advice("setup_trust", repo),
  );
}

function projectFile(repo: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(textIn(repo, PROJECT_FILE, FILE_BYTES_MAX) ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // The rules of a file that is no JSON are told of elsewhere (rule-files.ts). It asks for nothing here.
    return {};
  }
}

/** A plain file of the repository, however its name is written. */
function textIn(repo: string, name: string, bytesMax: number): string | undefined {
  const path = isAbsolute(name) ? undefined : realPath(join(repo, name));
  const top = realPath(repo);
  if (path === undefined || top === undefined || !isWithin(path, top)) return undefined;
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= bytesMax ? fs.readFileSync(path, "utf8") : undefined;
}
