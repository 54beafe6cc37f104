// A folder for one run of the tests, in which workers note the daemons and browsers that they share between test files.
// Ends those daemons after the last test.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notesOfRun, RUN_FOLDER } from "./fixtures/run-notes.ts";
import { Installation } from "./fixtures/stand/installation.ts";

export function setup() {
  // Once for all projects of the run.
  if (process.env[RUN_FOLDER] !== undefined) return;
  const folder = fs.mkdtempSync(join(tmpdir(), "duetty-run-"));
  process.env[RUN_FOLDER] = folder;
  return async () => {
    const daemons = notesOfRun(folder, "daemons");
    const browsers = notesOfRun(folder, "browsers");
    console.log(`${daemons.length} daemons and ${browsers.length} browsers were started by fixtures`);
    const left = [...new Set(daemons)].filter((path) => fs.existsSync(path));
    await Promise.all(left.map((path) => new Installation(path)[Symbol.asyncDispose]()));
    fs.rmSync(folder, { recursive: true });
    delete process.env[RUN_FOLDER];
  };
}
