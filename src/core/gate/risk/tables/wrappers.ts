// Programs that start the program in their arguments. The started program decides. Wrappers that do more, or
// that nobody has analysed, are never safe.

import { command, evaluate, shell, trap, xargs } from "../run-text.ts";
import { asks, code, each, type Table, wraps } from "../spec.ts";

const OPAQUE = "starts a program in a way of its own";

export const wrappers: Table = {
  command: code(command),
  builtin: wraps(""),
  env: wraps("-i - -u: --unset: --ignore-environment -0", { assigns: true }),
  nohup: wraps(""),
  nice: wraps("-0 -n: --adjustment:"),
  ionice: wraps("-c: -n: -t --class: --classdata:"),
  timeout: wraps("-k: -s: -v -f --foreground --preserve-status --kill-after: --signal: --verbose", { skip: 1 }),
  gtimeout: wraps("-k: -s: -v --foreground --preserve-status", { skip: 1 }),
  time: wraps("-p -v -l -f: --verbose --portability"),
  stdbuf: wraps("-i: -o: -e: --input: --output: --error:"),
  setsid: wraps("-f -w --fork --wait"),
  caffeinate: wraps("-d -i -m -s -u -t:"),
  unbuffer: wraps("-p"),
  exec: wraps("-c -l -a:", { opaque: "takes the place of the shell" }),
  xargs: code(xargs),
  eval: code(evaluate),
  trap: code(trap),
  ...each("bash sh dash zsh ksh ash mksh rbash", code(shell)),
  ...each("fish pwsh powershell csh tcsh nu xonsh elvish", asks("another language")),
  ...each(
    "parallel watch script strace ltrace gdb lldb valgrind flock chronic rlwrap busybox toybox xvfb-run dbus-run-session chrt prlimit systemd-run firejail proot fakeroot fakechroot faketime entr nodemon watchexec hyperfine dotenv direnv mise asdf nvm rtx aws-vault op doppler chpst softlimit tsocks proxychains torsocks torify setarch linux32 linux64 expect unshare-user runcon catchsegv retry ts-exec with-env cross-env-shell screen tmux tmate dtach abduco zellij ionotify perf rr heaptrack taskset noglob nocorrect repeat sg numactl cgexec uclampset cpulimit trickle start-stop-daemon daemonize ifne pee lckdo coreutils",
    wraps("-n: -c -q -d -t", { opaque: OPAQUE }),
  ),
  ...each(
    "sudo doas su pkexec runuser gosu su-exec sudoedit run0 please calife",
    wraps("-u: -E -H -n -S -i -s -g: -k -A -b -l -c", { kind: "privilege", opaque: "runs with other rights" }),
  ),
  ...each(
    "chroot nsenter unshare bwrap setpriv capsh",
    wraps("", { kind: "privilege", opaque: "runs in another root or namespace" }),
  ),
};
