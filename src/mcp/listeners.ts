// Which screens a client of revision 2026 listens to. The SDK answers these requests itself and tells us nothing, so we
// read them on the way. Owns: the screens of each open request.
import type { Watches } from "./watches.ts";

export class Listeners {
  #watches: Watches;
  #open = new Map<unknown, { readonly uris: readonly string[] }>();

  constructor(watches: Watches) {
    this.#watches = watches;
  }

  onMessage(message: object): void {
    const { method, id, params } = message as { method?: unknown; id?: unknown; params?: unknown };
    if (method === "subscriptions/listen" && id !== undefined) this.#begin(id, listenedTo(params));
    if (method === "notifications/cancelled") this.#end((params as { requestId?: unknown } | undefined)?.requestId);
  }

  #begin(id: unknown, uris: readonly string[]): void {
    this.#end(id);
    const listener = { uris };
    this.#open.set(id, listener);
    this.#watches.add(uris, listener);
  }

  #end(id: unknown): void {
    const listener = this.#open.get(id);
    if (!listener) return;
    this.#open.delete(id);
    this.#watches.remove(listener.uris, listener);
  }
}

/** The screens that a request listens to. */
export function listenedTo(params: unknown): string[] {
  const { notifications } = (params ?? {}) as { notifications?: { resourceSubscriptions?: unknown } };
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}
