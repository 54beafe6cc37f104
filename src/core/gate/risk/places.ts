// Where a path leads, as far as its text tells: into the workspace, to a public file of the system, or elsewhere. Pure. We know
// the folder a line starts in and nothing else of the disk, so ".." always leads elsewhere.
import type { Arg } from "./words.ts";

/** Files of the system that anybody may read, and that hold nothing of a person. */
const PUBLIC =
  /^\/(?:usr|opt|lib(?:32|64)?|s?bin)(?:\/|$)|^\/var\/log(?:\/|$)|^\/etc\/(?:hosts|hostname|os-release|lsb-release|[a-z]+[-_](?:release|version)|passwd|group|resolv\.conf|services|protocols|timezone|shells|issue|fstab|nsswitch\.conf)$|^\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|mounts|filesystems)$|^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$|^\/dev\/fd$/;
/** Folders whose files other programs run or trust by themselves. */
const TRUSTED = /(?:^|\/)\.(?:git|ssh|bash\w*|zsh\w*|profile|husky|github|vscode|npmrc|aws)(?:\/|$)/;
/** A word, or a piece of a value, that leads out of the folder: absolute, somebody's home, above, or fetched. */
const LEAVES = /^\/|^~(?:[\w-]*\/|$)|(?:^|\/)\.\.(?:\/|$)|^[a-z][a-z0-9+.-]*:\/\//i;

export function isInside(path: string, root: string | null): boolean {
  if (!LEAVES.test(path)) return path !== "";
  if (root === null || root === "/" || /(?:^|\/)\.\.(?:\/|$)/.test(path)) return false;
  return path === root || path.startsWith(`${root}/`);
}

/** A path that an option names: inside, and nothing that another program trusts. */
export function isOwnPath(path: string, root: string | null): boolean {
  if (path === "/dev/null") return true;
  return staysInside(path, root) && path !== "" && !/^[-@]|^[a-z][a-z0-9+.-]*:/i.test(path) && !TRUSTED.test(path);
}

/** A file that a tool would write: a report by its name, or something in a folder of what is built. Never the project's own. */
export function isArtifact(path: string, root: string | null): boolean {
  if (path === "/dev/null") return true;
  if (!isOwnPath(path, root) || path.startsWith("/")) return false;
  const [name = ""] = path.replace(/\/$/, "").split("/").slice(-1);
  if (
    /(?:junit|coverage|cover|report|results?|lcov|cov)[\w.-]*\.(?:xml|html|out|txt|log|lcov|info|sarif|tap)$/i.test(
      name,
    )
  )
    return true;
  if (/^(?:coverage|htmlcov|test-results|test-reports|reports|junit)$/.test(name)) return true;
  if (/\.(?:o|obj|so|a|out|exe|wasm|class)$/.test(name) || /^(?:\.\/)?(?:dist|build|out|target)$/.test(path))
    return true;
  return (
    /^(?:\.\/)?(?:dist|build|out|target|obj|coverage|test-results|reports)\/[\w./-]*$/.test(path) &&
    !/\.(?:py|sh|rb|pl|php|mk|gradle|json|ya?ml|toml|ninja|cmake)$|^[A-Z]\w*$/.test(name)
  );
}

/** Text in which nothing leads out: "a,b", "key=value", "**\/dist", but not "xml:/x". A lone slash only separates. */
export function staysInside(text: string, root: string | null): boolean {
  const pieces = [text, ...text.split(/[:=,;\s]+/)];
  return pieces.every((piece) => piece === "" || piece === "/" || isInside(piece, root));
}

/** Whether a word may name what a program reads. Words that a loop or a pipe fills in are not known and may. */
export function mayRead(arg: Arg, root: string | null): boolean {
  if (arg.process || arg.filled) return true;
  const path = pathOf(arg.prefix);
  if (arg.literal)
    return path === "" || isInside(path, root) || (PUBLIC.test(path) && !/(?:^|\/)\.\.(?:\/|$)/.test(path));
  if (/^"?\$\{?[a-z_]\w*\}?"?$/.test(arg.text)) return true;
  return arg.many && !arg.splits && !/^["']?[~$]/.test(arg.text) && isInside(path === "" ? "." : path, root);
}

/** A file pattern, or braces, that would find files outside. */
export function isPatternOutside(arg: Arg, root: string | null): boolean {
  return (
    !arg.literal &&
    arg.many &&
    !arg.splits &&
    (/^~/.test(arg.text) || (arg.prefix !== "" && !isInside(pathOf(arg.prefix), root)))
  );
}

/** The path in an option's attached value, or the word itself. */
function pathOf(text: string): string {
  if (!text.startsWith("-") || text === "-") return text;
  const value = /^--?[\w-]+=(.*)$/s.exec(text)?.[1] ?? /^-\w(\/..*|~.*|\.\..*)$/s.exec(text)?.[1];
  return value ?? ".";
}
