// Which names promise a secret: DB_PASSWORD, apiKey, x-auth-token; not secretName, primaryKey, max_tokens. Pure.
// The last word of a name decides, because it says what the value is.

/** A password may be any word. What else is secret was made by a machine and looks like it. */
export type Promised = "password" | "token";

export interface SecretName {
  readonly promise: Promised;
  /** The name is this one word, which prose uses, too: `token: expired`. */
  readonly lone: boolean;
}

const PASSWORDS =
  /(?:password|passwd|passphrase|passcode|passwort|kennwort|(?:ssh|store|key|user|db|root)pass|^pass|^pwd|^pw)$/;
const TOKENS =
  /(?:secret|token|apikey|apitoken|accesskey|secretkey|privatekey|accountkey|sharedkey|signingkey|encryptionkey|masterkey|^credentials?|^jwt|^psk|^mnemonic)$/;
/** Before "key": a key that opens something. A primary, public, cache or sort key does not. */
const KEYS =
  /^(?:api|access|secret|private|auth|account|shared|preshared|encryption|encrypt|signing|sign|signature|master|service|app|application|admin|client|deploy|subscription|license|licence|write|jwt|hmac|aes|crypto|root|unseal|webhook|integration|ingest|publish|server|consumer|session|cookie|token|host)$/;
/** Before "token": a place in a list or a unit of text. */
const NO_TOKENS =
  /^(?:next|page|continuation|pagination|max|min|num|total|prompt|completion|eos|bos|pad|unk|cls|sep|mask|special|input|output|cached|cancellation|cancel|start|end|stop|last|first|unexpected|invalid|unknown|lookahead|reasoning|per|syntax|sync|design)$/;
/** What may follow the deciding word and changes nothing. */
const TRAILING =
  /^(?:\d+|value|val|prod|production|dev|test|staging|live|base|base64|b64|data|new|old|current|default|plain|raw|text|str|string|main|primary|secondary)$/;
/** Names in a URL's query that are secret only there. */
const QUERY = /^(?:sig|signature|key|auth|code|sas|hmac|x-amz-signature|x-goog-signature|x-amz-credential|st)$/i;
/** Longer names are no names. */
export const NAME_MAX = 64;

/** What a name promises. `before` is the word in front of it, for "API key: …". */
export function promiseOf(name: string, before = ""): SecretName | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && TRAILING.test(words.at(-1) ?? "")) words.pop();
  const last = (words.pop() ?? "").replace(/\d+$/, "");
  const previous = words.at(-1) ?? before.toLowerCase();
  const lone = words.length === 0;
  if (PASSWORDS.test(last)) return { promise: "password", lone };
  if (last === "key" || last === "keys") return KEYS.test(previous) ? { promise: "token", lone: false } : undefined;
  if (last === "auth") return words.length > 0 || name.startsWith("_") ? { promise: "token", lone } : undefined;
  if (last === "pat") return words.length > 0 ? { promise: "token", lone } : undefined;
  if (!TOKENS.test(last) || NO_TOKENS.test(previous) || /^cancellation/.test(last)) return undefined;
  return { promise: "token", lone };
}

export function isSecretInQuery(name: string): boolean {
  return QUERY.test(name);
}

/** `DB_PASSWORD`, `db.password`, `dbPassword` → db, password. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
