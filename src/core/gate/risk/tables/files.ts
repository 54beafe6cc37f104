// Programs that change files. Overwriting and deleting are risky; adding inside the workspace is unknown, so it is asked.
import { safe, unknown } from "../risk.ts";
import { asks, code, each, needs, risk, safeWith, type Table, when } from "../spec.ts";

const destroys = (why: string) => risk("destructive", why);

export const files: Table = {
  ...each("rm rmdir unlink shred srm wipe trash trash-put rimraf del-cli", destroys("deletes files")),
  ...each("mv rename mmv", destroys("moves or overwrites files")),
  ...each("cp install ditto", destroys("may overwrite files")),
  ...each(
    "dd truncate fallocate mkfs mke2fs mkswap fdisk sfdisk parted gdisk wipefs badblocks hdparm diskutil blkdiscard cryptsetup lvremove vgremove pvremove mdadm zpool zfs btrfs losetup debugfs tune2fs e2fsck fsck",
    destroys("writes over files or disks"),
  ),
  ...each("mkfs.ext4 mkfs.ext3 mkfs.ext2 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat", destroys("writes over disks")),
  ...each("chmod chown chgrp chattr setfacl chflags xattr", destroys("changes who may use files")),
  ln: when("-f --force", destroys("may overwrite files"), asks("writes files")),
  ...each("mkdir touch mktemp mkfifo mknod", asks("writes files")),
  tee: code((args, id) => {
    const files = args.filter((arg) => !/^(?:-a|--append|-i|-p)$/.test(arg.text));
    if (files.every((arg) => arg.literal && /^\/dev\/(?:null|stderr|stdout|tty)$/.test(arg.text))) return safe(id);
    return { class: "risky", rule: id, kind: "destructive", why: "writes to a file" };
  }),
  sponge: destroys("writes to a file"),
  ...each(
    "gzip bzip2 xz zstd compress lz4 brotli pigz",
    needs("-l --list -t --test", safeWith("-l --list -t --test -v"), "replaces files"),
  ),
  ...each(
    "gunzip bunzip2 unxz unzstd uncompress",
    when("-c --stdout -l -t", safeWith("-c --stdout -l -t -k"), asks("replaces files")),
  ),
  tar: code((args, id) => {
    const first = args[0]?.text ?? "";
    const options = args.filter((arg, i) => arg.prefix.startsWith("-") || i === 0);
    const lists = options.some((arg) => /^(?:-?[vzjJ]*t[vzjJ]*f?|--list)$/.test(arg.text));
    const remote = args.some((arg) => arg.text.includes(":"));
    const plain =
      !remote &&
      args.every(
        (arg, i) =>
          !arg.wild &&
          (!arg.prefix.startsWith("-") ||
            /^(?:-[tvzjJf]+|--(?:list|verbose|gzip|bzip2|xz|wildcards|file=.*))$/.test(arg.text)) &&
          (i > 0 || /^(?:-?[tvzjJf]+|--list|--file=.*)$/.test(first)),
      );
    if (lists && plain) return safe(`${id}.list`);
    const unpacks = options.some((arg) =>
      /^-?[a-zA-Z]*x|^--extract|^--get|^--delete|^--remove-files|^-C|^--to-command|^--checkpoint-action|^--use-compress-program|^-I/.test(
        arg.text,
      ),
    );
    if (unpacks) return { class: "risky", rule: `${id}.extract`, kind: "destructive", why: "unpacks over files" };
    return unknown(id, "packs files");
  }),
  unzip: when("-l -Z -t", safeWith("-l -v -t -q -Z -1"), destroys("unpacks over files")),
  ...each("7z 7za 7zr unrar rar", asks("packs or unpacks files")),
  ...each("zip ar", asks("writes an archive")),
  ...each(
    "vim vi nvim nano emacs ed ex pico micro joe helix hx code subl open xdg-open mc ranger nnn lf htop btop ncdu lazygit tig gitui k9s",
    asks("interactive program: what matters is what gets typed into it"),
  ),
};
