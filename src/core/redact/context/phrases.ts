// Secrets that a word announces without a separator: netrc, SQL, `setenv NAME VALUE`, `echo PW | sudo -S`, prose. Pure.
// Each word has a form of bounded length; its last group that matched is the secret.
import { type Findings, report } from "../finding.ts";
import { promiseOf } from "./names.ts";
import { isPlaceholder, isSecret, looksRandom } from "./values.ts";

interface Phrase {
  readonly form: RegExp;
  readonly kind: string;
  /** A beginning that ends with the text: its secret may come in the next line. */
  readonly begun?: RegExp;
  /** By what is taken: the secret, and a name before it. */
  is?(secret: string, name: string): boolean;
}

const hasBoth = (secret: string) => /\d/.test(secret) && /[A-Za-z]/.test(secret);
/** Large and small letters and digits: no hash and no UUID. */
const isMixed = (secret: string) => /[A-Z]/.test(secret) && /[a-z]/.test(secret) && looksRandom(secret);
const isRandom = (secret: string) => looksRandom(secret);
const hasSymbol = (secret: string) => /[^A-Za-z.,;:!?)]/.test(secret);
const isNamed = (secret: string, name: string) => {
  const promised = promiseOf(name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf(":")) + 1));
  return (
    promised !== undefined && isSecret(secret, promised.promise, promised.lone || promised.vague ? "prose" : "tight")
  );
};

