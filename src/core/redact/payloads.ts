// Secrets in what OSC sequences carry: titles, folders, links and, in base64, the clipboard. Pure.

const CLIPBOARD = /^52;[^;]{0,16};([A-Za-z0-9+/=]+)/;
/** No secret is shorter, with the number of its OSC. */
const SHORTEST = 8;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The payload without secrets. A clipboard that holds one is emptied: what is in it cannot be shown in part. */
export function redactedPayload(payload: string, redact: (text: string) => string): string {
  if (payload.length < SHORTEST) return payload;
  const clipboard = CLIPBOARD.exec(payload)?.[1];
  if (clipboard === undefined) return redact(payload);
  const text = decoded(clipboard);
  return redact(text) === text ? payload : payload.replace(clipboard, "");
}

/** Base64 as text of one byte per character: the rules know only ASCII. */
function decoded(base64: string): string {
  let [text, bits, count] = ["", 0, 0];
  for (const letter of base64) {
    const value = LETTERS.indexOf(letter);
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    text += String.fromCharCode((bits >> count) & 255);
  }
  return text;
}
