// The names of what goes over the bus, of ids that are checked. Owns: the prefix, which is the version of the protocol.
// Refuses: ids that could be read as a pattern or as more words than one. Pure.

const PREFIX = "duetty.v1";
/** What a name of an operation or a stream may hold: one word for any broker. */
const WORD = /^[0-9A-Za-z_-]{1,64}$/;
/** In a pattern, for any host. No id from outside can become it. */
const ANY = "*";

export type HostId = `h_${string}`;
export type DeviceId = `d_${string}`;
type Any = typeof ANY;

export const isHostId = (text: string): text is HostId => /^h_[0-9a-z]{8}$/.test(text);
export const isDeviceId = (text: string): text is DeviceId => /^d_[0-9a-z]{8}$/.test(text);

/** The subjects to publish to and to listen on. */
export const subjects = {
  /** device → all hosts: asks for cards. */
  who: `${PREFIX}.all.who`,
  /** host → all: its card. */
  here: (host: HostId | Any) => of(host === ANY ? ANY : hostWord(host), "here"),
  /** host → all: something has changed. */
  news: (host: HostId | Any) => of(host === ANY ? ANY : hostWord(host), "news"),
  /** device → host: one operation. */
  op: (host: HostId, name: string) => of(hostWord(host), "op", word(name)),
  /** All operations of a host, for itself. */
  ops: (host: HostId) => of(hostWord(host), "op", "*"),
  /** device → host: frames of a stream. */
  in: (host: HostId, device: DeviceId, stream: string) => of(hostWord(host), "in", deviceWord(device), word(stream)),
  /** All operations of all hosts, in what a broker permits. */
  opsOfAll: of(ANY, "op", "*"),
  /** All frames of a device to any host, in what a broker permits. */
  insFrom: (device: DeviceId) => of(ANY, "in", deviceWord(device), ">"),
  /** All frames of a host to any device, in what a broker permits. */
  outsOf: (host: HostId) => of(hostWord(host), "out", ">"),
  /** All frames toward a host, for itself. */
  ins: (host: HostId) => of(hostWord(host), "in", ">"),
  /** host → device: frames of a stream. */
  out: (host: HostId, device: DeviceId, stream: string) => of(hostWord(host), "out", deviceWord(device), word(stream)),
  /** All frames toward a device, for itself. */
  outs: (device: DeviceId) => of(ANY, "out", deviceWord(device), ">"),
  /** Where answers to a device arrive. Nobody else may listen there. */
  inbox: (device: DeviceId) => `_INBOX_${deviceWord(device)}`,
  /** device → the root's machine: asks to join, or for its newest certificates. */
  join: (device: DeviceId) => of("join", deviceWord(device)),
  /** All of these, for the root's machine. */
  joins: of("join", ANY),
  /** Where answers to a machine arrive that is invited and no device yet. */
  joinInbox: (device: DeviceId) => `_INBOX_join_${deviceWord(device)}`,
} as const;

type SubjectParts =
  | { readonly what: "who" }
  | { readonly what: "here" | "news"; readonly host: HostId }
  | { readonly what: "op"; readonly host: HostId; readonly name: string }
  | { readonly what: "in" | "out"; readonly host: HostId; readonly device: DeviceId; readonly stream: string };

/** What a subject says. Undefined: it is none of ours. */
export function readSubject(subject: string): SubjectParts | undefined {
  if (subject === subjects.who) return { what: "who" };
  if (!subject.startsWith(`${PREFIX}.`)) return undefined;
  const [host = "", what, first = "", second = "", ...more] = subject.slice(PREFIX.length + 1).split(".");
  if (!isHostId(host) || more.length > 0) return undefined;
  if ((what === "here" || what === "news") && first === "" && second === "") return { what, host };
  if (what === "op" && WORD.test(first) && second === "") return { what, host, name: first };
  const isFrame = (what === "in" || what === "out") && isDeviceId(first) && WORD.test(second);
  return isFrame ? { what, host, device: first, stream: second } : undefined;
}

function of(...words: readonly string[]): string {
  return [PREFIX, ...words].join(".");
}

function hostWord(host: HostId): HostId {
  if (!isHostId(host)) throw new RangeError(`not the id of a host: ${host}`);
  return host;
}

function deviceWord(device: DeviceId): DeviceId {
  if (!isDeviceId(device)) throw new RangeError(`not the id of a device: ${device}`);
  return device;
}

function word(text: string): string {
  if (!WORD.test(text)) throw new RangeError(`not one word: ${text}`);
  return text;
}
