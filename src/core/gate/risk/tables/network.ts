// Programs that talk to other machines. What they send cannot be taken back, and what they fetch is unknown.
import { each, type Rule, risk, safeWith, type Table, verbs } from "../spec.ts";

const speaks = risk("network", "speaks with another machine");

export const network: Table = {
  ...each(
    "curl wget wget2 aria2c axel lynx links w3m elinks http https httpie xh curlie fetch grpcurl websocat wscat evans ghz hey ab wrk vegeta siege k6 artillery",
    speaks,
  ),
  ...each(
    "nc ncat netcat socat telnet ftp lftp sftp tftp ssh scp rsync mosh autossh sshpass sshfs rclone croc magic-wormhole wormhole s3cmd s5cmd rcp rsh rlogin unison syncthing",
    speaks,
  ),
  ...each(
    "dig host nslookup drill whois ping ping6 fping traceroute tracepath mtr nmap masscan arping hping3 zmap arp-scan iperf iperf3 speedtest speedtest-cli dog doggo",
    speaks,
  ),
  ...each("openvpn wg wg-quick tailscale zerotier-cli cloudflared ngrok localtunnel chisel frpc bore", speaks),
  ...each("yt-dlp youtube-dl gallery-dl you-get transmission-cli ipfs irssi weechat", speaks),
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
