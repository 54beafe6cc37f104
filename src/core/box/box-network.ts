// What one boxed session may reach now. Owns: its list and the grants, each open for exactly one run. Refuses: sockets
// (src/host/sandbox/proxy.ts) and deciding whether to grant (the gate asks a person).
import { type Fault, isFault } from "../base/fault.ts";
import type { Address } from "./address.ts";
import { judgeAddress, judgeHost, type NetworkRule, type NetworkVerdict, readRules, type Target } from "./network.ts";

/** A verdict, and the run that it hangs on: what was allowed by a grant ends with it. */
type NetworkDecision = NetworkVerdict & { readonly run_id: string | null };

export class BoxNetwork {
  #rules: readonly NetworkRule[];
  #grants = new Map<string, readonly NetworkRule[]>();
  /** Hears of each grant that ends. The proxy cuts the connections that hang on it. */
  onClosed: (run_id: string) => void = () => undefined;

  constructor(rules: readonly NetworkRule[]) {
    this.#rules = rules;
  }

  /** A person said yes: opens these hosts until `close`. `["*"]` is every public host. */
  open(run_id: string, hosts: readonly string[]): Fault | undefined {
    const rules = readRules(hosts);
    if (isFault(rules)) return rules;
    this.#grants.set(run_id, rules);
    return undefined;
  }

  /** The run is over. Does nothing if nothing was opened for it. */
  close(run_id: string): void {
    if (this.#grants.delete(run_id)) this.onClosed(run_id);
  }

  judgeHost(target: Target): NetworkDecision {
    return this.#judge((rules) => judgeHost(target, rules));
  }

  judgeAddress(target: Target, address: Address): NetworkDecision {
    return this.#judge((rules) => judgeAddress(target, address, rules));
  }

  /** The list comes first, so that a run's end cuts nothing that was allowed anyway. */
  #judge(judge: (rules: readonly NetworkRule[]) => NetworkVerdict): NetworkDecision {
    const byList = judge(this.#rules);
    if (byList.allowed) return { ...byList, run_id: null };
    for (const [run_id, rules] of this.#grants) {
      const byGrant = judge(rules);
      if (byGrant.allowed) return { ...byGrant, run_id };
    }
    return { ...byList, run_id: null };
  }
}
