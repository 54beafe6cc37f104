// The link that this page came by. Its address says which: a browser may have come by several. The owner's page came by none.
import { type Fault, isFault, post } from "./api.ts";

/** Takes the link's secret out of the address, where it would be seen, kept and copied. */
export function takeSecret(): string {
  const secret = location.hash.slice(1);
  if (secret !== "") history.replaceState(null, "", location.pathname);
  return secret;
}

/** Shows the secret once. From then on this browser has a cookie of its own for this link. */
export async function redeem(secret: string): Promise<Fault | undefined> {
  const answer = await post<object>(location.pathname, { secret });
  return isFault(answer) ? answer : undefined;
}
