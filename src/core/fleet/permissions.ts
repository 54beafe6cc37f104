// What a broker must let each machine of a fleet say and hear, so that none speaks as another or hears what is for another. Pure.
import { type DeviceId, type HostId, subjects } from "./subjects.ts";

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** It answers requests: one answer each, wherever the request wants it. */
  readonly answers?: true;
}

/** Serves operations and streams. */
export function asHost(host: HostId): Permissions {
  return {
    publish: [subjects.here(host), subjects.news(host), subjects.outsOf(host)],
    subscribe: [subjects.ops(host), subjects.ins(host), subjects.who],
    answers: true,
  };
}

/** Asks, and shows streams. */
export function asDevice(device: DeviceId): Permissions {
  return {
    publish: [subjects.opsOfAll, subjects.insFrom(device), subjects.who, subjects.join(device)],
    subscribe: [subjects.here("*"), subjects.news("*"), subjects.outs(device), `${subjects.inbox(device)}.>`],
  };
}

/** Holds the code of an invitation, and is nobody yet. */
export function asInvitee(device: DeviceId): Permissions {
  return { publish: [subjects.join(device)], subscribe: [`${subjects.joinInbox(device)}.>`] };
}

/** Has the root's key: it lets machines in. */
export function asRoot(): Permissions {
  return { publish: [], subscribe: [subjects.joins], answers: true };
}

export function together(...all: readonly Permissions[]): Permissions {
  const unique = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())];
  return {
    publish: unique(all.map(({ publish }) => publish)),
    subscribe: unique(all.map(({ subscribe }) => subscribe)),
    ...(all.some(({ answers }) => answers) && { answers: true }),
  };
}
