// ssh://[user@]host[:port], as a person writes it, and as OpenSSH is told. Pure.
import { type Fault, fault } from "../../../core/base/fault.ts";

const ADDRESS = /^ssh:\/\/(?:([\w.%+-]{1,64})@)?(\[[0-9a-fA-F:.%]{2,60}\]|[\w.-]{1,253})(?::(\d{1,5}))?\/?$/;
const PORT_MAX = 65_535;

/** The words for ssh that name the other side. Nothing in them can be taken for an option. */
export function sshTarget(address: string): readonly string[] | Fault {
  const [, user, host, port] = ADDRESS.exec(address) ?? [];
  const isWrong = host === undefined || host.startsWith("-") || user?.startsWith("-") || Number(port ?? 1) > PORT_MAX;
  if (isWrong)
    return fault("input.invalid", `"${address}" is no address of ssh`, "Write ssh://HOST or ssh://USER@HOST:PORT.");
  const plain = host.replace(/^\[|\]$/g, "");
  const name = user === undefined ? plain : `${user}@${plain}`;
  return [...(port === undefined ? [] : ["-p", port]), "--", name];
}
