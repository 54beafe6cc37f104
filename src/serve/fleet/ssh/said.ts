// Why ssh ended, from its own words, and what a person does about it. What the other machine says is quoted. Pure.

/** What was told beside answers, by ssh itself and by whatever is over there. */
export interface Said {
  readonly ssh: string;
  readonly there: string;
}

interface Why {
  readonly why: string;
  /** gone: trying again may help. refused: somebody has to do something first. */
  readonly reach: "gone" | "refused";
}

const GOODBYE = /^(?:Received disconnect|Disconnected) from /m;
const KEY_CHANGED = /REMOTE HOST IDENTIFICATION HAS CHANGED/;
const OFFENDING = /^(?:Offending|Add correct) .*$/gm;
const KEY_UNKNOWN = /Host key verification failed|No \S+ host key is known/;
const DENIED = /^.*Permission denied \(.*$/m;
/** A person's own options for ssh are among it. */
const WHY_CHARS_MAX = 1_000;

/** `words`: ssh as it was called, with the person's own options and the other side. */
export function readSaid(said: Said, words: readonly string[]): Why {
  // From here on ssh hands on the server's own words.
  const [own = "", ...goodbye] = said.ssh.split(GOODBYE);
  const plain = plainOf(own);
  const refused = (...said: readonly string[]): Why => ({
    why: said
      .map((one) => one.replace(/\.$/, ""))
      .filter(Boolean)
      .join("; ")
      .slice(0, WHY_CHARS_MAX),
    reach: "refused",
  });
  const ssh = words
    .filter((word) => word !== "--")
    .map(quoted)
    .join(" ");
  if (KEY_CHANGED.test(plain)) {
    const [offending = "Host key verification failed."] = plain.match(OFFENDING)?.slice(-1) ?? [];
    return refused("its host key has changed: remote host identification has changed", offending.trim(), `see: ${ssh}`);
  }
  if (KEY_UNKNOWN.test(plain))
    return refused(`${lastLine(plain)}`, `its key is not known here: look at it once with ${ssh}`);
  const [denied] = DENIED.exec(plain) ?? [];
  if (denied !== undefined)
    return refused(denied.trim(), "duetty types no password: let ssh in with a key (ssh-copy-id) or an ssh-agent");
  const there = lastLine(plainOf(goodbye.join(" "))) || lastLine(plainOf(said.there));
  const why = lastLine(plain) || (there && `it said "${there}"`);
  return { why: why.slice(0, WHY_CHARS_MAX), reach: "gone" };
}

function plainOf(text: string): string {
  return text.replace(/[^\S\n]+|[\p{Cc}\p{Cf}](?<!\n)/gu, " ");
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function lastLine(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return (lines.at(-1) ?? "").trim();
}
