// The real programs that the tests run, and the folder of links that is their whole PATH. Owns: the list. A program that
// is not listed here is not found by any test, on any Debian machine, so that nobody's own machine hides what is missing
// on a fresh one. Refuses: installing (needs.mjs does that).
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";

/** Package of Debian: its programs that the tests use, or that one of these calls by name. */
const NEEDS = {
  bash: ["bash"],
  binutils: ["as", "ld"],
  bubblewrap: ["bwrap"],
  cargo: ["cargo"],
  chromium: ["chromium"],
  curl: ["curl"],
  fish: ["fish"],
  gcc: ["cc"],
  gdb: ["gdb"],
  git: ["git"],
  "golang-go": ["go"],
  htop: ["htop"],
  less: ["less"],
  make: ["make"],
  "groff-base": ["groff", "grotty", "nroff", "preconv", "tbl", "troff"],
  "man-db": ["man"],
  nano: ["nano"],
  "nats-server": ["nats-server"],
  "nix-bin": ["nix-shell"],
  "openssh-client": ["ssh", "ssh-keygen"],
  "openssh-server": ["sshd"],
  "perl-base": ["perl"],
  procps: ["ps", "top"],
  python3: ["python3"],
  "python3-pytest": ["pytest"],
  rustc: ["rustc", "rustdoc"],
  tmux: ["tmux"],
  "util-linux": ["setsid"],
  vim: ["vim"],
  zsh: ["zsh"],
};

/** The same, for browsers that only `npm run test:browsers` needs: BROWSERS names those that are asked for. */
const BROWSERS = {
  firefox: { "firefox-esr": ["firefox-esr"] },
  webkit: { "webkit2gtk-driver": ["WebKitWebDriver"], xvfb: ["Xvfb"] },
};

/** Package of Debian: its files that the tests open. */
const FILES = { netbase: ["/etc/services"] };

/** Debian's folders for programs. What a person put elsewhere (pyenv, /usr/local, ~/bin) is not on a fresh machine. */
const FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** All programs of this run, by package. */
function needs() {
  const asked = (process.env.BROWSERS ?? "").split(" ");
  return Object.assign({}, NEEDS, ...asked.map((name) => BROWSERS[name]));
}

function output(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 26 });
  return status === 0 ? stdout : undefined;
}

const inFolders = (name, folders) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
const ownFolders = () => (process.env.PATH ?? "").split(delimiter);
export const isDebian = () => output("dpkg-query", "--version") !== undefined;

/** What of the lists this machine lacks, each with its package. */
export function missing() {
  const folders = isDebian() ? FOLDERS : ownFolders();
  const isThere = (name) => (name.startsWith("/") ? existsSync(name) : inFolders(name, folders) !== undefined);
  const all = [...Object.entries(needs()), ...Object.entries(FILES)];
  return all.flatMap(([pkg, names]) => names.filter((name) => !isThere(name)).map((name) => ({ name, pkg })));
}

/** The programs of the packages that every Debian has. */
function basePrograms() {
  const packages = output("dpkg-query", "-W", "-f", `\${Package} \${Essential} \${Priority}\n`) ?? "";
  const base = packages.split("\n").map((line) => line.split(" "));
  const names = base.filter(([, essential, priority]) => essential === "yes" || priority === "required");
  const files = (output("dpkg-query", "-L", ...names.map(([name]) => name)) ?? "").split("\n");
  const programs = files.filter((file) => FOLDERS.includes(dirname(file)) && existsSync(file));
  return [...programs, ...alternatives(new Set(programs.map((file) => realpathSync(file))))];
}

/** `awk` and `which` are in no package's list: links by way of /etc/alternatives. */
function alternatives(programs) {
  const links = readdirSync("/usr/bin").map((name) => join("/usr/bin", name));
  const alternative = (path) => lstatSync(path).isSymbolicLink() && readlinkSync(path).startsWith("/etc/alternatives/");
  return links.filter((path) => alternative(path) && existsSync(path) && programs.has(realpathSync(path)));
}

/** A new folder of links to all that the tests may call. */
export function linkPrograms() {
  const folder = mkdtempSync(join(tmpdir(), "duetty-programs-"));
  // Some tests run as nobody.
  chmodSync(folder, 0o755);
  const listed = Object.values(needs()).flatMap((names) => names.map((name) => inFolders(name, FOLDERS)));
  const paths = [...basePrograms(), ...listed].filter((path) => path !== undefined);
  const links = new Map(paths.map((path) => [basename(path), path]));
  for (const name of ["npm", "npx"]) {
    const path = inFolders(name, [dirname(process.execPath), ...ownFolders()]);
    // The file itself: a box sees no other folder of links, which the PATH may already be.
    if (path !== undefined) links.set(name, realpathSync(path));
  }
  links.set("node", process.execPath);
  for (const [name, path] of links) symlinkSync(path, join(folder, name));
  return folder;
}
