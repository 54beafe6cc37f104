// Everything that can be done on the page, by name. The palette lists it, keys trigger it, buttons show its keys. Owns: which
// key belongs to what. Refuses: to do anything itself.
import { type Accessor, createMemo } from "solid-js";
import { isKey, type Key } from "../widgets/keys.ts";

type Group = "Session" | "Agent" | "Commands" | "View" | "Checks" | "Go to" | "Settings";

export interface Action {
  readonly id: string;
  readonly title: string;
  readonly group: Group;
  readonly keys?: readonly Key[];
  /** More words to find it by. */
  readonly words?: string;
  /** Whether it makes sense now; absent: always. */
  when?(): boolean;
  run(): void;
}

export interface Actions {
  /** All that make sense now, in the order of their registration. */
  readonly all: Accessor<readonly Action[]>;
  /** All that have keys, also those that make no sense now. */
  readonly keyed: Accessor<readonly Action[]>;
  find(id: string): Action | undefined;
  /** The action of this key, if it makes sense now. */
  byKey(event: KeyboardEvent): Action | undefined;
}

/** The source is asked again when something that it looked at changes: sessions and settings come and go. */
export function createActions(source: () => readonly Action[]): Actions {
  const everything = createMemo(source);
  const keyed = createMemo(() => everything().filter(({ keys }) => keys !== undefined));
  const isSensible = (action: Action) => action.when?.() ?? true;
  return {
    all: () => everything().filter(isSensible),
    keyed,
    find: (id) => everything().find((action) => action.id === id),
    byKey: (event) =>
      keyed().find((action) => action.keys?.some((key) => isKey(event, key)) === true && isSensible(action)),
  };
}
