// The host's side of an ACP connection: an agent's requests and notifications. Owns nothing.

import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import type { Cancelled } from "../../core/base/cancellation.ts";
import type { ChildTree } from "../../host/process/child-tree.ts";
import { readUpdate, type Update } from "./messages.ts";
import type { Terminals } from "./terminals.ts";

export interface HostSide {
  readonly terminals: Terminals;
  updated(update: Update): void;
  permission(request: acp.RequestPermissionRequest): Promise<acp.RequestPermissionResponse>;
}

export function connect(tree: ChildTree, { updated, permission, terminals }: HostSide): acp.ClientConnection {
  const { client: mine } = acp.methods;
  const wire = acp.ndJsonStream(
    Writable.toWeb(tree.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(tree.stdout) as ReadableStream<Uint8Array>,
  );
  // We take updates out before the library sees them, because it refuses newer kinds and delivers
  // the last ones of a turn after the turn's answer.
  const others = new TransformStream<acp.AnyMessage, acp.AnyMessage>({
    transform(message, passed) {
      if (!("method" in message) || message.method !== mine.session.update) return passed.enqueue(message);
      const update = readUpdate(message.params);
      if (update) updated(update);
    },
  });
  return acp
    .client({ name: "duetty" })
    .onRequest(mine.session.requestPermission, ({ params }) => permission(params))
    .onRequest(mine.terminal.create, ({ params }) => terminals.create(params))
    .onRequest(mine.terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(mine.terminal.waitForExit, ({ params, signal }) => terminals.exit(params.terminalId, goneOf(signal)))
    .onRequest(mine.terminal.kill, ({ params }) => terminals.kill(params.terminalId))
    .onRequest(mine.terminal.release, ({ params }) => terminals.release(params.terminalId))
    .connect({ writable: wire.writable, readable: wire.readable.pipeThrough(others) });
}

function goneOf(signal: AbortSignal): Cancelled {
  return {
    onCancel(run) {
      if (signal.aborted) run();
      else signal.addEventListener("abort", () => run(), { once: true });
    },
  };
}
