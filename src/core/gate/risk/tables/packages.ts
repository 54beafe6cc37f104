// Package managers of operating systems.
import { any, each, type Rule, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const install = risk("install", "installs or removes packages");
const SEEN =
  "-0 -a --all --installed --upgradable --all-versions -l --list -q --quiet -v --verbose -i --info -e --exact --versions --json --cask --formula --casks --pinned --leaves -r --depends --names-only --full -1 --json=v2 --tree --user --system --app --columns: -s -d --desc --showduplicates";
const seen = safeWith(SEEN, { words: "any" });
const manager = (readOnly: string, bare: Rule = install): Rule =>
  verbs({ [readOnly]: seen, "help version --version": any }, { other: install, bare, options: "--version -q -v -C" });
/** pacman -Q asks, pacman -S installs. */
const pacman: Rule = when(
  "-S -R -U -D -F",
  when("-s -i -l", safeWith("-S -s -Ss -Si -Sl -i -l", { words: "any" }), install),
  safeWith("-Q -Qi -Ql -Qe -Qm -Qs -Qo -Qk -Qdt -q -i -l -e -m -s -o -V", { words: "any" }),
);

export const packages: Table = {
  apt: manager("list search show policy depends rdepends"),
  "apt-get": install,
  "apt-cache": seen,
  "apt-mark": manager("showmanual showauto showhold"),
  ...each(
    "dpkg",
    when(
      "-i --install -r --remove -P --purge --configure --unpack --set-selections --add-architecture --clear-avail --update-avail --force-all -A",
      install,
      safeWith(
        "-l --list -L --listfiles -s --status -S --search -p --print-avail -c --contents -I --info --get-selections --print-architecture -V --verify -C --audit",
        { words: "any" },
      ),
    ),
  ),
  "dpkg-query": safeWith("-l --list -L --listfiles -s --status -S --search -W --show -f: --showformat:", {
    words: "any",
  }),
  ...each("dnf yum microdnf zypper", manager("list search info repolist provides se if lr repoquery")),
  rpm: when(
    "-i -U -F -e --install --upgrade --erase --import --rebuilddb --eval -E",
    when(
      "-q --query",
      safeWith(
        "-q -qa -qi -ql -qf -qd -qc -qR --query -a --all -i -l -f -d -c -R --info --list --requires --provides --changelog",
        { words: "any" },
      ),
      install,
    ),
    safeWith("-q -qa -ql -qf -a -l -f -V --verify --query --all --list", { words: "any" }),
  ),
  apk: manager("info list search policy version stats"),
  ...each("pacman yay paru", pacman),
  brew: manager(
    "list ls search info deps uses leaves outdated config doctor desc cat formulae casks --prefix --cellar --cache --version commands options",
  ),
  port: manager("list installed search info contents"),
  snap: manager("list find info version connections services"),
  flatpak: manager("list search info remotes history"),
  ...each(
    "emerge xbps-install xbps-remove swupd eopkg pkg pkg_add pkg_delete slackpkg urpmi tdnf aptitude tasksel gdebi alien",
    install,
  ),
  ...each("choco winget scoop", manager("list search info show")),
  ...each("softwareupdate mas", install),
  ...each(
    "add-apt-repository apt-key update-alternatives ldconfig depmod dracut update-initramfs grub-install",
    risk("privilege", "changes the system"),
  ),
  ...each("krew tfenv tgenv goenv jenv ghcup juliaup fisher oh-my-zsh omz zinit antigen antibody", install),
};
