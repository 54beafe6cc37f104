// Operations about the person's other machines.
import { isFault } from "../../../core/base/fault.ts";
import type { HostLists } from "../../fleet/host-lists.ts";
import type { Answer, Context, Handlers } from "../context.ts";

type Mine = Pick<Handlers, "hosts" | "hosts_add" | "hosts_remove">;

export function hostsHandlers({ far: { hosts, sshHosts } }: Context): Mine {
  return {
    hosts: async () => ({ me: hosts.me, hosts: hosts.all.map(infoOf) }),
    hosts_add: async (one) => {
      const wrong = await sshHosts.add(one);
      if (wrong) return wrong;
      const added = hosts.find(one.name);
      return isFault(added) ? added : infoOf(added);
    },
    hosts_remove: async ({ name }) => {
      const wrong = await sshHosts.remove(name);
      return wrong ?? { host: name, removed: true as const };
    },
  };
}

function infoOf({ host, now, lists, toldAt }: HostLists): Answer<"hosts">["hosts"][number] {
  const { reach, why, since, version } = now;
  const running =
    lists?.sessions.filter(({ state }) => state !== "done" && state !== "failed" && state !== "lost").length ?? null;
  const counts = { sessions: running, questions: lists?.approvals.length ?? null, told_at: toldAt };
  return { host: host.name, way: host.way, address: host.address, reach, why, since, version, ...counts };
}
