// The way to a viewer who sees no secrets (an agent, a guest, a person who hides them): its bytes have stars in their place. Owns:
// what may still become a secret, which waits for a moment.

import { STREAM_HOLD_MS } from "../../core/redact/stream.ts";
import type { ByteEyes } from "../../core/screen/byte-eyes.ts";
import type { ViewerSpec } from "../../core/viewer/viewer.ts";

type Link = ViewerSpec["link"];

/** The link itself for somebody who sees everything. */
export function starredLink(link: Link, eyes: ByteEyes | undefined): Link {
  if (!eyes) return link;
  const stream = eyes.now.starred();
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let isRepaint = false;
  const came: Uint8Array[] = [];
  const send = (bytes: Uint8Array) => {
    if (bytes.length > 0) link.bytes(bytes);
  };
  /** The screen has these bytes by now, and knows what is secret in a part that was drawn again. */
  const pass = () => {
    clearImmediate(turn);
    turn = undefined;
    void eyes.now;
    for (const bytes of came.splice(0)) send(stream.push(bytes));
  };
  const starred: Link = {
    bytes(bytes) {
      clearTimeout(timer);
      // A repaint comes as a whole: only bytes after it are counted.
      if (isRepaint) send(Buffer.concat([stream.push(bytes), stream.end()]));
      else came.push(bytes);
      isRepaint = false;
      turn ??= setImmediate(pass);
      timer = setTimeout(() => {
        pass();
        send(stream.flush());
      }, STREAM_HOLD_MS);
    },
    drawing: (ansi) => starred.bytes(Buffer.from(ansi)),
    text(frame) {
      if (frame.type === "snapshot") {
        pass();
        send(stream.end());
        isRepaint = true;
      }
      link.text(frame.type === "line" ? { ...frame, text: eyes.now.written(frame.text) } : frame);
    },
    buffered: () => link.buffered(),
  };
  return starred;
}
