// A token as a browser can send it: its sockets take one only as the name of a protocol. Refuses: to repeat what it was given, as
// browsers do when they complain.
import { CallError } from "./client.ts";

/** What the name of a protocol may have. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]*$/;

/** Without the blanks around it: files end with a line break. */
export function sendable(token: string): string {
  const bare = token.trim();
  if (TOKEN.test(bare)) return bare;
  const message = "this token has blanks or other characters that no token of ours has";
  throw new CallError({ code: "input.invalid", message, hint: "Copy the whole of it again." });
}
