// Finds the box of a new session: what was asked, what the person's config says, what an agent may widen (nothing).
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { chooseBox } from "../../core/box/choice.ts";
import { covers, readRules } from "../../core/box/network.ts";
import { type BoxSummary, isWithin } from "../../core/box/plan.ts";
import type { Sandbox } from "../../host/sandbox/sandbox.ts";
import { unavailable } from "../../host/sandbox/session-boxes.ts";
import type { Input } from "../../protocol/ops.ts";
import type { Caller } from "../auth.ts";
import type { Config } from "../config.ts";

const UNFIT =
  "a box cannot write to a folder that is missing, holds settings or programs, or belongs to the system, nor to a home folder";

export class Boxing {
  #sandbox: Sandbox;
  #config: Config["box"];

  constructor(sandbox: Sandbox, config: Config["box"]) {
    this.#sandbox = sandbox;
    this.#config = config;
  }

  /** Null: no box. `cwd` exists. `needed`: hosts that an agent CLI needs; it is boxed for people, too; null for other programs. */
  boxFor(
    asked: Input<"pty_open">["box"],
    cwd: string,
    caller: Caller,
    needed: readonly string[] | null = null,
  ): BoxSummary | null | Fault {
    const role = caller.role === "person" ? "person" : "agent";
    const usual = role === "agent" ? this.#config.agents : this.#config.people || needed !== null;
    const wish = typeof asked === "object" ? true : asked;
    // Nobody tries a box where none is wanted.
    const missing = (wish ?? usual) || usual ? (unavailable(this.#sandbox) ?? null) : null;
    const choice = chooseBox({ role, asked: wish, usual, missing });
    if (choice === "plain") return null;
    if (isFault(choice)) return choice;
    const given = withHosts(this.#sandbox.summary({ cwd }), role === "person" ? needed : null);
    if (typeof asked !== "object") return { network: given.network, roots: given.roots };
    const { network = given.network, roots = given.roots } = asked;
    const hosts = readRules(network);
    if (isFault(hosts)) return hosts;
    const wanted = this.#sandbox.summary({ cwd, network, roots });
    if (wanted.roots.length < roots.length) return fault("box.refused", UNFIT, `Asked for: ${roots.join(", ")}.`);
    return role === "person" ? { network, roots: wanted.roots } : narrower(wanted, given);
  }
}

function withHosts({ network, roots }: BoxSummary, hosts: readonly string[] | null): BoxSummary {
  return { network: [...new Set([...network, ...(hosts ?? [])])], roots };
}

/** Whether what agents run is boxed: as the person wants, or not at all because the machine cannot. */
export function boxesFor(sandbox: Sandbox, { box }: Config): "on" | "none" | "missing" {
  if (!box.agents) return "none";
  return sandbox.boxes.available ? "on" : "missing";
}

/** An agent may ask for less than the person allows, never for more. */
function narrower({ network, roots }: BoxSummary, given: BoxSummary): BoxSummary | Fault {
  const hint = "Leave it out, and ask when a command needs more.";
  const host = wider(network, given.network);
  if (host !== undefined) return fault("box.refused", `no person has opened ${host} for boxes`, hint);
  const folder = roots.find((root) => !given.roots.some((allowed) => isWithin(root, allowed)));
  if (folder !== undefined) return fault("box.refused", `${folder} is outside ${given.roots.join(", ")}`, hint);
  return { network, roots };
}

/** The first host that the person's list does not open. */
function wider(network: readonly string[], given: readonly string[]): string | undefined {
  const [wanted, listed] = [readRules(network), readRules(given)];
  if (isFault(wanted) || isFault(listed)) return network[0];
  return wanted.find((rule) => !covers(listed, rule))?.text;
}
