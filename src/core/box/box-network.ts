// What one boxed session may reach now. Owns: its list, the grants, each open for exactly one run, and what was refused
// lately. Refuses: sockets (src/host/sandbox/network/proxy.ts) and deciding whether to grant (the gate asks a person).
import { type Fault, isFault } from "../base/fault.ts";
import type { Address, Reach } from "./address.ts";
import { judgeAddress, judgeHost, type NetworkRule, type NetworkVerdict, readRules, type Target } from "./network.ts";

/** A verdict, and the run that it hangs on: what was allowed by a grant ends with it. */
export type NetworkDecision = NetworkVerdict & { readonly run_id: string | null };

/** What a run's answer can name. A program that tries more hosts has a list of its own. */
const REFUSED_MAX = 20;

interface Refused {
  readonly host: string;
  readonly port: number;
  readonly why: string;
  readonly ts: number;
}

export class BoxNetwork {
  #rules: readonly NetworkRule[];
  #grants = new Map<string, readonly NetworkRule[]>();
  #refused: Refused[] = [];
  #log: (event: object) => void;
  #now: () => number;
  /** Hears of each grant that ends. The proxy cuts the connections that hang on it. */
  onClosed: (run_id: string) => void = () => undefined;

  /** The list was read when the session was opened. One that cannot be read any more opens nothing. */
  constructor(list: readonly string[], log: (event: object) => void, now: () => number) {
    const rules = readRules(list);
    this.#rules = isFault(rules) ? [] : rules;
    this.#log = log;
    this.#now = now;
  }

  /** A person said yes: opens these hosts until `close`. `["*"]` is every public host. */
  open(run_id: string, hosts: readonly string[]): Fault | undefined {
    const rules = readRules(hosts);
    if (isFault(rules)) return rules;
    this.#grants.set(run_id, rules);
    this.#log({ kind: "network_open", run_id, hosts });
    return undefined;
  }

  /** The run is over. Does nothing if nothing was opened for it. */
  close(run_id: string): void {
    if (!this.#grants.delete(run_id)) return;
    this.#log({ kind: "network_close", run_id });
    this.onClosed(run_id);
  }

  /** What was refused from this time on, for the answer of a run. */
  refusedSince(ts: number): readonly Refused[] {
    return this.#refused.filter((one) => one.ts >= ts);
  }

  judgeHost(target: Target): NetworkDecision {
    return this.#judge((rules) => judgeHost(target, rules));
  }

  judgeAddress(target: Target, address: Address, reach?: Reach): NetworkDecision {
    return this.#judge((rules) => judgeAddress(target, address, rules, reach));
  }

  /** One event for each decision. Null: what was asked for is no host with a port. */
  decided(target: Target | null, decision: NetworkDecision): void {
    const { host, port } = target ?? { host: null, port: null };
    const rule = decision.allowed ? decision.rule.text : decision.why;
    this.#log({ kind: "network", host, port, allowed: decision.allowed, rule, run_id: decision.run_id });
    if (!target || decision.allowed) return;
    this.#refused = [...this.#refused, { ...target, why: decision.why, ts: this.#now() }].slice(-REFUSED_MAX);
  }

  /** A grant adds to the list. The list comes first, so that a run's end cuts nothing that was allowed anyway. */
  #judge(judge: (rules: readonly NetworkRule[]) => NetworkVerdict): NetworkDecision {
    const byList = judge(this.#rules);
    if (byList.allowed) return { ...byList, run_id: null };
    for (const [run_id, rules] of this.#grants) {
      const byGrant = judge([...this.#rules, ...rules]);
      if (byGrant.allowed) return { ...byGrant, run_id };
    }
    return { ...byList, run_id: null };
  }
}
