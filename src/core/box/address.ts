// IP addresses: their text, and what they can reach. Refuses every spelling but the usual one, because programs disagree
// about the others: 127.1, 0x7f.1 and 2130706433 are loopback to the C library and names to a careless reader.

/** Four bytes or sixteen. An IPv4 address inside an IPv6 one (::ffff:1.2.3.4) is read as the four bytes it means. */
export type Address = readonly number[];

/** own: of this machine, which its kernel knows and the address does not tell. */
export type Reach = "public" | "own" | "loopback" | "private" | "link-local" | "reserved";

export function readAddress(text: string): Address | undefined {
  return text.includes(":") ? readV6(text) : readV4(text);
}

export function sameAddress(a: Address, b: Address): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

export function reachOf(address: Address): Reach {
  // NAT64: a network without IPv4 reaches IPv4 hosts by these addresses.
  if (hasPrefix(address, NAT64, 96)) return reachOf(address.slice(12));
  const table = address.length === 4 ? V4 : V6;
  const row = table.find(([prefix, bits]) => hasPrefix(address, prefix, bits));
  return row?.[2] ?? (address.length === 4 ? "public" : "reserved");
}

/** ::ffff:0:0, before an IPv4 address. */
const MAPPED: Address = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0];
const NAT64 = v6("64:ff9b::");

type Row = readonly [prefix: Address, bits: number, reach: Reach];

/** IANA's special-purpose registry. The rest is public. */
const V4: readonly Row[] = [
  [v4("0.0.0.0"), 8, "reserved"],
  [v4("10.0.0.0"), 8, "private"],
  [v4("100.64.0.0"), 10, "private"],
  [v4("127.0.0.0"), 8, "loopback"],
  [v4("169.254.0.0"), 16, "link-local"],
  [v4("172.16.0.0"), 12, "private"],
  [v4("192.0.0.0"), 24, "reserved"],
  [v4("192.0.2.0"), 24, "reserved"],
  [v4("192.88.99.0"), 24, "reserved"],
  [v4("192.168.0.0"), 16, "private"],
  [v4("198.18.0.0"), 15, "reserved"],
  [v4("198.51.100.0"), 24, "reserved"],
  [v4("203.0.113.0"), 24, "reserved"],
  [v4("224.0.0.0"), 3, "reserved"],
];

/** The first row that fits counts. What no row names is reserved: only 2000::/3 is given out. */
const V6: readonly Row[] = [
  [v6("::1"), 128, "loopback"],
  [v6("fc00::"), 7, "private"],
  [v6("fe80::"), 10, "link-local"],
  [v6("fec0::"), 10, "private"],
  // Teredo and 6to4 carry an IPv4 address that nobody checks. The others are for documents and tests.
  [v6("2001::"), 23, "reserved"],
  [v6("2001:db8::"), 32, "reserved"],
  [v6("2002::"), 16, "reserved"],
  [v6("3fff::"), 20, "reserved"],
  [v6("2000::"), 3, "public"],
];

function hasPrefix(address: Address, prefix: Address, bits: number): boolean {
  if (address.length !== prefix.length) return false;
  return address.every((byte, at) => {
    const counted = Math.min(8, Math.max(0, bits - at * 8));
    return (byte ^ (prefix[at] ?? 0)) >> (8 - counted) === 0;
  });
}

function readV4(text: string): Address | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function readV6(text: string): Address | undefined {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return undefined;
  const front = groups(head, tail === undefined);
  const back = tail === undefined ? [] : groups(tail, true);
  if (!front || !back) return undefined;
  const missing = 16 - front.length - back.length;
  // "::" stands for at least one group.
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  const bytes = [...front, ...Array<number>(missing).fill(0), ...back];
  const isMapped = hasPrefix(bytes, MAPPED, 96);
  return isMapped ? bytes.slice(12) : bytes;
}

/** The bytes of groups between colons. Only the very last may be written as an IPv4 address. */
function groups(text: string, isLast: boolean): number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const parts = text.split(":");
  for (const [at, part] of parts.entries()) {
    const v4 = isLast && at === parts.length - 1 && part.includes(".") ? readV4(part) : undefined;
    if (v4) bytes.push(...v4);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) bytes.push(Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255);
    else return undefined;
  }
  return bytes;
}

function v4(text: string): Address {
  return readV4(text) ?? [];
}

function v6(text: string): Address {
  return readV6(text) ?? [];
}
