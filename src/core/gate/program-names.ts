// What the gate knows about programs by their names, whatever version is written behind them. Pure.

/** Most shells end in "sh". A name that only looks like one is asked about once too often, and that is all. */
const SHELL = /^(?:[a-z]{0,4}sh|nu|nushell|elvish|ion|murex|busybox|toybox|pwsh-preview|powershell)$/;

/** They run code of the line, of a file or of what they read. */
const INTERPRETERS = new Set(
  (
    "python pypy ipython bpython ptpython node nodejs deno bun tsx ts-node ruby irb pry perl raku php lua luajit ghci runghc guile " +
    "racket sbcl clisp ocaml utop erl iex elixir escript swipl gforth janet fennel tclsh wish expect osascript groovy scala kotlin " +
    "jshell julia octave R Rscript awk gawk mawk nawk sed gsed bc dc m4 gnuplot jq sqlite psql mysql mariadb mongosh mongo redis-cli"
  ).split(" "),
);
/** They start another program, by design or by a key. */
const STARTERS = new Set(
  (
    "vi vim nvim gvim view ex emacs emacsclient nano pico micro joe helix hx ed less more most man info pg mc ranger nnn lf tig " +
    "lazygit gitui k9s git gh make just docker podman kubectl sudo su doas ssh ftp lftp sftp telnet gdb lldb tmux screen zellij " +
    "script watch top htop btop fzf nmap zip tar rsync mutt"
  ).split(" "),
);
/** They run the commands that stand in their arguments. */
const WRAPPERS = new Set(
  (
    "env command builtin exec eval source . nohup nice ionice timeout time stdbuf setsid xargs find parallel watch entr sudo su " +
    "doas pkexec chroot ssh docker podman kubectl git npm npx pnpm yarn pnpx bunx make just rake gradle mvn task tox nox uv uvx " +
    "poetry pipx hatch tmux screen script expect"
  ).split(" "),
);

/** python3.11, node20 and lua5.4 are python, node and lua; gdb-multiarch is gdb. */
function family(program: string): readonly string[] {
  const name = program.split("/").at(-1) ?? program;
  return [name, name.replace(/[-.]?\d[\d.]*[a-z]?$/, ""), name.split(/[-.]/)[0] ?? name];
}

/** A yes for one key is a yes for everything. */
export function escapes(program: string): boolean {
  return isShell(program) || family(program).some((name) => INTERPRETERS.has(name) || STARTERS.has(name));
}

export function isShell(program: string): boolean {
  return family(program).some((name) => SHELL.test(name));
}

/** A rule that allows one of them would allow everything. */
export function runsAnything(program: string): boolean {
  return isShell(program) || family(program).some((name) => INTERPRETERS.has(name) || WRAPPERS.has(name));
}

/** They run no other program and read nothing that tells them what to do. */
const READERS: ReadonlySet<string> = new Set(
  `: [ basename cat cmp cut date diff dirname du echo egrep false fgrep file grep head ls nl printf pwd readlink realpath seq
  sleep sort stat tail test tr true uniq wait wc`.split(/\s+/),
);

export function onlyReads(program: string): boolean {
  return READERS.has(program);
}
