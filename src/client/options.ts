// What a function may be given. A name that it does not know is a slip, which would otherwise count as the default.
import { CallError } from "./client.ts";

export function checkOptions(of: string, given: object, known: Readonly<Record<string, true>>): void {
  const strange = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  if (strange.length === 0) return;
  const message = `${of} has no option ${strange.join(", ")}`;
  throw new CallError({ code: "option.unknown", message, hint: `It has ${Object.keys(known).join(", ")}.` });
}
