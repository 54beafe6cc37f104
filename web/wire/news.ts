// Long polling for changes in the daemon. Listeners then ask for what they show. It continues
// while the page is hidden, because a person may be needed.
import { backoffMs } from "../../src/client/backoff.ts";
import { call, isFault } from "./api.ts";

/** Shorter than what proxies allow; the daemon answers at once when something happens. */
const WAIT_MS = 25_000;

export function listenForNews(onChange: () => void): () => void {
  const leave = new AbortController();
  let [since, attempt, asking] = [0, 0, false];
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function ask(): Promise<void> {
    if (asking || leave.signal.aborted) return;
    asking = true;
    const answer = await call("news", { since, timeout_ms: since === 0 ? 0 : WAIT_MS }, leave.signal);
    asking = false;
    if (leave.signal.aborted) return;
    if (isFault(answer)) {
      onChange();
      retry = setTimeout(ask, backoffMs(attempt, Math.random()));
      attempt += 1;
      return;
    }
    attempt = 0;
    if (answer.seq !== since) onChange();
    since = answer.seq;
    void ask();
  }

  const seen = () => {
    if (document.hidden) return;
    clearTimeout(retry);
    // We do not know what happened meanwhile.
    since = 0;
    void ask();
  };
  document.addEventListener("visibilitychange", seen, { signal: leave.signal });
  window.addEventListener("online", seen, { signal: leave.signal });
  void ask();
  return () => {
    clearTimeout(retry);
    leave.abort();
  };
}
