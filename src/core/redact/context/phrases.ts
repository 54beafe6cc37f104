// Secrets that a word announces without a separator: netrc, SQL, `setenv NAME VALUE`, `echo PW | sudo -S`, prose. Pure.
// Each word has a form of bounded length; its last group that matched is the secret.
import { type Findings, report } from "../finding.ts";
import { promiseOf } from "./names.ts";
import { isPlaceholder, isSecret } from "./values.ts";

interface Phrase {
  readonly form: RegExp;
  readonly kind: string;
  /** By what is taken: the secret, and a name before it. */
  is?(secret: string, name: string): boolean;
}

const hasSymbol = (secret: string) => /[^A-Za-z.,;:!?)]/.test(secret);
const isNamed = (secret: string, name: string) => {
  const promised = promiseOf(name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf(":")) + 1));
  return (
    promised !== undefined && isSecret(secret, promised.promise, promised.lone || promised.vague ? "prose" : "tight")
  );
};

const SET: Phrase = {
  form: /set(?:env|x)?(?:[ \t]{1,4}-{1,2}[\w-]{1,20}){0,4}[ \t]{1,4}([\w.:/@-]{2,100})[ \t]{1,8}["']?([^\s"']{4,512})/iy,
  kind: "token",
  is: isNamed,
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
      is: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret),
    },
  ],
  identified: [
    {
      form: /identified[ \t]{1,4}(?:with[ \t]{1,4}\S{1,40}[ \t]{1,4})?(?:by|as)[ \t]{1,4}(?:password[ \t]{1,4})?["']([^"'\n]{3,256})["']/iy,
      kind: "password",
    },
  ],
  set: [SET],
  setenv: [SET],
  setx: [SET],
  env: [{ form: /env[ \t]{1,4}(\w{2,100})[ \t]{1,8}["']?([^\s"'=]{4,512})/iy, kind: "token", is: isNamed }],
  echo: [
    {
      form: /echo(?:[ \t]{1,4}-[neE]{1,3})?[ \t]{1,4}["']?([^\s"'|]{4,256})["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t][^|\n]{0,40}?-\w{0,4}S|[\w./ -]{1,80}(?:--password-stdin|--with-token|chpasswd|--stdin))/y,
      kind: "password",
    },
  ],
  vault: [{ form: /vault[ \t]{1,4}login[ \t]{1,4}(?:-[\w=-]{1,30}[ \t]{1,4}){0,3}([\w.]{16,256})/y, kind: "token" }],
  htpasswd: [
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

export const PHRASE_WORDS: readonly string[] = Object.keys(PHRASES);

/** At a word that may announce a secret. */
export function phraseAt(text: string, at: number, word: string, found: Findings): void {
  for (const { form, kind, is } of PHRASES[word] ?? []) {
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
