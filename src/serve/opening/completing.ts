// Completion on this machine: what it reads of the disk, and the hidden shells in their boxes.
import { join } from "node:path";
import { type Asking, Completions } from "../../core/complete/completions.ts";
import type { Session } from "../../core/session/session.ts";
import { nodeClock } from "../../host/clock.ts";
import { fileAt, isNowhere, pathsFor, scriptsAt } from "../../host/disk/completion.ts";
import type { Sandbox } from "../../host/sandbox/sandbox.ts";
import { sideBox } from "../../host/sandbox/side-box.ts";
import { BoxedSideShells } from "../../host/shell/side/side-shells.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { isPerson } from "../../protocol/plain/person-name.ts";
import { SESSION_VARIABLE } from "../markers.ts";

/** What a shell needs before it knows the session's variables. */
const AT_START = ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "USER"];

export function completingOf(home: Home, env: NodeJS.ProcessEnv, sandbox: Sandbox, answer_ms: number): Completions {
  const side = new BoxedSideShells({
    folder: join(home.run, "side"),
    env: Object.fromEntries(AT_START.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    unavailable() {
      if (answer_ms === 0) return "the settings say so (complete_ms)";
      return sandbox.boxes.available ? null : `there is no box here to ask the shell in (${sandbox.boxes.why})`;
    },
    box: (owner, at) => sideBox(sandbox, owner, at),
    marker: (owner) => `${SESSION_VARIABLE}=${owner}`,
  });
  const disk = { names: pathsFor, scripts: scriptsAt, kindOf: fileAt, isNowhere };
  return new Completions({ clock: nodeClock, answer_ms, side, ...disk });
}

export function askingFor(session: Session): Asking {
  const { meta, commands, gate, halfLine } = session;
  const isAgent = (actor: string) => actor !== "nobody" && !isPerson(actor);
  return {
    session_id: session.id,
    shell: session.over ? null : (meta.integration?.shell ?? null),
    program: meta.command[0] ?? "",
    cwd: session.info().cwd,
    isInside: commands.blocks.nested !== null,
    isAgents: isAgent(gate.hold.who) || (halfLine.text !== "" && isAgent(halfLine.actor)),
    // Between a command's end and the next prompt the shell already knows more.
    moment: `${commands.blocks.cycle} ${commands.blocks.last?.block_id}`,
    state: () => commands.lines.state(),
  };
}
