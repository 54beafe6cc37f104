// Headers whose value has a form of its own: Authorization and cookies. Pure.
import { type Findings, report } from "../finding.ts";
import { isPlaceholder, looksRandom } from "./values.ts";

const AUTHORIZATION = /^(?:proxy-)?authorization$/i;
const COOKIE = /^(?:set-)?cookie$/i;
const SCHEME =
  /[ \t]{0,4}\\?["']?(?:(?:Basic|Bearer|Token|Api-?Key|Key|Negotiate|NTLM|SSWS|GenieKey|OAuth|Splunk|DPoP|JWT|Zoho-oauthtoken)[ \t]{1,4})?/iy;
const CREDENTIAL = /[\w.~+/=:%!@#*-]{1,8000}/y;
/** What signs a request, among other fields. */
const SIGNED = /(?:Signature|response|oauth_signature|oauth_token)="?([A-Za-z0-9+/=%_-]{16,512})/g;
const PAIR = /([\w.$!-]{1,64})=("?)([^;\s"',]{1,4096})/g;
/** Cookies that say who somebody is. */
const SIGN_IN =
  /sess|sid$|^sid|auth|token|jwt|csrf|xsrf|remember|login|secret|credential|access|identity|\.sid|^__(?:secure|host)-/i;
/** How far a header's line is read. */
const LINE_MAX = 8192;

export function isHeader(name: string): boolean {
  return AUTHORIZATION.test(name) || COOKIE.test(name);
}

/** Returns the end of the line. */
export function headerValue(text: string, from: number, name: string, found: Findings): number {
  if (COOKIE.test(name)) cookies(text, from, found);
  else authorization(text, from, found);
  return from + lineFrom(text, from).length;
}

/** `Bearer TOKEN` where no header is named. */
export function bearerAt(text: string, at: number, found: Findings): void {
  credential(text, at + "Bearer ".length, found, (value) => value.length >= 16 && /\d/.test(value));
}

function authorization(text: string, from: number, found: Findings): void {
  const line = lineFrom(text, from);
  for (const signed of line.matchAll(SIGNED)) {
    const to = from + signed.index + signed[0].length;
    report(text, found, { kind: "authorization", from: to - (signed[1]?.length ?? 0), to });
  }
  SCHEME.lastIndex = from;
  if (!SCHEME.test(text)) return;
  const at = SCHEME.lastIndex;
  const hasScheme = /[A-Za-z][ \t]+$/.test(text.slice(Math.max(from, at - 8), at));
  credential(text, at, found, (value) => (hasScheme ? value.length >= 4 : value.length >= 8 && looksRandom(value)));
}

function credential(text: string, at: number, found: Findings, is: (value: string) => boolean): void {
  CREDENTIAL.lastIndex = at;
  if (!CREDENTIAL.test(text)) return;
  const to = CREDENTIAL.lastIndex;
  const value = text.slice(at, to);
  if (to >= text.length) found.open(at);
  // Fields of a signed request are found one by one.
  if (
    isPlaceholder(value) ||
    value.includes("://") ||
    /^[A-Za-z_]+="?[^=\s"]/.test(text.slice(at, at + 32)) ||
    !is(value)
  )
    return;
  report(text, found, { kind: "authorization", from: at, to });
}

function cookies(text: string, from: number, found: Findings): void {
  for (const pair of lineFrom(text, from).matchAll(PAIR)) {
    const [whole, name = "", , value = ""] = pair;
    const to = from + pair.index + whole.length;
    if (to >= text.length) found.open(to - value.length);
    if (/^(?:path|domain|expires|max-age|samesite|priority)$/i.test(name) || isPlaceholder(value)) continue;
    if (SIGN_IN.test(name) ? value.length >= 6 : value.length >= 20 && looksRandom(value))
      report(text, found, { kind: "cookie", from: to - value.length, to });
  }
}

function lineFrom(text: string, from: number): string {
  const look = text.slice(from, from + LINE_MAX);
  const end = look.indexOf("\n");
  return end < 0 ? look : look.slice(0, end);
}
