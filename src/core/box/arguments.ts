// A plan as the words that make its box: for a script of ours (shell/box.pl), or for bubblewrap. The order matters: a later mount
// covers an earlier one.
import { BRIDGE_OPTION, PROXY_FOLDER } from "./bridge.ts";
import { type Bind, type BoxLimits, type BoxPlan, isWithin } from "./plan.ts";

/** Where the filter's file is opened. What the box opens of the disk has the numbers after it. */
const FILTER_FD = 9;
/** It reads no file and no function that its environment names; without --norc it would when its input is a socket. */
const SHELL: readonly string[] = ["/bin/bash", "--norc", "--posix", "-p", "-c"];

/** Folders that every box has for itself. Sockets of the system and of other programs lie here. */
export const PRIVATE_FOLDERS: readonly string[] = ["/tmp", "/run"];

/**
 * Ctrl+C and a hang-up reach every process of the foreground, bubblewrap too, and its death would kill the program at once.
 * So bubblewrap ignores them, and the program gets them back. It needs coreutils 8.31.
 */
const IGNORED_SIGNALS = ["HUP", "INT", "QUIT", "TERM", "USR1", "USR2"];
const IGNORED = `trap '' ${IGNORED_SIGNALS.join(" ")}`;
const RESET: readonly string[] = ["/usr/bin/env", `--default-signal=${IGNORED_SIGNALS.join(",")}`];

export interface BoxTools {
  /** What makes boxes, and the words to call it. */
  readonly kind: "ours" | "bubblewrap";
  readonly maker: readonly string[];
  /** The file of the seccomp filter. */
  readonly filter: string;
}

/**
 * What lay at a path when the box was planned. Somebody may put a link in its place before it is mounted. Undefined: it is gone
 * already, or there is a link on the way.
 */
interface Seen {
  /** Its device and inode. */
  identity(path: string): string | undefined;
  /** A name that only the kernel gives. */
  handle(path: string): string | undefined;
}

/** The options for a box's mounts. */
export interface MountWords {
  /** What nearly all boxes of a person have. */
  readonly common: readonly string[];
  readonly own: readonly string[];
}

/** Options of a box whose common mounts wait for it, and that gets its own there. None: nothing waits for such a box. */
type Ahead = (mounts: MountWords) => readonly string[];

/** How a box is started: the words for it, and what bash does before them, with files open as `redirections` says. */
export interface BoxStart {
  readonly words: readonly string[];
  readonly before: BeforeBubblewrap | null;
}

/** What bash does before it becomes bubblewrap. */
export interface BeforeBubblewrap {
  readonly script: string;
  readonly filter: string;
  readonly handles: readonly string[];
}

export function boxStart(plan: BoxPlan, tools: BoxTools, seen: Seen, ahead: Ahead): BoxStart {
  return tools.kind === "ours" ? ourStart(plan, tools, seen, ahead) : bubblewrapStart(plan, tools, seen);
}

function ourStart(plan: BoxPlan, { maker, filter }: BoxTools, { identity }: Seen, ahead: Ahead): BoxStart {
  const bind = ({ path, from = path, access }: Bind): string[] => {
    const planned = identity(from);
    if (planned === undefined) return [];
    return [access === "write" ? "--bind-planned" : "--ro-bind-planned", planned, from, path];
  };
  const limits = limitsOf(plan.limits).flatMap(({ resource, value }) => ["--limit", String(resource), String(value)]);
  const mounts = mountWords(plan, bind);
  const own = [...limits, ...(plan.proxyFolder === null ? [] : BRIDGE_OPTION), ...ahead(mounts)];
  const words = [...maker, "--filter", filter, ...own, ...mounts.common, ...mounts.own, "--"];
  return { words, before: null };
}

function bubblewrapStart(plan: BoxPlan, { maker, filter }: BoxTools, { handle }: Seen): BoxStart {
  const handles: string[] = [];
  /** bubblewrap compares what it has mounted with the descriptor, and gives up when it is something else. */
  const bind = ({ path, from = path, access }: Bind): string[] => {
    const name = handle(from);
    if (name === undefined) return [];
    handles.push(name);
    return [access === "write" ? "--bind-fd" : "--ro-bind-fd", String(FILTER_FD + handles.length), path];
  };
  const { common, own } = mountWords(plan, bind);
  const mounts = [...common, ...own];
  const check = [...SHELL, CHECK, "duetty", ...mountPoints(mounts), "--"];
  const words = [...maker, "--seccomp", String(FILTER_FD), ...ISOLATION, ...mounts, "--", ...check, ...RESET];
  return { words, before: { script: startScript(plan.limits), filter, handles } };
}

/** Each path of the options as `w` or `r` with the path behind it. */
function mountPoints(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const path = words[at + (word === "--tmpfs" ? 1 : 2)] ?? "";
    if (word === "--tmpfs" || word === "--bind-fd") return [`w${path}`];
    return word === "--ro-bind" || word === "--ro-bind-fd" ? [`r${path}`] : [];
  });
}

/**
 * bubblewrap finds the places of its mounts by name, and whoever exchanges folders meanwhile leads one elsewhere. So bash looks,
 * inside and before the program, whether every mount lies where the plan wants it and nothing else can be written. A mount in
 * a folder that another user keeps shut, such as those of containers, bubblewrap leaves as it is; nobody inside reaches it.
 */
