// Calls from this process: the same operations, judged as if they had come over the socket.
import { CallError, type CallOptions, type Client, clientOf } from "../client/client.ts";
import { isFault } from "../core/base/fault.ts";
import { type AnyOp, ops } from "../protocol/ops.ts";
import type { Caller } from "./auth.ts";
import type { Perform } from "./perform.ts";

const OPS: ReadonlyMap<string, AnyOp> = new Map(ops.map((op) => [op.name, op]));

export function clientAs(perform: Perform, caller: Caller): Client {
  return clientOf(asking(perform, caller));
}

/** Asks for one operation. A refusal is thrown. */
export function asking(perform: Perform, caller: Caller) {
  return async (name: string, input: unknown, { signal, approvalWaitMs }: CallOptions = {}): Promise<object> => {
    const op = OPS.get(name);
    if (!op) throw new CallError({ code: "not_found", message: `no operation ${name}`, hint: "See docs/api.md." });
    const cancelled = {
      onCancel(run: () => void) {
        if (signal?.aborted) queueMicrotask(run);
        else signal?.addEventListener("abort", run, { once: true });
      },
    };
    const answer = await perform(op, input, { ...caller, cancelled, approvalWaitMs });
    if (isFault(answer)) throw new CallError(answer);
    return answer;
  };
}
