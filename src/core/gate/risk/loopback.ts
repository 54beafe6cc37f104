// Whether the words of a command name servers on this machine and none elsewhere. Pure. It decides only who is asked: in the
// box that holds such a line nothing else can be reached, whatever its words are.
import { reachOf, readAddress } from "../../box/address.ts";
import type { Arg } from "./words.ts";

/** With a scheme, or as programs take it without one: localhost:3000/x, 127.0.0.1, [::1]:80. */
const ADDRESS =
  /^(?:--?[\w-]+=)?(?:[a-z][\w+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)|(\[[\da-f:]+\]|[\w.-]+)(?=:\d+(?:[/?#]|$)|[/?#]|$))/i;

export function namesOnlyLoopback(args: readonly Arg[]): boolean {
  const hosts = args.flatMap(({ text }) => {
    const [, withScheme, without] = ADDRESS.exec(text) ?? [];
    // A bare word may be anything: a file, a header, a name. Only the names of this machine are told apart.
    if (withScheme === undefined) return without !== undefined && isLoopback(without) ? [without] : [];
    return [withScheme];
  });
  return hosts.length > 0 && args.every(({ many }) => !many) && hosts.every(isLoopback);
}

function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  if (/^(?:.+\.)?localhost$/.test(name)) return true;
  const address = readAddress(name);
  // 0.0.0.0 is what servers print, and it leads to this machine.
  return name === "0.0.0.0" || (address !== undefined && reachOf(address) === "loopback");
}