/** SET PASSWORD FOR bob = '…' */
const SET_PASSWORD: Phrase = {
  form: /set[ \t]{1,4}password[ \t]{1,4}(?:for[ \t]{1,4}\S{1,100}[ \t]{0,4})?=[ \t]{0,4}(?:password\()?["']([^"'\n]{3,256})["']/iy,
  kind: "password",
};

const SET: Phrase = {
  form: /set(?:env|x)?(?:[ \t]{1,4}-{1,2}[\w-]{1,20}){0,4}[ \t]{1,4}([\w.:/@-]{2,100})[ \t]{1,8}["']?([^\s"']{4,512})/iy,
  kind: "token",
  is: isNamed,
};

/** The token is: … */
const IS: Phrase = {
  form: /(?:token|secret|key|passphrase)[ \t](?:is|was|is now|has been set to)[ \t]{0,2}:?[ \t]{1,4}["'`]?([^\s"'`]{8,512})/iy,
  kind: "token",
  is: isRandom,
};

/** Password for bob is …, password is generated for root@localhost: … */
const FOR: Phrase = {
  form: /(?:password|passphrase)[ \t](?:is[ \t](?:generated|set|created)[ \t])?for[ \t][^\n:]{1,60}?(?::|[ \t](?:is|was)(?:[ \t]set[ \t]to)?:?)[ \t]{1,4}["'`]?([^\s"'`]{6,128})/iy,
  kind: "password",
  is: hasBoth,
};

const SECRETS_SET: Phrase = {
  form: /(?:fly(?:ctl)?|doppler|supabase)[ \t]{1,4}secrets[ \t]{1,4}(?:set|import)(?:[ \t]{1,4}-{1,2}[\w=-]{1,40}){0,3}[ \t]{1,4}\w{1,64}=["']?([^\s"']{4,512})/y,
  kind: "token",
};

const ORACLE_LOGIN: Phrase = {
  form: /\w{4,7}[ \t]{1,4}(?:-\w{1,4}[ \t]{1,4}){0,3}["']?(?:userid=|target[ \t]{1,4})?[\w.]{1,64}\/([^\s@"'/]{3,128})(?=[@\s"'])/y,
  kind: "password",
};

const PHRASES: Readonly<Record<string, readonly Phrase[]>> = {
  machine: [
    {
      form: /machine\s{1,8}\S{1,128}\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(\S{3,256})/iy,
      kind: "password",
    },
  ],
  login: [
    { form: /login[ \t]{1,8}\S{1,128}[ \t]{1,8}password[ \t]{1,8}(\S{3,256})/iy, kind: "password", is: hasSymbol },
  ],
  password: [
    { form: /password[ \t]{1,8}'([^'\n]{3,256})'/iy, kind: "password" },
    {
      form: /(?<=^[ \t]{0,16})password[ \t]{1,8}([^\s:=]{4,256})(?=\r?\n|$)/imy,
      kind: "password",
      is: (secret) => /\d/.test(secret),
    },
    {
      form: /password[ \t](?:is|was|set to|reset to|was reset to|has been set to|is now)[ \t]{0,2}:?[ \t]{0,4}["'`]?([^\s"'`]{6,128})/iy,
      kind: "password",
      is: hasBoth,
    },
    FOR,
    {
      form: /(?<=\b(?:and|with|the|using)[ \t])password[ \t]["'`]?([^\s"'`]{8,128})/iy,
      kind: "password",
      is: hasBoth,
    },
  ],
  passphrase: [FOR, IS],
  token: [IS, { form: /token[ \t]["'`]?([\w.~+/=-]{16,512})/iy, kind: "token", is: isMixed }],
  secret: [IS],
  key: [IS],
  apikey: [{ form: /apikey[ \t]{1,8}["'`]?([\w.~+/=-]{16,512})/iy, kind: "token", is: isMixed }],
  following: [
    {
      form: /following[ \t](?:\w{1,16}[ \t]){0,2}(?:password|token|key|secret)(?:[ \t][^\n:]{1,60})?:\s{1,8}([^\s"']{8,256})/iy,
      kind: "password",
      begun:
        /following[ \t](?:\w{1,16}[ \t]){0,2}(?:password|token|key|secret)(?:[ \t][^\n:]{1,60})?:\s{1,8}\S{0,256}$/iy,
      is: isRandom,
    },
  ],
  nmcli: [{ form: /nmcli[^\n|;]{1,200}?[ \t]password[ \t]{1,4}["']?([^\s"']{4,128})/y, kind: "password" }],
  requirepass: [{ form: /requirepass[ \t]{1,8}["']?([^\s"']{4,256})/y, kind: "password" }],
  masterauth: [{ form: /masterauth[ \t]{1,8}["']?([^\s"']{4,256})/y, kind: "password" }],
  auth: [
    {
      form: /(?<=^|[>:"'][ \t]?)AUTH[ \t]{1,4}(?:[\w.-]{1,32}[ \t]{1,4})?["']?([^\s"']{8,512})(?=["']?[ \t]*(?:\r?\n|$))/my,
      kind: "password",
      is: hasBoth,
    },
  ],
  pass: [{ form: /(?<=[>:][ \t])PASS[ \t](\S{6,128})(?=\r?\n|$)/my, kind: "password", is: hasBoth }],
  rclone: [{ form: /rclone[ \t]{1,4}obscure[ \t]{1,4}["']?([^\s"'-][^\s"']{2,256})/y, kind: "password" }],
  net: [
    {
      form: /net[ \t]{1,4}use[ \t][^\n]{0,120}?\/user:\S{1,64}[ \t]{1,4}["']?([^\s"'/*][^\s"']{2,128})/iy,
      kind: "password",
    },
    {
      form: /net[ \t]{1,4}user[ \t]{1,4}[^\s/]{1,64}[ \t]{1,4}([^\s"'/*][^\s"']{3,128})[ \t]{1,4}\/add/iy,
      kind: "password",
    },
  ],
  fly: [SECRETS_SET],
  flyctl: [SECRETS_SET],
  doppler: [SECRETS_SET],
  supabase: [SECRETS_SET],
  pulumi: [
    {
      form: /pulumi[ \t]{1,4}config[ \t]{1,4}set[ \t][^\n|;]{0,80}?--secret[ \t]{1,4}(?:[\w:.-]{1,64}[ \t]{1,4})?["']?([^\s"'-][^\s"']{3,256})/y,
      kind: "token",
    },
  ],
  config: [
    {
      form: /config(?:[ \t]{1,4}--?[\w=-]{1,20}){0,3}[ \t]{1,4}([\w.:/@-]{2,100})[ \t]{1,4}["']?([^\s"']{4,512})/y,
      kind: "token",
      is: isNamed,
    },
  ],
  "add-authtoken": [{ form: /add-authtoken[ \t]{1,4}(\w{20,80})/y, kind: "token" }],
  encrypt_string: [
    { form: /encrypt_string[ \t]{1,4}(?:--?[\w=-]{1,40}[ \t]{1,4}){0,3}["']([^"'\n]{4,256})["']/y, kind: "password" },
  ],
  chpasswd: [
    {
      form: /chpasswd(?:[ \t]{1,4}-\w{1,4}){0,2}[ \t]{0,4}<<<[ \t]{0,4}["']?[\w.-]{1,64}:([^\s"']{3,128})/y,
      kind: "password",
    },
  ],
  sudo: [{ form: /sudo[ \t][^\n|;<]{0,80}<<<[ \t]{0,4}["']?([^\s"']{3,128})/y, kind: "password" }],
  expdp: [ORACLE_LOGIN],
  impdp: [ORACLE_LOGIN],
  rman: [ORACLE_LOGIN],
  sqlldr: [ORACLE_LOGIN],
  identified: [
    {
      form: /identified[ \t]{1,4}(?:with[ \t]{1,4}\S{1,40}[ \t]{1,4})?(?:by|as)[ \t]{1,4}(?:password[ \t]{1,4})?["']([^"'\n]{3,256})["']/iy,
      kind: "password",
    },
  ],
  set: [SET_PASSWORD, SET],
  setenv: [SET],
  setx: [SET],
  env: [{ form: /env[ \t]{1,4}(\w{2,100})[ \t]{1,8}["']?([^\s"'=]{4,512})/iy, kind: "token", is: isNamed }],
  echo: [
    {
      form: /echo(?:[ \t]{1,4}-[neE]{1,3})?[ \t]{1,4}["']?([^\s"'|]{4,256})["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t][^|\n]{0,40}?-\w{0,4}S|[\w./ -]{1,80}(?:--password-stdin|--with-token|chpasswd|--stdin))/y,
      kind: "password",
    },
  ],
  vault: [
    {
      form: /vault[ \t]{1,4}(?:kv[ \t]{1,4}(?:put|patch)|write)(?:[ \t]{1,4}-[\w=-]{1,30}){0,3}[ \t]{1,4}(?:secret|kv)[\w./-]{0,128}[ \t]{1,4}[\w.-]{1,64}=["']?([^\s"'@][^\s"']{3,512})/y,
      kind: "token",
    },
    { form: /vault[ \t]{1,4}login[ \t]{1,4}(?:-[\w=-]{1,30}[ \t]{1,4}){0,3}([\w.]{16,256})/y, kind: "token" },
  ],
  htpasswd: [
    {
      form: /htpasswd[ \t]{1,4}-(?=\w{0,6}n)\w{0,6}b\w{0,6}[ \t]{1,4}(?:-C[ \t]{0,2}\d{1,2}[ \t]{1,4})?\S{1,64}[ \t]{1,4}["']?([^\s"']{3,128})/y,
      kind: "password",
    },
    {
      form: /htpasswd[ \t]{1,4}-\w{0,6}b\w{0,6}[ \t]{1,4}(?:-C[ \t]{0,2}\d{1,2}[ \t]{1,4})?\S{1,128}[ \t]{1,4}\S{1,64}[ \t]{1,4}["']?([^\s"']{3,128})/y,
      kind: "password",
    },
  ],
  sqlplus: [
    { form: /sqlplus[ \t]{1,4}(?:-\w{1,4}[ \t]{1,4}){0,3}["']?[\w.]{1,64}\/([^\s@"'/]{3,128})/y, kind: "password" },
  ],
  rabbitmqctl: [
    {
      form: /rabbitmqctl[ \t]{1,4}(?:add_user|change_password)[ \t]{1,4}\S{1,64}[ \t]{1,4}["']?([^\s"']{3,128})/y,
      kind: "password",
    },
  ],
  wpa_passphrase: [{ form: /wpa_passphrase[ \t]{1,4}\S{1,64}[ \t]{1,4}["']?([^\s"']{8,63})/y, kind: "password" }],
};

/** As long as the longest beginning. */
const BEGUN_MAX = 512;

export const PHRASE_WORDS: readonly string[] = Object.keys(PHRASES);

/** At a word that may announce a secret. */
export function phraseAt(text: string, at: number, word: string, found: Findings): void {
  for (const { form, kind, begun, is } of PHRASES[word] ?? []) {
    if (begun && text.length - at < BEGUN_MAX) {
      begun.lastIndex = at;
      const line = begun.test(text) ? text.indexOf("\n", at) : -1;
      if (line >= 0) found.open(text[line - 1] === "\r" ? line - 1 : line);
    }
    form.lastIndex = at;
    const match = form.exec(text);
    if (!match) continue;
    const groups = match.slice(1).filter((group) => group !== undefined);
    const secret = groups.at(-1) ?? "";
    const from = at + match[0].lastIndexOf(secret);
    if (from + secret.length >= text.length) found.open(from);
    if (isPlaceholder(secret.replace(/^["']|["';]+$/g, "")) || is?.(secret, groups[0] ?? "") === false) continue;
    return report(text, found, { kind, from, to: from + secret.length });
  }
}

/** `host:5432:database:user:PASSWORD`, a line of .pgpass; `at` is the first colon. */
const PGPASS = /:(?:54\d\d|64\d\d|\*):([^:\s/]{1,64}):([^:\s/]{1,64}):([^\s:]{3,128})/y;

export function pgpassAt(text: string, at: number, found: Findings): void {
  PGPASS.lastIndex = at;
  const [, database = "", , secret = ""] = PGPASS.exec(text) ?? [];
  if (secret === "" || /^\d+$/.test(database) || isPlaceholder(secret)) return;
  report(text, found, { kind: "password", from: PGPASS.lastIndex - secret.length, to: PGPASS.lastIndex });
}
