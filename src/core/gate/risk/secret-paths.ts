// Files that hold keys and passwords. Reading them is not harmless, whichever program shows them.
import { type PartRisk, risky, unknown } from "./risk.ts";
import type { Arg } from "./words.ts";

const KEYS =
  /(?:^|[/=:~])(?:\.ssh(?:\/|$)|\.gnupg(?:\/|$)|\.aws(?:\/|$)|\.azure(?:\/|$)|\.config\/(?:gcloud|gh|op|hub)(?:\/|$)|\.kube(?:\/|$)|\.docker\/config\.json|\.netrc$|\.pgpass$|\.my\.cnf$|\.git-credentials$|\.npmrc$|\.pypirc$|\.vault-token$|\.password-store(?:\/|$)|\.bash_history$|\.zsh_history$|id_(?:rsa|dsa|ecdsa|ed25519)$)|\/etc\/(?:g?shadow|sudoers)|\/proc\/(?:.*\/)?(?:environ|mem|kcore)(?![\w-])|\/dev\/(?:mem|kmem|sd|nvme|disk|hd|vd|mapper)|\/(?:private\/)?var\/db\/dslocal|\/etc\/ssl\/private|login\.keychain/;
const MAYBE =
  /(?:^|[/=])\.env(?:$|\.(?!example|sample|template|dist|test)[\w.]+$)|\.(?:pem|p12|pfx|jks|keystore|kdbx)$|[/=](?:secrets?|credentials?)(?:\.\w+)?$|^(?:secrets?|credentials?)\.\w+$/;

export function secretPath(args: readonly Pick<Arg, "text">[]): PartRisk | null {
  for (const { text } of args) {
    if (KEYS.test(text)) return risky("secret.path", "privilege", `${text} holds keys, passwords or raw memory`);
    if (MAYBE.test(text)) return unknown("secret.path", `${text} may hold keys or passwords`);
  }
  return null;
}
