// A prompt as it is typed. An agent's begins with a line that names its sender and says that no person wrote it; the name is the
// one that we know it by. Nothing in its text looks like that line. Pure.
import { type Actor, actorName } from "../gate/actor.ts";

/** What a line that pretends to be the mark has in common with it, in letters of any width and after invisible characters. */
const MARK = /message\s*from\b.*\bvia\s*duetty/i;

export function messageOf(actor: Actor, text: string): string {
  const lines = text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/\s+$/, "")
    .split("\n");
  if (actor.kind !== "agent") return lines.join("\n");
  const quoted = lines.map((line) => (MARK.test(line.normalize("NFKC").replace(/\p{Cf}/gu, "")) ? `> ${line}` : line));
  return [`[message from ${actorName(actor)} via duetty; not from the person]`, ...quoted].join("\n");
}
