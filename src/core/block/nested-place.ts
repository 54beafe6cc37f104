// Which shell inside of a session's program is in front, by what the kernel and the command line say. Pure. Refuses: to
// name a program that is no way to a shell. A name is what a program calls itself, so nothing becomes free by it.
import type { Foreground } from "../pty/pty.ts";

/** They lead to a shell that the kernel does not show us, by another terminal. */
const FAR: ReadonlyMap<string, string> = new Map([
  ["ssh", "ssh"],
  ["mosh-client", "ssh"],
  ["docker", "docker"],
  ["podman", "docker"],
  ["nerdctl", "docker"],
  ["kubectl", "kubectl"],
  ["oc", "kubectl"],
  // With a terminal of their own (use_pty, --pty).
  ["sudo", "sudo"],
  ["su", "su"],
  ["doas", "sudo"],
]);
/** How one gets to a shell that the kernel does show, by the first word of the command line. */
const NEAR: ReadonlyMap<string, string> = new Map([
  ["sudo", "sudo"],
  ["doas", "sudo"],
  ["su", "su"],
  ["nix-shell", "nix-shell"],
  ["nix", "nix-shell"],
  ["unshare", "unshare"],
  ["nsenter", "unshare"],
  ["chroot", "unshare"],
]);
const SHELLS: ReadonlySet<string> = new Set(["bash", "zsh", "fish"]);
/** What may stand before the program that runs: X='a b' env Y=1 nix-shell. */
const BEFORE_PROGRAM = /^(?:\w+=|(?:env|exec|command|time)$)/;
/** They have no marks of ours. */
const OTHER_SHELLS = /^-?(?:sh|dash|ash|busybox|[mo]?ksh|ksh93|t?csh|nu|elvish|xonsh|pwsh)$/;
/** Options of ssh that take the next word. */
const SSH_VALUED = /^-[BbcDEeFIiJLlmOoPpQRSWw]$/;
/** And of the containers' programs. */
const VALUED =
  /^(?:-[uwenc]|--user|--workdir|--env|--env-file|--namespace|--container|--context|--cluster|--kubeconfig)$/;

interface NestedPlaceFound {
  readonly kind: string;
  readonly host: string | null;
  readonly far: boolean;
  /** The shell's name, where the kernel shows it. */
  readonly shell: string | null;
}

/** `words`: the command line that runs, or that the session was opened with. */
export function nestedPlace(front: Pick<Foreground, "name">, words: readonly string[]): NestedPlaceFound | undefined {
  const name = front.name.replace(/^-/, "");
  const far = FAR.get(name);
  if (far !== undefined) return { kind: far, host: hostOf(far, words), far: true, shell: null };
  if (!SHELLS.has(name)) return undefined;
  const first = (words.find((word) => !BEFORE_PROGRAM.test(word)) ?? "").split("/").at(-1) ?? "";
  return { kind: NEAR.get(first) ?? name, host: null, far: false, shell: name };
}

/** The first word that is no option: a host, or the container after `exec`. */
function hostOf(kind: string, words: readonly string[]): string | null {
  if (kind === "sudo" || kind === "su") return null;
  const begin = kind === "ssh" ? words.findIndex((word) => /(?:^|\/)(?:ssh|mosh)$/.test(word)) : words.indexOf("exec");
  if (begin < 0) return null;
  for (let at = begin + 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) return word;
    if ((kind === "ssh" ? SSH_VALUED : VALUED).test(word)) at += 1;
  }
  return null;
}

export function isOtherShell(name: string): boolean {
  return OTHER_SHELLS.test(name);
}

/** Whether a person's rule names it: "ssh", or "ssh HOST" with * for any part of the host's name. */
export function isNamed(rules: readonly string[], { kind, host }: Pick<NestedPlaceFound, "kind" | "host">): boolean {
  return rules.some((rule) => {
    const [wanted = "", pattern] = rule.trim().split(/\s+/);
    if (wanted !== kind) return false;
    if (pattern === undefined) return true;
    const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
    return host !== null && new RegExp(`^${parts.join(".*")}$`).test(host.replace(/^[^@]*@/, ""));
  });
}
