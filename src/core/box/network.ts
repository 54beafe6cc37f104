// What a boxed session may reach, decided on names and addresses alone. A rule is `host`, `*.suffix`, `*` (every public
// host) or an address, each with `:port` or for every port. Refuses: sockets, DNS, and remembering (box-network.ts).
import { type Fault, fault, isFault } from "../base/fault.ts";
import { type Address, type Reach, reachOf, readAddress, sameAddress } from "./address.ts";

type Pattern =
  | { readonly kind: "any" }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "suffix"; readonly suffix: string }
  | { readonly kind: "address"; readonly address: Address };

export interface NetworkRule {
  /** As the person wrote it. */
  readonly text: string;
  readonly host: Pattern;
  /** Null: every port. */
  readonly port: number | null;
}

export interface Target {
  /** In lower case, without the last dot. */
  readonly host: string;
  readonly port: number;
  /** Set when the host is written as an address. */
  readonly address: Address | null;
}

export type NetworkVerdict =
  | { readonly allowed: true; readonly rule: NetworkRule }
  | { readonly allowed: false; readonly why: string };

/** DNS allows no more. */
const NAME_CHARS_MAX = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

export function readRules(texts: readonly string[]): readonly NetworkRule[] | Fault {
  const rules: NetworkRule[] = [];
  for (const text of texts) {
    const rule = readRule(text);
    if (isFault(rule)) return rule;
    rules.push(rule);
  }
  return rules;
}

function readRule(text: string): NetworkRule | Fault {
  const [host, port] = parted(text);
  if (host !== undefined && (port === "" || port === "*" || portOf(port) !== undefined)) {
    const pattern = patternOf(host);
    if (pattern) return { text, host: pattern, port: portOf(port) ?? null };
  }
  return fault(
    "input.invalid",
    `${JSON.stringify(text)} is not a host that a box can be opened to.`,
    "Write a name (example.com), *.example.com, * or an address, with :PORT to open only one port. Other alphabets are written in their xn-- form.",
  );
}

function patternOf(host: string): Pattern | undefined {
  if (host === "*") return { kind: "any" };
  const suffix = host.startsWith("*.") ? nameOf(host.slice(2)) : undefined;
  if (suffix !== undefined) return { kind: "suffix", suffix };
  const address = readAddress(host);
  if (address) return { kind: "address", address };
  const name = nameOf(host);
  return name === undefined ? undefined : { kind: "name", name };
}

/** Reads `host:port`, as CONNECT and the Host header have it. */
export function readTarget(authority: string, defaultPort?: number): Target | undefined {
  const [host, written] = parted(authority);
  const port = written === "" ? defaultPort : portOf(written);
  if (host === undefined || port === undefined) return undefined;
  const address = readAddress(host) ?? null;
  const name = address ? host.toLowerCase() : nameOf(host);
  return name === undefined ? undefined : { host: name, port, address };
}

/** By the name alone, before anybody is asked what it stands for. */
export function judgeHost(target: Target, rules: readonly NetworkRule[]): NetworkVerdict {
  const rule = rules.find((one) => fitsPort(one, target.port) && fitsHost(one.host, target));
  return rule ? { allowed: true, rule } : { allowed: false, why: "is not on the list" };
}

/** By the address that a name stands for. One that is not public must be listed itself, whatever names it has. */
export function judgeAddress(
  target: Target,
  address: Address,
  rules: readonly NetworkRule[],
  reach: Reach = reachOf(address),
): NetworkVerdict {
  const byName = judgeHost(target, rules);
  if (!byName.allowed || reach === "public") return byName;
  // "localhost" can mean nothing else.
  if (reach === "loopback" && byName.rule.host.kind === "name" && target.host === "localhost") return byName;
  const byAddress = judgeHost({ ...target, address }, rules.filter(isAddressRule));
  if (byAddress.allowed) return byAddress;
  const what = reach === "own" ? "an address of this machine" : `a ${reach} address`;
  return { allowed: false, why: `leads to ${what}, which is not on the list` };
}

/** Whether everything that one rule opens is opened by the others, too. */
export function covers(rules: readonly NetworkRule[], wanted: NetworkRule): boolean {
  return rules.some((rule) => (rule.port === null || rule.port === wanted.port) && widerOrSame(rule.host, wanted.host));
}

function widerOrSame(rule: Pattern, wanted: Pattern): boolean {
  switch (wanted.kind) {
    case "any":
      return rule.kind === "any";
    case "suffix":
      return rule.kind === "any" || (rule.kind === "suffix" && isUnder(`.${wanted.suffix}`, rule.suffix));
    case "name":
    case "address": {
      const host = wanted.kind === "name" ? wanted.name : "";
      return fitsHost(rule, { host, port: 0, address: wanted.kind === "address" ? wanted.address : null });
    }
  }
}

function fitsPort(rule: NetworkRule, port: number): boolean {
  return rule.port === null || rule.port === port;
}

function fitsHost(pattern: Pattern, { host, address }: Target): boolean {
  switch (pattern.kind) {
    case "any":
      // Names are looked up first; judgeAddress then sees whether they are public.
      return address === null || reachOf(address) === "public";
    case "name":
      return address === null && host === pattern.name;
    case "suffix":
      return address === null && isUnder(host, pattern.suffix);
    case "address":
      return address !== null && sameAddress(address, pattern.address);
  }
}

function isUnder(host: string, suffix: string): boolean {
  return host.endsWith(`.${suffix}`);
}

function isAddressRule(rule: NetworkRule): boolean {
  return rule.host.kind === "address";
}

/** Host and port of `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 address. */
function parted(text: string): readonly [host: string | undefined, port: string] {
  const [, v6, v6Port = ""] = /^\[([0-9a-fA-F:.]*)\](?::(.+))?$/.exec(text) ?? [];
  if (v6 !== undefined) return [v6.includes(":") ? v6 : undefined, v6Port];
  if (text.split(":").length > 2) return [readAddress(text) && text, ""];
  const [, host, port = ""] = /^([^:]+)(?::(.+))?$/.exec(text) ?? [];
  return [host, port];
}

function portOf(text: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

/** A host's name as we compare it, or undefined. A last label that is a number would be read as an address by some. */
function nameOf(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  const isNumeric = /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "");
  return name.length <= NAME_CHARS_MAX && !isNumeric && labels.every((label) => LABEL.test(label)) ? name : undefined;
}
