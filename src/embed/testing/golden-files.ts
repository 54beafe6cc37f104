// Where golden screens are, and when they are written: on request, or when there is none and nobody checks (CI does).
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readOwn, writeOwn } from "./own-file.ts";

type Updating = "all" | "missing" | "none";

/** `UPDATE_SCREENS=1` and vitest's -u write all anew. */
export function updating(): Updating {
  if (process.env.UPDATE_SCREENS === "1" || vitestUpdates()) return "all";
  return process.env.CI ? "none" : "missing";
}

export function writeGolden(path: string, text: string): void {
  if (readOwn(path) !== text) writeOwn(path, text);
}

/** The file of a name; `folder` was given, or lies beside the test. */
export function goldenPath(folder: string | undefined, test: string | undefined, name: string): string {
  return join(folder ?? join(test ? dirname(test) : ".", "__screens__"), `${name.replace(/[^\w.-]+/g, "-")}.txt`);
}

/** Our own code, wherever it lies: beside this file, or in a package. */
const OURS = dirname(fileURLToPath(import.meta.url));

/** The file of the test that calls us: the first one on the stack that is nobody's package. */
export function callingFile(stack = ""): string | undefined {
  const files = [...stack.matchAll(/\(?((?:file:\/\/)?\/[^\s()]+?):\d+:\d+\)?$/gm)].map(([, file = ""]) =>
    file.startsWith("file:") ? fileURLToPath(file) : file,
  );
  return files.find((file) => dirname(file) !== OURS && !file.includes("/node_modules/"));
}

/** Its workers know how they were called; nothing public tells it to code that is given no context. */
function vitestUpdates(): boolean {
  const worker: unknown = Reflect.get(globalThis, "__vitest_worker__");
  const found = ["config", "snapshotOptions", "updateSnapshot"].reduce(
    (value: unknown, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    worker,
  );
  return found === "all";
}
