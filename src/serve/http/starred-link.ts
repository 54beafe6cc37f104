// The way to a viewer who sees no secrets (an agent, a guest, a person who hides them): its bytes have stars in their place. Owns: what may still become a secret, which
// waits for a moment.

import type { Redactor } from "../../core/redact/redactor.ts";
import { STREAM_HOLD_MS } from "../../core/redact/stream.ts";
import type { ViewerSpec } from "../../core/viewer/viewer.ts";

type Link = ViewerSpec["link"];

export function starredLink(link: Link, eyes: Redactor): Link {
  const stream = eyes.starred();
  let timer: NodeJS.Timeout | undefined;
  let isRepaint = false;
  const send = (bytes: Uint8Array) => {
    if (bytes.length > 0) link.bytes(bytes);
  };
  return {
    bytes(bytes) {
      clearTimeout(timer);
      const given = stream.push(bytes);
      // A repaint comes as a whole: only bytes after it are counted.
      send(isRepaint ? Buffer.concat([given, stream.end()]) : given);
      isRepaint = false;
      timer = setTimeout(() => send(stream.flush()), STREAM_HOLD_MS);
    },
    text(frame) {
      if (frame.type === "snapshot") {
        send(stream.end());
        isRepaint = true;
      }
      link.text(frame);
    },
    buffered: () => link.buffered(),
  };
}
