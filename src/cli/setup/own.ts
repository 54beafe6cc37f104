// What other programs need to know about this installation: how to start it, and where its skill is.
import fs from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { BIN, packageFile } from "../../package.ts";
import { homeOf } from "../../protocol/plain/home.ts";
import type { ClientName, Command, Place } from "./clients.ts";

/** Where this installation's files are, when a program without our environment would look elsewhere. */
export function homeFor({ env, home, cwd }: Place): string | undefined {
  const dir = resolve(cwd, homeOf(env).dir);
  return dir === homeOf({ HOME: home }).dir ? undefined : dir;
}

/** `duetty` where that is us, otherwise this Node and our file, so that a checkout works too. */
export function commandFor(client: ClientName, { env }: Place): Command {
  const found = onPath("duetty", env.PATH);
  const isUs = found !== undefined && fs.realpathSync(found) === fs.realpathSync(BIN);
  const words = ["mcp", "--as", `agent:${client}`];
  return isUs ? ["duetty", ...words] : [process.execPath, BIN, ...words];
}

export function onPath(program: string, path: string | undefined): string | undefined {
  for (const folder of (path ?? "").split(delimiter)) {
    const file = join(folder, program);
    if (folder !== "" && fs.statSync(file, { throwIfNoEntry: false })?.isFile() && isExecutable(file)) return file;
  }
  return undefined;
}

export const SKILL = packageFile("skills/duetty/SKILL.md");

export function skillText(): string {
  return fs.readFileSync(SKILL, "utf8");
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
