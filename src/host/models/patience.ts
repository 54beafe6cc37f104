// A fetch that gives up on silent servers and endless answers, and never carries a key to another address. Owns: one
// timer for each request.
import type { Clock } from "../../core/base/clock.ts";

/** Providers ping every few seconds while a model thinks; a local model may take this long to load. */
export const MODEL_IDLE_MS_MAX = 120_000;

/** Today's longest answers, 128,000 tokens with an event of 300 bytes each, are 38 MB. */
const ANSWER_BYTES_MAX = 64 << 20;

/** Nothing came for too long. */
export class Silence extends Error {}

export function patientFetch(clock: Clock): typeof globalThis.fetch {
  return async (input, init) => {
    const { signal, onBytes, over } = watched(clock, init?.signal ?? undefined);
    try {
      // A redirect would be followed with the key's header, wherever it leads.
      const response = await fetch(input, { ...init, signal, redirect: "manual" });
      onBytes();
      if (!response.body) over();
      const body = response.body && listened(response.body, onBytes, over);
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      over();
      throw error;
    }
  };
}

function watched(clock: Clock, stop: AbortSignal | undefined) {
  const control = new AbortController();
  const stopped = () => control.abort(stop?.reason);
  const silent = () => control.abort(new Silence(`no answer for ${MODEL_IDLE_MS_MAX / 1_000} seconds`));
  let cancel = clock.after(MODEL_IDLE_MS_MAX, silent);
  stop?.addEventListener("abort", stopped, { once: true });
  if (stop?.aborted) stopped();
  return {
    signal: control.signal,
    onBytes() {
      cancel();
      cancel = clock.after(MODEL_IDLE_MS_MAX, silent);
    },
    over() {
      cancel();
      stop?.removeEventListener("abort", stopped);
    },
  };
}

function listened(body: ReadableStream<Uint8Array>, onBytes: () => void, over: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        bytes += value?.length ?? 0;
        if (bytes > ANSWER_BYTES_MAX) {
          await reader.cancel();
          throw new Error(`the answer is larger than ${ANSWER_BYTES_MAX >> 20} MiB`);
        }
        if (!done) {
          onBytes();
          return controller.enqueue(value);
        }
        over();
        controller.close();
      } catch (error) {
        over();
        controller.error(error);
      }
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
}
