// Which names promise a secret: DB_PASSWORD, apiKey, x-auth-token; not secretName, primaryKey, max_tokens. Pure.
// The last word of a name decides, because it says what the value is.

/** A password may be any word. What else is secret was made by a machine and looks like it. */
export type Promised = "password" | "token";

export interface SecretName {
  readonly promise: Promised;
  /** The name is this one word, which prose uses, too: `token: expired`. */
  readonly lone: boolean;
  /** The name alone says little: the value must look random. */
  readonly vague: boolean;
}

/** Whole words, and words that others end in: dbpassword. */
const PASSWORDS = {
  whole: "pass pwd pw",
  ends: "password passwd passphrase passcode passwort kennwort sshpass storepass keypass userpass dbpass rootpass",
};
const TOKENS = {
  whole: "credential credentials jwt psk mnemonic",
  ends: "secret token apikey accesskey secretkey privatekey accountkey sharedkey signingkey encryptionkey masterkey",
};
/** Before "key": a key that opens something. A primary, public, cache or sort key does not. */
const KEYS = wholly(
  "api access secret private auth account shared preshared encryption encrypt signing sign signature master service app " +
    "application admin client deploy subscription license licence write jwt hmac aes crypto root unseal webhook integration " +
    "ingest publish server consumer session cookie token host",
);
/** Before "key": what has nothing to hide. Other keys of variables and headers are vague: STRIPE_KEY, X-Functions-Key. */
const NO_KEYS = wholly(
  "public pub primary foreign sort partition cache composite unique index map hash object row group order idempotency " +
    "routing shard lookup translation feature message socket registry hot short known",
);
/** Before "token": a place in a list or a unit of text. */
const NO_TOKENS = wholly(
  "next page continuation pagination max min num total prompt completion eos bos pad unk cls sep mask special input output " +
    "cached cancellation cancel start end stop last first unexpected invalid unknown lookahead reasoning per syntax sync design",
);
/** What may follow the deciding word and changes nothing. */
const TRAILING =
  "value val prod production dev test staging live base base64 b64 data new old current default plain raw text str string " +
  "main primary secondary";
/** Names in a URL's query that are secret only there. */
const IN_QUERY = "sig signature key auth code sas hmac x-amz-signature x-goog-signature x-amz-credential st";
/** Headers with values of their own form (headers.ts). */
const HEADERS = "authorization cookie";

const IS_PASSWORD = endingIn(PASSWORDS);
const IS_TOKEN = endingIn(TOKENS);
const IS_TRAILING = wholly(TRAILING);
const IS_IN_QUERY = wholly(IN_QUERY);

/** Variables and headers: STRIPE_KEY, X-Functions-Key. */
const IS_LOUD = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$|^[A-Za-z][\w]*-[\w-]+$/;

function wholly(words: string): RegExp {
  return new RegExp(`^(?:${words.replaceAll(" ", "|")})$`, "i");
}

function endingIn({ whole, ends }: { readonly whole: string; readonly ends: string }): RegExp {
  return new RegExp(`^(?:${whole.replaceAll(" ", "|")})$|(?:${ends.replaceAll(" ", "|")})$`);
}

/** The last three letters of all names that promise something, by a hash: most separators are done with here. */
const ENDINGS = new Uint8Array(1 << 15);
const LAST_WORDS = [
  PASSWORDS.whole,
  PASSWORDS.ends,
  TOKENS.whole,
  TOKENS.ends,
  TRAILING,
  IN_QUERY,
  HEADERS,
  "key keys pat auth name variable property setting option",
  "tokens secrets passwords",
];
for (const word of LAST_WORDS.join(" ").split(" ")) if (word.length > 2) ENDINGS[hashBefore(word, word.length)] = 1;

/** Of the three letters before a place, large or small. */
function hashBefore(text: string, to: number): number {
  const [a, b, c] = [text.charCodeAt(to - 3) | 32, text.charCodeAt(to - 2) | 32, text.charCodeAt(to - 1) | 32];
  return (a * 961 + b * 31 + c) & 0x7fff;
}

/** Whether the last letters before a place are those of a name that promises something. */
export function endsPromising(text: string, to: number): boolean {
  return to > 2 && ENDINGS[hashBefore(text, to)] === 1;
}

/** Whether a name that ends here may promise something. Digits at its end do not count, and a word of two letters may. */
export function mayPromise(text: string, to: number): boolean {
  let end = to;
  while (to - end < 3 && isDigit(text.charCodeAt(end - 1))) end -= 1;
  if (end < 2) return false;
  return (end > 2 && ENDINGS[hashBefore(text, end)] === 1) || !isLetter(text.charCodeAt(end - 3));
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Longer names are no names. */
export const NAME_MAX = 64;

/** What a name promises. `before` is the word in front of it, for "API key: …". */
export function promiseOf(name: string, before = ""): SecretName | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && isTrailing(words.at(-1) ?? "")) words.pop();
  const last = (words.pop() ?? "").replace(/\d+$/, "");
  const previous = words.at(-1) ?? before.toLowerCase();
  const lone = words.length === 0;
  const token = { promise: "token", lone, vague: false } as const;
  if (IS_PASSWORD.test(last)) return { promise: "password", lone, vague: false };
  if (last === "key" || last === "keys") {
    if (KEYS.test(previous)) return { ...token, lone: false };
    return IS_LOUD.test(name) && !NO_KEYS.test(previous) ? { ...token, vague: true } : undefined;
  }
  if (last === "auth") return { ...token, vague: lone && !name.startsWith("_") };
  // More than one: TOKENS="…". Prose and programs count them, too.
  if (/^(?:tokens|secrets|passwords|apikeys)$/.test(last))
    return NO_TOKENS.test(previous) ? undefined : { ...token, vague: true };
  if (last === "pat") return lone ? undefined : token;
  if (!IS_TOKEN.test(last) || NO_TOKENS.test(previous) || /^cancellation/.test(last)) return undefined;
  return token;
}

export function isSecretInQuery(name: string): boolean {
  return IS_IN_QUERY.test(name);
}

function isTrailing(word: string): boolean {
  return /^\d+$/.test(word) || IS_TRAILING.test(word);
}

/** `DB_PASSWORD`, `db.password`, `dbPassword` → db, password. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
