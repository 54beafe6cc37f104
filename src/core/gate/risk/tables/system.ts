// Services, processes, schedules, the machine itself.
import { risky, safe } from "../risk.ts";
import { any, asks, code, each, type Rule, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const SEEN =
  "-0 -l --full -a --all -n: --lines: --no-pager -t: --type: --state: --failed -p: --property: --value --user --system -q --quiet --no-legend --plain -o: --output: -M:";
const seen = safeWith(SEEN, { words: "any" });
const changes = risk("privilege", "changes the machine");
const stops = risk("destructive", "ends or changes processes");

const systemctl: Rule = verbs(
  {
    "status list-units list-unit-files list-timers list-sockets list-dependencies is-active is-enabled is-failed is-system-running show cat get-default":
      seen,
  },
  { options: SEEN, bare: any, other: changes },
);

export const system: Table = {
  systemctl,
  service: code((args, id) =>
    args.length === 2 && args[1]?.text === "status" ? safe(id) : risky(id, "privilege", "changes the machine"),
  ),
  launchctl: verbs({ "list print version": seen }, { other: changes }),
  ...each("rc-service sv s6-svc initctl rc-update chkconfig update-rc.d", changes),
  ...each(
    "kill pkill killall skill xkill renice fuser killall5",
    when("-l --list", safeWith("-l --list -L", { words: "none" }), stops),
  ),
  ...each("shutdown reboot halt poweroff init telinit systemd-inhibit", changes),
  ...each(
    "mount umount swapon swapoff modprobe insmod rmmod sysctl sysctl.d timedatectl hostnamectl localectl loginctl resolvectl nmcli networksetup scutil defaults pmset spctl csrutil nvram kextload tccutil dscl launchd",
    changes,
  ),
  ...each("crontab at batch anacron atrm", changes),
  ...each("atq", any),
  ...each(
    "pm2 supervisorctl monit forever",
    verbs(
      {
        "list ls status logs show describe jlist prettylist": safeWith("--lines: --nostream --json --raw", {
          words: "any",
        }),
      },
      { other: stops },
    ),
  ),
  logger: asks("writes to the log of the system"),
  ...each("wall write mesg mail sendmail mutt", asks("sends a message")),
  ...each("pbcopy pbpaste xclip xsel wl-copy wl-paste", asks("uses the clipboard")),
  ...each("stty reset setterm chvt loadkeys", asks("changes the terminal")),
  ...each("notify-send osascript say", asks("runs scripts of the desktop")),
  ...each("gcore coredumpctl bpftrace bcc tcpdump tshark dtrace", changes),
};