const CHECK = `declare -A duetty_planned=() duetty_there=()
duetty_hidden() {
  local at=$1
  while [[ $at && ! -e $at ]]; do at=\${at%/*}; done
  [[ $at && ! -x $at && ! -O $at ]]
}
while [[ $1 != -- ]]; do
  duetty_planned[\${1:1}]=\${1:0:1}
  shift
done
shift
while read -r _ _ _ _ duetty_at duetty_how _; do
  printf -v duetty_at %b "\${duetty_at//\\\\/\\\\0}"
  duetty_there[$duetty_at]=1
  [[ $duetty_how == ro?(,*) || $duetty_at == /dev?(/*) || \${duetty_planned[$duetty_at]-} == w ]] || duetty_hidden "$duetty_at" || {
    printf 'duetty: %s was replaced while its box began\\n' "$duetty_at" >&2
    exit 126
  }
done </proc/self/mountinfo
for duetty_at in "\${!duetty_planned[@]}"; do
  [[ \${duetty_there[$duetty_at]-} ]] || {
    printf 'duetty: %s was replaced while its box began\\n' "$duetty_at" >&2
    exit 126
  }
done
exec "$@"`;

/** What to put before a program's own words, so that it starts in the box. */
export function boxPrefix({ words, before }: BoxStart): string[] {
  if (before === null) return [...words];
  return [...SHELL, `${before.script}\nexec "$@" ${redirections(before, '"$0"')}`, before.filter, ...words];
}

/** `filter`: its path as bash reads it. */
export function redirections({ handles }: BeforeBubblewrap, filter: string): string {
  return [filter, ...handles].map((path, at) => `${FILTER_FD + at}<${path}`).join(" ");
}

function mountWords(plan: BoxPlan, bind: (bind: Bind) => string[]): MountWords {
  const isInRoot = (path: string) => plan.roots.some((root) => isWithin(path, root));
  const hidden = [...plan.masks.map(folder), ...plan.maskedFiles.map((path) => file(path, plan.emptyFile))];
  const outside = hidden.filter(({ path }) => !isInRoot(path));
  const inside = hidden.filter(({ path }) => isInRoot(path));
  const writable = [...plan.roots, ...plan.repository, ...plan.pinned, plan.ownDir].map(
    (path): Bind => ({ path, access: "write" }),
  );
  const common = [
    ...PRIVATE_FOLDERS.flatMap((path) => ["--tmpfs", path]),
    ...[...plan.visible].sort().flatMap((path) => bind({ path, access: "read" })),
    ...outside.sort(byPath).flatMap(({ words }) => words),
  ];
  const own = [
    ...[...writable, ...plan.keep].sort(byPath).flatMap(bind),
    ...[...plan.readOnly].sort(byPath).flatMap(bind),
    // For a bind bubblewrap reads the whole list of mounts, so a folder without content is cheaper this way.
    ...plan.empty.flatMap((path) => ["--perms", "0555", "--tmpfs", path]),
    ...inside.sort(byPath).flatMap(({ words }) => words),
    ...(plan.proxyFolder === null ? [] : bind({ path: PROXY_FOLDER, from: plan.proxyFolder, access: "read" })),
  ];
  return { common, own };
}

/**
 * What our own maker does for every box. A process of root that keeps its capabilities mounts the world writable again. The session's
 * end takes the box along. No --new-session: the filter refuses TIOCSTI, and job control needs the terminal.
 */
const ISOLATION: readonly string[] = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--unshare-net",
  ...["--cap-drop", "ALL"],
  "--die-with-parent",
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
  // The kernel lets a process of root write its settings without any capability. Nobody needs to write the rest.
  ...["--remount-ro", "/proc"],
];

interface Hidden {
  readonly path: string;
  readonly words: readonly string[];
}

function folder(path: string): Hidden {
  return { path, words: ["--tmpfs", path] };
}

function file(path: string, empty: string): Hidden {
  return { path, words: ["--ro-bind", empty, path] };
}

/** Folders before what lies in them. */
function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

interface Limit {
  /** The kernel's number. */
  readonly resource: number;
  readonly value: number;
  /** How bash sets it in its POSIX mode, whose `ulimit -f` counts blocks of 512 bytes and `-v` KiB. */
  readonly ulimit: string;
}

function limitsOf({ processes, file_bytes, memory_bytes, cpu_seconds }: BoxLimits): Limit[] {
  const some = (resource: number, value: number | null, option: string, unit = 1): Limit[] =>
    value === null ? [] : [{ resource, value, ulimit: `ulimit -${option} ${Math.ceil(value / unit)}` }];
  return [
    ...some(4, 0, "c"),
    ...some(0, cpu_seconds, "t"),
    ...some(1, file_bytes, "f", 512),
    ...some(9, memory_bytes, "v", 1024),
    ...some(6, processes, "u"),
  ];
}

/** A limit that is already lower stays as it is. */
function startScript(limits: BoxLimits): string {
  return [...limitsOf(limits).map(({ ulimit }) => `${ulimit} 2>/dev/null`), CLOSE, IGNORED].join("\n");
}

/** Descriptors that somebody left open stay outside. */
const CLOSE = `for duetty_fd in /proc/self/fd/*; do
  duetty_fd=\${duetty_fd##*/}
  case $duetty_fd in
    [012]) ;;
    *) eval "exec $duetty_fd>&-" ;;
  esac
done`;
