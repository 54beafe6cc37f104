// Programs that talk to other machines. What they send cannot be taken back, and what they fetch is unknown.
import { namesOnlyLoopback } from "../loopback.ts";
import { risky, riskyUnboxed } from "../risk.ts";
import { code, each, type Rule, risk, safeWith, type Table, verbs } from "../spec.ts";

const ELSEWHERE = "speaks with another machine";
const speaks = risk("network", ELSEWHERE);
/** A whole session in a box has a localhost of its own, and nobody else is reached there. */
const asksServer = code((args, id) =>
  namesOnlyLoopback(args)
    ? riskyUnboxed(id, "network", "speaks with a server on this machine", "session")
    : risky(id, "network", ELSEWHERE),
);

/** Between folders of this machine it is a copy. A colon names a host, and these options a program that reaches one. */
const REMOTE = /[:$`]|^-[a-zA-Z]*[eM]|^--(?:rsh|rsync-path|remote-option|daemon|server|sender|config)/;
const copiesOrSends = code((args, id) =>
  args.some(({ text, process }) => process || REMOTE.test(text))
    ? risky(id, "network", ELSEWHERE)
    : risky(id, "destructive", "may overwrite or delete files"),
);

export const network: Table = {
  rsync: copiesOrSends,
  ...each(
    "curl wget wget2 aria2c axel lynx links w3m elinks http https httpie xh curlie fetch grpcurl websocat wscat evans ghz hey ab wrk vegeta siege k6 artillery nc ncat netcat telnet",
    asksServer,
  ),
  ...each(
    "socat ftp lftp sftp tftp ssh scp mosh autossh sshpass sshfs rclone croc magic-wormhole wormhole s3cmd s5cmd rcp rsh rlogin unison syncthing",
    speaks,
  ),
  ...each(
    "dig host nslookup drill whois ping ping6 fping traceroute tracepath mtr nmap masscan arping hping3 zmap arp-scan iperf iperf3 speedtest speedtest-cli dog doggo",
    speaks,
  ),
  ...each("openvpn wg wg-quick tailscale zerotier-cli cloudflared ngrok localtunnel chisel frpc bore", speaks),
  ...each("yt-dlp youtube-dl gallery-dl you-get transmission-cli ipfs irssi weechat", speaks),
  ...each("claude codex gemini opencode qwen copilot cursor-agent", risk("network", "starts another agent")),
  openssl: verbs(
    { "version help": safeWith("-a -v"), "dgst sha256 sha1 md5": safeWith("-sha256 -sha1 -sha512 -md5 -hex -r") },
    { other: speaks },
  ),
  hg: repository(
    "status st diff log branch branches bookmarks tags heads parents summary annotate blame cat files manifest paths identify id root version grep",
  ),
  svn: repository("status st diff info"),
  ...each("cvs bzr fossil", speaks),
};

function repository(readOnly: string): Rule {
  return verbs(
    {
      [readOnly]: safeWith(
        "-0 -r: --rev: -l: --limit: -p --patch --stat -v --verbose -q --quiet -T: -u: -d: -n -i -b -a -c: -g --git -m -A -w -B -G --graph --template: -k: --color:",
      ),
    },
    { other: speaks, options: "-q --version" },
  );
}
