// `duetty app`: the page in a window of its own, by a browser that has such windows. Owns: the browser's start; its end is the
// person's business. Where no window can be opened, it prints the link instead.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { UsageError } from "../args.ts";
import { parseLocal } from "../local-args.ts";
import { aside, json, line } from "../text/output.ts";
import { BROWSER_NAMES, type Desktop, type Launch, launchOf, type ProfileChoice } from "./browsers.ts";
import { pageLink } from "./page.ts";

/** A browser that cannot start has ended by then. One that hands the link to a running one ends well. */
const START_MS = 2_000;
/** How much of what a browser says before it ends is read. */
const SAID_BYTES_MAX = 4_096;

export async function openApp(home: Home, words: readonly string[]): Promise<number> {
  const { values, positionals } = parseLocal("app", words);
  const profile = values.profile ?? "own";
  if (!isProfile(profile)) throw new UsageError(`--profile takes own or user, not "${profile}"`);
  const { url, id } = await pageLink(home, positionals[0]);
  const wanted = { browser: values.browser, profile, profileDir: join(home.dir, "app-profile") };
  const launch = launchOf(url, wanted, here());
  if (launch.can) for (const note of launch.notes) aside(note);
  const why = launch.can ? await start(launch) : launch.why;
  if (values.json)
    json(why === undefined ? { opened: true, session_id: id } : { opened: false, session_id: id, why, url });
  else if (why === undefined && launch.can) line(`opened in ${launch.name}; session ${id}`);
  else {
    line(url);
    aside(
      `no window was opened: ${why}\n  Open the link in any browser; it works once, within a minute.\n  ${hint(launch)}`,
    );
  }
  return why === undefined ? EXIT.ok : EXIT.error;
}

function hint(launch: Launch): string {
  return launch.can
    ? "Name another browser with --browser, or take your own profile with --profile user."
    : `A window of its own needs a desktop with ${BROWSER_NAMES}; --browser names another of their kind.`;
}

function isProfile(text: string): text is ProfileChoice {
  return text === "own" || text === "user";
}

function here(): Desktop {
  return {
    platform: process.platform,
    env: process.env,
    uid: process.getuid?.(),
    isProgram(path) {
      try {
        fs.accessSync(path, fs.constants.X_OK);
        return fs.statSync(path).isFile();
      } catch {
        return false;
      }
    },
    real: (path) => fs.realpathSync(path),
  };
}

/** Why it did not start, or undefined. */
function start({ program, args }: Launch & { can: true }): Promise<string | undefined> {
  const env = { ...process.env, DUETTY_TOKEN: undefined, DUETTY_SESSION_ID: undefined };
  const child = spawn(program, args, { detached: true, stdio: ["ignore", "ignore", "pipe"], env });
  let said = "";
  child.stderr.on("data", (bytes: Buffer) => {
    if (said.length < SAID_BYTES_MAX) said += bytes.toString();
  });
  return new Promise((resolve) => {
    const settle = (why: string | undefined) => {
      clearTimeout(timer);
      // It lives on without us.
      child.stderr.destroy();
      child.unref();
      resolve(why);
    };
    const timer = setTimeout(() => settle(undefined), START_MS);
    child.on("error", (error) => settle(error.message));
    child.on("close", (code) => settle(code === 0 ? undefined : `${program} ended with ${code}: ${lastLine(said)}`));
  });
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
