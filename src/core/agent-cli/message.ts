// A prompt as it is typed: without what a paste leaves out. An agent's begins with a line that names its sender and says that no
// person wrote it; the name is the one that we know it by. Each line of its text is quoted, so that none can pass for that line or
// for words of the person. Pure.
import { withoutControls } from "../base/invisible.ts";
import { type Actor, actorName } from "../gate/actor.ts";

export function messageOf(actor: Actor, text: string): string {
  const lines = withoutControls(text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n"))
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/\s+$/, "");
  if (actor.kind !== "agent" || lines === "") return lines;
  const quoted = lines.split("\n").map((line) => `> ${line}`.trimEnd());
  return [`[message from ${actorName(actor)} via duetty; not from the person]`, ...quoted].join("\n");
}
