// The text of an answer that waits for a person, in the same words for every tool. Pure.

const PENDING = "approval_pending";

/** `why`: why a person is asked, and how to come back. `head`: how it stands, with what else is known. */
export function pendingText(approval_id: unknown, why: string | undefined, head = PENDING): string {
  return [head, `approval ${approval_id ?? "?"}`, ...(why ? [why] : [])].join("\n");
}

/** Where a person finds the question. */
export function answeredAt(hint: string, url: string | undefined): string {
  return url === undefined ? hint : `${hint} They answer at ${url}`;
}
