// An attachment that nobody reads: bytes are held back by the sender's window, other events by their number.
import { expect, it } from "vitest";
import { LiveAttachment } from "../../../src/client/attachment.ts";
import { Over } from "../../../src/client/over.ts";

/** The other side of a socket, whose words a test says. */
interface Scripted {
  binaryType: string;
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  isClosed: boolean;
  send(): void;
  close(): void;
}

it("is without a connection while five thousand events wait, and comes back when they are read", async () => {
  const sockets: Scripted[] = [];
  const open = () => {
    const made: Scripted = {
      ...{ binaryType: "", readyState: 1, onopen: null, onmessage: null, onclose: null, isClosed: false },
      send: () => undefined,
      close: () => {
        made.isClosed = true;
      },
    };
    sockets.push(made);
    return made;
  };
  const attachment = new LiveAttachment({ open, why: async () => undefined, over: new Over() }, {});
  const say = (state: string) => sockets.at(-1)?.onmessage?.({ data: JSON.stringify({ type: "state", state }) });
  for (let n = 0; n < 4_998; n += 1) say("running");
  expect(sockets.map(({ isClosed }) => isClosed)).toEqual([false]);
  say("running");
  expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true]);
  // What a socket still says that was left counts for nothing.
  for (let n = 0; n < 10_000; n += 1) say("late");
  let read = 0;
  for await (const event of attachment) {
    read += 1;
    if (event.type === "phase" && event.phase === "reconnecting") say("done");
    if (event.type === "state") expect(event.state).not.toBe("late");
    if (event.type === "state" && event.state === "done") break;
  }
  expect([read, sockets.length]).toEqual([5_002, 2]);
  attachment.close();
});
