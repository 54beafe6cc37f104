// Makes the shell inside of a session's program mark its commands, by a person's wish.
import type { ActionsPage } from "../app/page-state.ts";
import { call, isFault } from "../wire/api.ts";

export async function integrate({ info, toasts, focus }: ActionsPage): Promise<void> {
  const session_id = info()?.session_id;
  if (session_id === undefined) return;
  const answer = await call("integrate", { session_id });
  if (isFault(answer)) toasts.fault(answer);
  focus();
}
