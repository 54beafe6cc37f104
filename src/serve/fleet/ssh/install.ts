// Puts this very duetty onto another machine: the packed tarball over a connection, and npm over there. Only when a person asked for it.
import { execFile } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Fault, fault } from "../../../core/base/fault.ts";
import { packageFile } from "../../../package.ts";
import { INSTALLED } from "./bridge.ts";
import type { Ran } from "./once.ts";
import type { SshHost } from "./ssh-host.ts";

/** npm packs some megabytes; a machine that needs longer is ill. */
const PACK_MS = 120_000;
const MINUTE_MS = 60_000;
/** npm over there fetches 10 MB: over 1 Mbit/s that takes a minute and a half. */
const INSTALL_MS = 5 * MINUTE_MS;
/** A registry that says nothing for so long is asked once more. For our packages, one after the other, that fits into npm's time. */
const REGISTRY_MS = 10_000;
const AGAIN_MS = 1_000;
const SHOWN_CHARS_MAX = 300;

export async function installOver(host: SshHost): Promise<Fault | undefined> {
  const packed = await ownPackage();
  if (!(packed instanceof Uint8Array)) return packed;
  return notInstalled(host.name, await host.run(installCommand(packed.length), packed, INSTALL_MS), INSTALL_MS);
}

async function ownPackage(): Promise<Uint8Array | Fault> {
  const folder = fs.mkdtempSync(join(tmpdir(), "duetty-pack-"));
  try {
    const words = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
    await promisify(execFile)("npm", words, { cwd: packageFile("."), timeout: PACK_MS });
    const [name = ""] = fs.readdirSync(folder);
    return fs.readFileSync(join(folder, name));
  } catch (error) {
    return fault("host.refused", `duetty cannot be packed: ${String(error)}`, "Install it there yourself.");
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** For a login shell, which may be fish: it has the PATH that a person set up. */
const NPM = [
  "npm install --no-fund --no-audit --omit=dev --no-save --loglevel=http",
  `--fetch-timeout=${REGISTRY_MS} --fetch-retries=1 --fetch-retry-mintimeout=${AGAIN_MS}`,
  '--prefix \\"\\$D\\" \\"\\$D/duetty.tgz\\"',
].join(" ");

/**
 * Reads the package, then installs it. npm has a session of its own, which is ended as a whole when our input ends: our time is over,
 * or the connection is.
 */
export function installCommand(packageBytes: number): string {
  const script = [
    `mkdir -p "$HOME/${INSTALLED}" && cd "$HOME/${INSTALLED}" && head -c ${packageBytes} > duetty.tgz || exit`,
    "D=$PWD; export D; exec 3<&0",
    `setsid "\${SHELL:-/bin/sh}" -lc "${NPM}" </dev/null 3<&- & npm=$!`,
    '(read -r _ <&3; kill -KILL "-$npm") 2>/dev/null & input=$!',
    'exec 3<&-; wait "$npm"; code=$?; kill "$input" 2>/dev/null; exit "$code"',
  ];
  return `sh -c '${script.join("; ")}'`;
}

export function notInstalled(name: string, ran: Ran, withinMs: number): Fault | undefined {
  if (ran.how === "done") return undefined;
  const [last, reason] = npmLines(ran.said);
  if (ran.how === "late") {
    const minutes = withinMs / MINUTE_MS;
    const said = last === undefined ? "it said nothing" : `it said last: ${last}`;
    const hint = `It was ended there. Does ${name} reach npm's registry? In a terminal there: npm ping`;
    return fault("host.refused", `npm did not finish on ${name} in ${minutes} minutes; ${said}`, hint);
  }
  const hint = `It needs Node 20 or newer with npm on the PATH of a login shell there, and npm's registry.`;
  return fault("host.refused", `duetty was not installed on ${name}: ${reason ?? last ?? "ssh ended"}`, hint);
}

/** The last line that npm said, and the one that says why it failed. */
function npmLines(said: string): [last: string | undefined, reason: string | undefined] {
  const lines = said
    .split(/\r?\n/)
    .map((line) => line.replace(/^npm (?:error|ERR!|http|warn)\s*/, "").trim())
    .filter((line) => line !== "" && !/complete log of this run/i.test(line))
    .map((line) => line.slice(0, SHOWN_CHARS_MAX));
  return [lines.at(-1), lines.findLast((line) => /, reason: |\bnot found\b|\bfailed with /i.test(line))];
}
