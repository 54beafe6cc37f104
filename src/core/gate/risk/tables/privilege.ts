// Programs that change who may do what, or show secrets.
import { asks, each, risk, safeWith, type Table, verbs } from "../spec.ts";

const rights = risk("privilege", "changes who may do what");
const secrets = risk("privilege", "shows or changes secrets");

export const privilege: Table = {
  ...each(
    "useradd userdel usermod adduser deluser addgroup delgroup groupadd groupdel groupmod gpasswd passwd chpasswd chsh chfn chage newgrp vipw vigr visudo setcap getcap sysadminctl dseditgroup pam-auth-update pwconv",
    rights,
  ),
  ...each(
    "iptables ip6tables nft ufw firewall-cmd ebtables ipset pfctl tc brctl ifup ifdown route dhclient iwconfig rfkill",
    rights,
  ),
  ...each("setenforce semanage restorecon chcon aa-enforce aa-complain auditctl", rights),
  ...each(
    "ssh-keygen ssh-add ssh-agent ssh-copy-id gpg gpg2 gpg-agent pass secret-tool keyring age sops certbot step mkcert security keytool kinit klist htpasswd bw lpass 1password op gopass chezmoi kdestroy",
    secrets,
  ),
  ...each("machinectl systemd-nspawn lxc lxc-attach lxd incus virsh qemu-system-x86_64 VBoxManage", rights),
  gpgv: asks("not known"),
  // Other tables are asked from name servers.
  getent: verbs({ "passwd group services protocols": safeWith("", { words: /^[\w-]+$/ }) }),
};
