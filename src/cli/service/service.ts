// `duetty service`: the daemon starts with its person's login. It works without: any verb starts one.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { packageFile } from "../../package.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { UsageError } from "../args.ts";
import { parseLocal } from "../local-args.ts";
import { aside, line, lines } from "../text/output.ts";
import { LABEL, launchdPlist, type ServiceSpec, systemdUnit } from "./units.ts";

/** A manager that takes longer does not answer. */
const MANAGER_MS_MAX = 30_000;
const UNIT = "duetty.service";

interface Manager {
  readonly file: string;
  readonly text: string;
  readonly start: readonly (readonly string[])[];
  readonly stop: readonly (readonly string[])[];
}

export async function service(home: Home, words: readonly string[]): Promise<number> {
  const { values, positionals } = parseLocal("service", words);
  const [what] = positionals;
  if (what !== "install" && what !== "remove") throw new UsageError("say install or remove (duetty service --help)");
  const manager = managerOf(home, process.env);
  if (values.print) {
    lines(manager.text.trimEnd());
    return EXIT.ok;
  }
  return what === "install" ? install(manager) : remove(manager);
}

function install({ file, text, start }: Manager): number {
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  line(`wrote ${file}`);
  const failed = firstFailure(start);
  if (failed === undefined) {
    line("the daemon starts with your login from now on; duetty service remove takes that back");
    return EXIT.ok;
  }
  aside(`${failed.why}\n  The file stays. Start it yourself: ${failed.command.join(" ")}`);
  return EXIT.error;
}

/** Sessions go on: only the daemon's start is taken back. */
function remove({ file, stop }: Manager): number {
  if (!fs.existsSync(file)) {
    line("it is not installed");
    return EXIT.ok;
  }
  const [first = [], ...rest] = stop;
  const failed = firstFailure([first]);
  fs.rmSync(file);
  firstFailure(rest);
  line(`removed ${file}`);
  if (failed) aside(`${failed.why}\n  It may run until you log out.`);
  return EXIT.ok;
}

function managerOf(home: Home, env: NodeJS.ProcessEnv): Manager {
  const user = env.HOME ?? "";
  const spec: ServiceSpec = {
    command: [process.execPath, packageFile("bin/duetty.js"), "serve"],
    env: { DUETTY_HOME: home.dir, PATH: env.PATH ?? "" },
  };
  if (process.platform === "darwin") {
    const file = join(user, "Library/LaunchAgents", `${LABEL}.plist`);
    const domain = `gui/${process.getuid?.() ?? 0}`;
    return {
      file,
      text: launchdPlist(spec),
      start: [["launchctl", "bootstrap", domain, file]],
      stop: [["launchctl", "bootout", `${domain}/${LABEL}`]],
    };
  }
  const systemctl = ["systemctl", "--user"];
  return {
    file: join(env.XDG_CONFIG_HOME || join(user, ".config"), "systemd/user", UNIT),
    text: systemdUnit(spec),
    start: [
      [...systemctl, "daemon-reload"],
      [...systemctl, "enable", "--now", UNIT],
    ],
    stop: [
      [...systemctl, "disable", "--now", UNIT],
      [...systemctl, "daemon-reload"],
    ],
  };
}

function firstFailure(commands: Manager["start"]): { command: readonly string[]; why: string } | undefined {
  for (const command of commands) {
    const [program = "", ...args] = command;
    const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", timeout: MANAGER_MS_MAX });
    if (status === 0) continue;
    return { command, why: `${program} failed: ${error?.message ?? (stderr.trim() || `exit ${status}`)}` };
  }
  return undefined;
}
