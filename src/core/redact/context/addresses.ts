// Secrets in URLs and connection strings: user:password@host, a token as user, webhooks; and hashes of passwords. Pure.
import { type Findings, report } from "../finding.ts";
import { isPlaceholder, looksRandom } from "./values.ts";

const CREDENTIALS = /:\/\/([^\s/:@"'<>`]{0,128}):([^\s/"'<>`]{1,256})@/y;
const TOKEN_AS_USER = /:\/\/([\w~.%-]{16,256})(?::x-oauth-basic)?@/y;
const UNFINISHED = /:\/\/[^\s/:@"'<>`]{0,128}(?::[^\s/"'<>`]{0,256})?$/y;
/** Hooks whose address is all that one needs. The last group is the secret part. */
const WEBHOOKS: readonly RegExp[] = [
  /:\/\/hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_+-]{20,120})/y,
  /:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{5,24}\/[\w-]{20,100})/y,
  /:\/\/[\w.-]{1,80}\.webhook\.office\.com\/(webhookb2\/[\w@/-]{40,260})/y,
  /:\/\/outlook\.office(?:365)?\.com\/(webhook\/[\w@/-]{40,260})/y,
  /:\/\/hooks\.zapier\.com\/hooks\/catch\/(\d{1,12}\/[A-Za-z0-9]{4,20})/y,
  /:\/\/maker\.ifttt\.com\/trigger\/\w{1,60}\/(?:json\/)?with\/key\/([\w-]{16,80})/y,
];
/** What programs for passwords store: crypt(3) and its kin. */
const HASHES: readonly RegExp[] = [
  /\$(?:1|apr1)\$[./0-9A-Za-z]{1,8}\$[./0-9A-Za-z]{20,24}/y,
  /\$[56]\$(?:rounds=\d{1,9}\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{40,90}/y,
  /\$2[abxy]\$\d\d\$[./0-9A-Za-z]{45,60}/y,
  /\$g?y\$[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{1,86}\$[./0-9A-Za-z]{30,60}/y,
  /\$argon2(?:id|i|d)\$v=\d{1,3}\$m=\d{1,9},t=\d{1,4},p=\d{1,4}\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{16,128}/y,
  /\$(?:7|scrypt)\$[./0-9A-Za-z=,]{5,60}\$[./0-9A-Za-z+$]{30,120}/y,
  /\$[PH]\$[./0-9A-Za-z]{31}/y,
];
const LDAP_HASH = /\{(?:SSHA|SHA|SMD5|MD5|SSHA\d{3}|CRYPT)\}[A-Za-z0-9+/=]{20,120}/y;
const BEFORE_AT = /([\w.-]{1,64}):([^\s:@"'/]{3,128})$/;

/** Shorter ones stand in manuals: abc:123@host. */
const URL_PASSWORD_MIN = 4;

/** At `://`. */
export function addressAt(text: string, at: number, found: Findings): void {
  for (const hook of WEBHOOKS) {
    const secret = matchAt(hook, text, at)?.[1];
    if (secret !== undefined)
      return report(text, found, { kind: "webhook", from: hook.lastIndex - secret.length, to: hook.lastIndex });
  }
  const password = matchAt(CREDENTIALS, text, at)?.[2];
  if (password !== undefined) {
    const to = CREDENTIALS.lastIndex - 1;
    if (password.length >= URL_PASSWORD_MIN && !isPlaceholder(password))
      report(text, found, { kind: "url-password", from: to - password.length, to });
  }
  const user = matchAt(TOKEN_AS_USER, text, at)?.[1];
  if (user !== undefined && looksRandom(user))
    report(text, found, { kind: "url-token", from: at + 3, to: at + 3 + user.length });
  if (text.length - at < 512 && matchAt(UNFINISHED, text, at)) found.open(at + 3);
}

/** At the `@` of `user:password@tcp(host)`. */
export function dsnAt(text: string, at: number, found: Findings): void {
  if (!text.startsWith("@tcp(", at) && !text.startsWith("@unix(", at)) return;
  const password = BEFORE_AT.exec(text.slice(Math.max(0, at - 200), at))?.[2];
  if (password !== undefined && !isPlaceholder(password))
    report(text, found, { kind: "url-password", from: at - password.length, to: at });
}

/** At the second colon of `jdbc:oracle:thin:user/password@host`. */
const ORACLE = /:oracle:\w{2,6}:[\w.]{1,64}\/([^\s@"'/]{3,128})@/y;

export function oracleAt(text: string, at: number, found: Findings): void {
  const password = matchAt(ORACLE, text, at)?.[1];
  if (password === undefined || isPlaceholder(password)) return;
  const to = ORACLE.lastIndex - 1;
  report(text, found, { kind: "url-password", from: to - password.length, to });
}

/** At `$` or `{`. */
export function hashAt(text: string, at: number, found: Findings): void {
  for (const form of text[at] === "{" ? [LDAP_HASH] : HASHES) {
    if (matchAt(form, text, at)) return report(text, found, { kind: "password-hash", from: at, to: form.lastIndex });
  }
  if (text.length - at < 256 && /^(?:\$\w{1,12}\$|\{S?SHA)[^\s]*$/.test(text.slice(at))) found.open(at);
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}
