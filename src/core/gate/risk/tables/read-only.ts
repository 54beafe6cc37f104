// Programs that only read: files, the machine, processes. None of them starts another program or writes a file
// with any argument, except where its safe options are listed here.
import { type PartRisk, safe, unknown } from "../risk.ts";
import { any, asks, code, each, needs, reads, safeWith, type Table } from "../spec.ts";
import type { Arg } from "../words.ts";

const SHOWN =
  /^(?:PATH|HOME|USER|SHELL|LANG|LC_\w+|TERM|PWD|OLDPWD|EDITOR|PAGER|TZ|HOSTNAME|LOGNAME|CI|NODE_ENV|DISPLAY|VIRTUAL_ENV|GOPATH|JAVA_HOME|XDG_\w+|COLUMNS|LINES)$/;

export const readOnly: Table = {
  // Names, sizes, sums and the machine itself.
  ...each(
    "ls dir vdir wc stat du df pwd basename dirname realpath readlink cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum exa eza lsd tty nproc getconf locale which whereis zipinfo",
    any,
  ),
  ...each(
    "pgrep pstree uptime free vmstat whoami id groups logname users who w last uname lscpu lsblk lsusb lspci lsmod lsb_release sw_vers seq factor cal sleep clear",
    any,
  ),
  ...each("cat head tail tac nl strings readelf zcat bzcat xzcat zstdcat gzcat od hexdump hd", reads),
  ps: code(ps),
  hostname: safeWith("-f --fqdn -s --short -i -I --all-ip-addresses -d", { words: "none" }),
  // -C compiles a magic file, -m reads another one.
  file: safeWith("-b --brief -i --mime --mime-type --mime-encoding -L --dereference -h -k -r -N -0 -p -E", {
    words: "any",
  }),
  // A word that is not a format sets the system clock.
  date: safeWith(
    "-u --utc --universal -R --rfc-email -I --iso-8601 --rfc-3339 -d: --date: -r: --reference: -j -v: -Iseconds -Idate -Iminutes",
    { words: /^\+/ },
  ),
  // Without a name it shows everything, secrets too.
  printenv: code((args, id) =>
    args.length > 0 && args.every((arg) => arg.literal && SHOWN.test(arg.text))
      ? safe(id)
      : unknown(id, "shows the environment"),
  ),
  // -o writes, -R runs tree again with -o.
  tree: safeWith(
    "-0 -a -d -l -f -x -L: -P: -I: --gitignore --gitfile: --matchdirs --noreport --charset: --filelimit: --timefmt: -q -N -Q -p -u -g -s -h --si --du -D -F --inodes --device -v -t -c -U -r --dirsfirst --filesfirst --sort: -i -A -S -n -C -X -J --prune --ignore-case --info",
    { words: "any" },
  ),
  // Its configuration can name a pager program.
  ...each(
    "bat batcat",
    safeWith(
      "-p -pp --plain --paging=never -P --no-pager -n --number -A --show-all -l: --language: -H: --highlight-line: --style: --color: --decorations: --theme: -r: --line-range: --tabs: --wrap: --terminal-width: --diff --file-name: -f --force-colorization -u --unbuffered --list-languages --list-themes",
    ),
  ),
  lsof: safeWith("-i -P -n -p: -u: -c: -t -a -d: -l -U -iTCP -iUDP -sTCP:LISTEN -s"),
  ...each(
    "ss netstat",
    safeWith(
      "-t -u -l -n -p -a -r -i -s -e -o -x -4 -6 -w -m -tulpn --tcp --udp --listening --numeric --processes --all --summary --route --interfaces --statistics",
    ),
  ),
  top: asks("interactive, and makes a folder of its own in the home"),
  journalctl: needs(
    "--no-pager",
    safeWith(
      "-0 --no-pager -u: --unit: -n: --lines: -f --follow -b --boot -k --dmesg -p: --priority: -r --reverse -o: --output: -S: --since: -U: --until: -x --catalog -e -q --user --system -t: -g: --grep: --list-boots --disk-usage",
    ),
    "opens a pager",
  ),
  dmesg: safeWith("-T --ctime -H -k -x -l: --level: -f: --facility: -w --follow --color -t"),
  ip: safeWith("-0 -4 -6 -br -brief -c -color -j -json -p -s -o -d", {
    words: /^(?:a|addr|address|l|link|r|route|n|neigh|rule|show|list|ls|get|dev|[a-z]+\d+|lo|default)$/,
  }),
  ifconfig: safeWith("-a -s", { wordsMax: 1 }),
  tput: safeWith("", { words: /^(?:cols|lines|colors|longname)$/ }),
  xxd: safeWith("-b -c: -C -e -E -g: -i -l: -n: -o: -p -ps -s: -seek: -u -d", { wordsMax: 1 }),
  ...each(
    "cloc tokei scc gocloc",
    safeWith(
      "-0 --by-file --json --csv --md --yaml --quiet --exclude-dir: --include-lang: --exclude-lang: --files -f --sort: -s: --no-cocomo -e: -i: -t: --hidden --no-ignore -c",
    ),
  ),
  arch: safeWith("", { words: "none" }),
  nm: safeWith(
    "-a -A -B -C -D -g -l -n -o -p -P -r -S -u -U --defined-only --undefined-only --demangle --dynamic --extern-only --size-sort --print-size",
  ),
  // Without --valid and --loaddtd it opens nothing but its words.
  xmllint: safeWith(
    "--noout --format --pretty: --schema@ --relaxng@ --xpath~ --html --nonet --noblanks --c14n --recover --huge --quiet",
  ),
  ...each("less more most man info pg", asks("interactive program: what matters is what gets typed into it")),
  ...each("ldd", asks("starts the program it looks at")),
};

/** Letters without a dash, -E and a column of that name would add each program's variables. */
function ps(args: readonly Arg[], id: string): PartRisk {
  const known = /^(?:[axuflwj]+|-[eAafFlxHwupoCU]+|--(?:forest|no-headers|sort=[\w,%+-]+|pid=\d+|ppid=\d+))$/;
  const plain = args.every((arg, i) => {
    const value = /^-[a-zA-Z]*[oCpuU]$/.test(args[i - 1]?.text ?? "") && /^[\w,.%=+-]+$/.test(arg.text);
    return arg.literal && (value || known.test(arg.text)) && !/env/i.test(arg.text);
  });
  return plain ? safe(id) : unknown(id, "may show the environment of programs");
}
