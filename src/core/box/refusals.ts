// What a box refused a command: what its proxy says, and what can be read from what the command printed. Pure. Of a command
// that succeeded nothing is read: its output may well speak of such things.
import type { Refused } from "../../protocol/ops/run.ts";
import { advice } from "../base/advice.ts";
import { isWithin } from "./plan.ts";

/** The reason for a failure stands at the end. */
const READ_CHARS = 8_000;

interface Told {
  readonly output: string;
  readonly exit_code: number | null;
  /** Where it ran. */
  readonly cwd: string;
  readonly roots: readonly string[];
  /** Where it ended, when the shell did not follow it there. */
  readonly folder?: string | null;
  /** What its proxy refused meanwhile, as the proxy itself says. */
  readonly hosts?: readonly { readonly host: string; readonly port: number; readonly why: string }[];
}

const READ_ONLY = /read-only file system/i;
/** The path in quotes, else the word before the reason. */
const QUOTED_PATH = /['"‘“]([^'"’”\n]+)['"’”]/;
const NAMED_PATH = /([^\s:]+): read-only file system/i;
const NO_NETWORK =
  /network is unreachable|ENETUNREACH|could not resolve|couldn't resolve|temporary failure in name resolution|name or service not known|no address associated with hostname|EAI_AGAIN|dial tcp: lookup|tunnel failed, response 403|code 403 from proxy/i;
const NO_LOOPBACK =
  /(?:localhost|127\.0\.0\.1|::1)\S*(?: port \d+)?.{0,60}(?:couldn't connect|could not connect|refused)|ECONNREFUSED (?:127\.0\.0\.1|::1)/i;
const NO_PROCESS = /no such process|no process found/i;
const NO_RIGHTS = /no new privileges|must be (?:owned by uid 0|setuid root)|sudo: .*(?:uid|setuid|privileges)/i;

/** A person is asked for the hosts that stand in the line. */
const NAME_IT = advice("name_host");
const LEAVE = advice("leave_box");

const STAYS =
  "A person's shell does not move to a folder outside, in another repository, or with files that prompts and hooks obey. Begin each line with cd.";

export function refusals({ hosts = [], folder = null, ...told }: Told): Refused[] {
  const names = [...new Set(hosts.map(({ host, port, why }) => `${host}:${port} ${why}`))];
  const refused = names.map(
    (name): Refused => ({ what: `boxed: network refused: ${name}`, hint: `Do without it, ${NAME_IT}, or ${LEAVE}.` }),
  );
  if (folder !== null) refused.push({ what: `boxed: the shell did not change its folder to ${folder}`, hint: STAYS });
  return [...refused, ...readFrom(told, names.length > 0)];
}

function readFrom(
  { output, exit_code, cwd, roots }: Omit<Told, "hosts" | "folder">,
  isNetworkKnown: boolean,
): Refused[] {
  if (exit_code === null || exit_code === 0) return [];
  const lines = output.slice(-READ_CHARS).split(/\r?\n/);
  const write = lines.find((line) => READ_ONLY.test(line));
  const found: Refused[] = [];
  if (write !== undefined) found.push(refusedWrite(write, cwd, roots));
  if (!isNetworkKnown && lines.some((line) => NO_NETWORK.test(line)))
    found.push({ what: "boxed: network refused", hint: `The box has no network. Do without it, or ${LEAVE}.` });
  if (lines.some((line) => NO_LOOPBACK.test(line))) {
    const hint = `Each boxed session has its own localhost. ${advice("serve_here")} Else ${LEAVE}.`;
    found.push({ what: "boxed: a server outside cannot be reached", hint });
  }
  if (lines.some((line) => NO_PROCESS.test(line)))
    found.push({ what: "boxed: processes outside cannot be reached", hint: `Leave them alone, or ${LEAVE}.` });
  if (lines.some((line) => NO_RIGHTS.test(line)))
    found.push({ what: "boxed: more privileges refused", hint: `Do without them, or ${LEAVE}.` });
  return found;
}

function refusedWrite(line: string, cwd: string, roots: readonly string[]): Refused {
  const named = QUOTED_PATH.exec(line)?.[1] ?? NAMED_PATH.exec(line)?.[1];
  const path = named === undefined ? undefined : absolute(named, cwd);
  if (path !== undefined && roots.some((root) => isWithin(path, root))) {
    const hint = `What other programs obey is read-only in the box. Leave it as it is, or ${LEAVE}.`;
    return { what: `boxed: write to ${path} refused`, hint };
  }
  if (roots.length === 0)
    return { what: "boxed: write refused", hint: `Nothing in this folder can be written. Write to /tmp, or ${LEAVE}.` };
  return { what: `boxed: write outside ${roots.join(", ")} refused`, hint: `Write there or to /tmp, or ${LEAVE}.` };
}

function absolute(path: string, cwd: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
