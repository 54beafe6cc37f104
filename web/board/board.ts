// What is on the board, and what is done there. Owns: which card is reached by keys. Refuses: to draw, to decide columns.
import { type Accessor, createMemo, createSignal } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { PageState } from "../app/page-state.ts";
import { diffAddress } from "../sessions/address.ts";
import { call, isFault } from "../wire/api.ts";
import { type Arrow, type Card, COLUMNS, type Column, columnsOf, stepFrom } from "./columns.ts";

interface Board {
  /** Column by column. */
  readonly all: Accessor<readonly Card<SessionInfo>[]>;
  idsIn(column: Column): string[];
  card(id: string): Card<SessionInfo> | undefined;
  /** The card that Tab leads to. */
  readonly reached: Accessor<string | undefined>;
  reach(id: string | undefined): void;
  putAway(session: SessionInfo): Promise<void>;
  /** What a key does here. */
  keyed(key: string): (() => void) | undefined;
}

/** `focus`: an arrow leads to this card. `add`: somebody wants a new task. */
export function createBoard(page: PageState, doing: { focus(id: string | undefined): void; add(): void }): Board {
  const { sessions, needs } = page;
  const [at, setAt] = createSignal<string>();
  const needsOf = (id: string) => needs.all().filter(({ session_id }) => session_id === id);
  const columns = createMemo(() => columnsOf([...sessions.running(), ...sessions.ended()], needsOf));
  const all = createMemo(() => COLUMNS.flatMap((column) => columns()[column]));
  const card = (id: string) => all().find(({ session }) => session.session_id === id);
  const reached = () => (card(at() ?? "") ? at() : all()[0]?.session.session_id);
  const idsIn = (column: Column) => columns()[column].map(({ session }) => session.session_id);

  async function putAway({ session_id, put_away }: SessionInfo): Promise<void> {
    const answer = await call("put_away", { session_id, away: !put_away });
    if (isFault(answer)) return page.toasts.fault(answer);
    sessions.put(answer);
  }

  function keyed(key: string): (() => void) | undefined {
    if (/^Arrow/.test(key)) return () => doing.focus(stepFrom(COLUMNS.map(idsIn), reached(), key as Arrow));
    const here = card(reached() ?? "")?.session;
    const keys: Readonly<Record<string, () => void>> = {
      d: () => here?.worktree && page.goTo(diffAddress(here.session_id)),
      p: () => here && void putAway(here),
      n: doing.add,
    };
    return keys[key];
  }

  return { all, idsIn, card, reached, reach: setAt, putAway, keyed };
}
