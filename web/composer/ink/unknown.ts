// Which commands of the written line the session's shell would not find. Owns: what was said of each name at this prompt; every name
// is asked about once, and again after a pause, and none while it is still being written. Refuses: to guess; what nobody can tell
// has no mark.
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import { call, isFault } from "../../wire/api.ts";
import type { Called } from "./pieces.ts";

/** Who stops this long has written the name to its end. */
const PAUSE_MS = 600;

/** `prompt` changes with each prompt of the shell. */
export function createUnknown(
  session_id: string,
  prompt: Accessor<string>,
  called: Accessor<readonly Called[]>,
): Accessor<ReadonlySet<string>> {
  const [unknown, setUnknown] = createSignal<ReadonlySet<string>>(new Set());
  /** How often each was asked about. */
  let asked = new Map<string, number>();
  createEffect(
    on(prompt, () => {
      asked = new Map();
      setUnknown(new Set<string>());
    }),
  );

  /** The shell may not have been at its prompt yet, so after a pause it is asked again. */
  async function ask(names: readonly string[], times: number): Promise<void> {
    const [fresh, mine] = [names.filter((name) => (asked.get(name) ?? 0) < times), asked];
    if (fresh.length === 0) return;
    for (const name of fresh) asked.set(name, (asked.get(name) ?? 0) + 1);
    const answer = await call("unknown_commands", { session_id, names: fresh });
    // Another prompt may know more.
    if (!isFault(answer) && mine === asked) setUnknown((before) => new Set([...before, ...answer.unknown]));
  }

  createEffect(
    on([called, prompt], ([all]) => {
      void ask(
        all.flatMap(({ name, isWritten }) => (isWritten ? [name] : [])),
        1,
      );
      const timer = setTimeout(
        () =>
          void ask(
            all.map(({ name }) => name),
            2,
          ),
        PAUSE_MS,
      );
      onCleanup(() => clearTimeout(timer));
    }),
  );
  return unknown;
}
