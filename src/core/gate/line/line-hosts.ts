// The hosts that a command line names, so that a person's yes opens these and no others. Pure. Refuses: to guess. A line
// whose hosts are known only at run time has none here, and then the question says "any public host".
import { reachOf, readAddress } from "../../box/address.ts";
import { readTarget } from "../../box/network.ts";
import type { Risk } from "../risk/risk.ts";
import type { Arg } from "../risk/words.ts";

/** More are no list that a person reads. */
const HOSTS_MAX = 8;

/** They fetch from a registry that their settings name. */
const MANAGERS = new Set(
  "npm npx pnpm pnpx bun bunx yarn corepack pip pip3 pipx uv uvx poetry pdm cargo go gem bundle".split(" "),
);
/** They fetch what their words name, unless one of these says that it stands in a file. */
const FETCHERS = new Map([
  ["curl", /^(?:-[a-zA-Z]*K|--config)/],
  ["wget", /^(?:-[a-zA-Z]*i|--input-file)/],
  ["git", /^--pathspec-from-file/],
]);
/** Verbs that fetch nothing by themselves. */
const LOCAL = new Set(["run", "run-script", "test", "t", "start", "vet", "fmt"]);
const ADDRESS = /^(?:git\+)?https?:\/\/([^/?#]*)/i;

/** Null: nobody can say. */
export function lineHosts({ possible, unread }: Pick<Risk, "possible" | "unread">): readonly string[] | null {
  if (unread) return null;
  const found = possible.map(commandHosts).filter((hosts) => hosts !== undefined);
  const hosts = [...new Set(found.flatMap((one) => one ?? []))];
  return found.includes(null) || hosts.length === 0 || hosts.length > HOSTS_MAX ? null : hosts;
}

/** Undefined: it is no program of which we know that it fetches. */
function commandHosts([first, ...args]: readonly Arg[]): readonly string[] | null | undefined {
  const name = first?.literal ? (first.text.split("/").at(-1) ?? "") : "";
  const [module, module_name] = args.map(({ text }) => text);
  const isPip = /^python[\d.]*$/.test(name) && module === "-m" && module_name === "pip";
  if (isPip || MANAGERS.has(name)) return LOCAL.has(firstWord(args)) ? undefined : null;
  const inFile = FETCHERS.get(name);
  if (!inFile) return undefined;
  const isCertain = args.every(({ text, literal }) => literal && !inFile.test(text));
  const hosts = isCertain ? addressHosts(args) : null;
  return hosts === null || hosts.length > 0 ? hosts : null;
}

function firstWord(args: readonly Arg[]): string {
  return args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
}

function addressHosts(args: readonly Arg[]): readonly string[] | null {
  const hosts = args.flatMap(({ text }) => {
    // --registry=https://…
    const [, authority] = ADDRESS.exec(text) ?? ADDRESS.exec(text.replace(/^--?[\w-]+=/, "")) ?? [];
    return authority === undefined ? [] : [hostOf(authority.replace(/^.*@/, ""))];
  });
  const known = hosts.filter((host) => host !== undefined);
  return known.length === hosts.length ? known : null;
}

/** As a rule of a box's network. An address that is not public is a person's own to list, not an agent's to ask for. */
function hostOf(authority: string): string | undefined {
  const target = readTarget(authority, 443);
  if (!target || /(?:^|\.)localhost$/.test(target.host)) return undefined;
  const address = readAddress(target.host.replace(/^\[|\]$/g, ""));
  if (address && reachOf(address) !== "public") return undefined;
  return /:\d+$/.test(authority) && !address ? `${target.host}:${target.port}` : target.host;
}
