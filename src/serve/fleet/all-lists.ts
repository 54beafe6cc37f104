// Lists of all machines, put together. Those that are not here now are named as missing. A person gets what the others told last;
// whoever sees no secrets asks each of them anew, because only that machine knows what it hides.
import { Cancel, deferred } from "../../core/base/cancellation.ts";
import { type Fault, isFault } from "../../core/base/fault.ts";
import { placed } from "../../core/fleet/place.ts";
import { search } from "../../protocol/ops/time.ts";
import type { OpName, Output } from "../../protocol/ops.ts";
import { type Call, isMasked } from "../auth.ts";
import { type HostLists, type Lists, readLists } from "./host-lists.ts";
import { COMPLETE_MS, type Hosts } from "./hosts.ts";
import type { Asker } from "./remote-host.ts";

type Given = Readonly<Record<string, unknown>>;
type Answered = object | Fault;

/** Every machine reads all that its sessions printed. One that takes longer is told as missing. */
const SEARCH_MS = 10_000;

export async function merged(
  hosts: Hosts,
  op: OpName,
  given: Given,
  asker: Asker,
  call: Call,
  here: Answered,
): Promise<Answered> {
  if (isFault(here)) return here;
  if (op === "search") return searched({ hosts, given, asker, call }, here as Output<"search">);
  if (op !== "pty_list" && op !== "approvals" && op !== "needs") return here;
  const told = isMasked(call) ? await askedAnew({ hosts, given, asker, call }, op) : await toldLast(hosts);
  return { ...joined(op, given, here, told.lists), missing: told.missing };
}

interface Told {
  readonly lists: readonly Partial<Lists>[];
  readonly missing: readonly string[];
}

async function toldLast(hosts: Hosts): Promise<Told> {
  await hosts.complete();
  return {
    lists: hosts.all.flatMap(({ lists }) => lists ?? []),
    missing: hosts.all.flatMap((one) => (one.isCurrent ? [] : [one.host.name])),
  };
}

interface Asked {
  readonly hosts: Hosts;
  readonly given: Given;
  readonly asker: Asker;
  readonly call: Call;
}

async function askedAnew(asked: Asked, op: "pty_list" | "approvals" | "needs"): Promise<Told> {
  const answers = await fromAll(asked, op, COMPLETE_MS);
  const lists = answers.flatMap(({ host, answer }) => {
    if (answer === undefined) return [];
    const told = placed(readLists(answer), { host: host.name, me: host.me });
    return [{ ...told, ...(told.sessions && { sessions: told.sessions.map((one) => ({ ...one, host: host.name })) }) }];
  });
  return { lists, missing: answers.flatMap(({ host, answer }) => (answer === undefined ? [host.name] : [])) };
}

function joined(op: "pty_list" | "approvals" | "needs", given: Given, here: object, lists: Told["lists"]): object {
  switch (op) {
    case "pty_list": {
      const own = here as Output<"pty_list">;
      const theirs = lists.flatMap(({ sessions = [] }) => sessions);
      const wanted = theirs.filter(({ ended_at }) => given.all !== false || ended_at === null);
      return { ...own, sessions: [...own.sessions, ...wanted] };
    }
    case "approvals": {
      const own = here as Output<"approvals">;
      const all = [...own.approvals, ...lists.flatMap(({ approvals = [] }) => approvals)];
      return { ...own, approvals: all.sort((a, b) => a.created_at - b.created_at) };
    }
    case "needs": {
      const own = here as Output<"needs">;
      const all = [...own.needs, ...lists.flatMap(({ needs = [] }) => needs)];
      return { ...own, needs: all.sort((a, b) => a.since - b.since) };
    }
    default:
      return op satisfies never;
  }
}

/** Only this machine's matches go on with `after`: the first answer says of the others whether there are more. */
async function searched(asked: Asked, here: Output<"search">): Promise<Answered> {
  if (asked.given.after !== undefined) return here;
  const answers = await fromAll(asked, "search", SEARCH_MS);
  const found = answers.flatMap(({ host, answer }) => {
    const found = search.output.safeParse(answer).data;
    return found ? [placed(found, { host: host.name, me: host.me })] : [];
  });
  return {
    ...here,
    matches: [...here.matches, ...found.flatMap(({ matches }) => matches)],
    truncated: here.truncated || found.some(({ truncated }) => truncated),
    missing: answers.flatMap(({ host, answer }) => (answer === undefined ? [host.name] : [])),
  };
}

/** The answers of all machines that are here and answer in time. */
function fromAll({ hosts, given, asker, call }: Asked, op: OpName, withinMs: number) {
  const { hosts: _, ...input } = given;
  return Promise.all(hosts.all.map(async (one) => ({ host: one.host, answer: await within(one, withinMs) })));

  async function within({ host }: HostLists, ms: number): Promise<object | undefined> {
    if (host.now.reach !== "here") return undefined;
    const enough = new Cancel();
    call.cancelled.onCancel(() => enough.end());
    // Whatever it says, and however slowly, nobody waits longer.
    const late = deferred();
    const stop = hosts.after(ms, late.resolve);
    const answer = await Promise.race([host.call(op, input, asker, enough), late.promise]);
    stop();
    enough.end();
    return answer === undefined || isFault(answer) ? undefined : answer;
  }
}
