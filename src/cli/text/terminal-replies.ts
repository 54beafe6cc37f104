// Bytes from the person's terminal without its answers to queries.
import { withoutReplies as cut } from "../../protocol/plain/terminal-replies.ts";

export function withoutReplies(bytes: Buffer): Buffer {
  if (!bytes.includes(0x1b)) return bytes;
  const text = bytes.toString("latin1");
  const kept = cut(text);
  return kept.length === text.length ? bytes : Buffer.from(kept, "latin1");
}
