// Which sessions share the page, and how. Owns: the layout and its memory: this tab's own, or the last one of this browser for a
// tab that is new. The half that has the keyboard is the session in the address; another session that is selected takes its place.
import { type Accessor, batch, createEffect, createMemo, createSignal, untrack } from "solid-js";
import type { Route } from "../sessions/route.ts";
import type { Sessions } from "../sessions/sessions.ts";
import {
  besides,
  dividerNear,
  dropped,
  leavesOf,
  neighbour,
  readTree,
  replaced,
  type Side,
  shared,
  swapped,
  type Tree,
  without,
} from "./tree.ts";

const KEY = "duetty.layout";
/** One press of a key. */
const STEP = 0.05;

interface Kept {
  readonly tree: Tree;
  readonly focus: string;
  /** Only the half with the keyboard is shown. */
  readonly zoomed: boolean;
}

export interface Layout {
  /** Undefined while no session is selected. */
  readonly tree: Accessor<Tree | undefined>;
  /** All that share the page, in the order in which one reads them. */
  readonly leaves: Accessor<readonly string[]>;
  /** Those that are shown now: all of them, or the one with the keyboard. */
  readonly visible: Accessor<readonly string[]>;
  readonly isZoomed: Accessor<boolean>;
  /** One at a time, because the page is narrow or one is zoomed. */
  isOne(): boolean;
  /** The session that a page without an address begins with. */
  first(): string | undefined;
  /** The session that was selected last, though another view is shown now. */
  last(): string | undefined;
  focus(id: string): void;
  /** Shows the session beside another one. The new half has the keyboard, unless that stays where it is. */
  add(id: string, at: string, side: Side, keyboard?: "new" | "stays"): void;
  /** The session goes on, and its neighbours get its room. */
  close(id: string): void;
  drop(id: string, at: string, where: Side | "centre"): void;
  /** Gives the keyboard to the half on that side. */
  go(side: Side): void;
  /** Changes places with the next half; the last one with the first. */
  swap(): void;
  /** Moves the nearest divider towards that side. */
  push(side: Side): void;
  share(path: string, share: number): void;
  zoom(): void;
}

interface LayoutParts {
  readonly route: Route;
  readonly sessions: Sessions;
  isNarrow(): boolean;
}

export function createLayout({ route, sessions, isNarrow }: LayoutParts): Layout {
  const [kept, setKept] = createSignal<Kept | undefined>(remembered(untrack(route.selected)));
  const isKnown = (id: string) => sessions.reach() === "loading" || sessions.mayBe(id);
  const now = createMemo(() => {
    const selected = route.selected();
    return selected === undefined ? undefined : arranged(kept(), selected, isKnown);
  });
  createEffect(() => {
    const made = now();
    const was = untrack(kept);
    if (!made || made === was) return;
    setKept(made);
    remember(made, was);
  });
  const leaves = createMemo(() => leavesOf(now()?.tree ?? "").filter(Boolean));
  const isOne = () => isNarrow() || (now()?.zoomed ?? false);
  const set = (was: Kept, change: Partial<Kept>) => {
    const made = { ...was, ...change };
    // Together: for a moment the address would name a session that is not there any more.
    batch(() => {
      setKept(made);
      if (made.focus !== was.focus) route.select(made.focus, "replace");
    });
    remember(made, was);
  };
  return {
    tree: () => now()?.tree,
    leaves,
    visible: () => (isOne() ? leaves().filter((id) => id === now()?.focus) : leaves()),
    isZoomed: () => (now()?.zoomed ?? false) && leaves().length > 1,
    isOne,
    first: () => {
      const was = untrack(kept);
      const all = was && isSplit(was) ? [was.focus, ...leavesOf(was.tree)] : [];
      return all.find((id) => sessions.find(id) !== undefined);
    },
    last: () => [untrack(kept)?.focus].find((id) => id !== undefined && sessions.mayBe(id)),
    ...changesBy((of) => {
      const was = untrack(now);
      if (was) set(was, of(was.tree, was.focus, was.zoomed));
    }),
  };
}

/** What a person does with the halves. `change`: with the tree, and the half that has the keyboard. */
function changesBy(
  change: (of: (tree: Tree, focus: string, zoomed: boolean) => Partial<Kept>) => void,
): Pick<Layout, "focus" | "add" | "close" | "drop" | "go" | "swap" | "push" | "share" | "zoom"> {
  return {
    focus: (focus) => change((tree) => (leavesOf(tree).includes(focus) ? { focus } : {})),
    add: (id, at, side, keyboard = "new") =>
      change((tree, focus) => {
        const made = besides(without(tree, id) ?? tree, at, side, id);
        const next = keyboard === "new" ? id : focus;
        return leavesOf(made).includes(id) ? { tree: made, focus: next, zoomed: false } : {};
      }),
    close: (id) =>
      change((tree, focus) => {
        const made = without(tree, id);
        const all = leavesOf(tree);
        const next = all[all.indexOf(id) + 1] ?? all[all.indexOf(id) - 1] ?? focus;
        return made === undefined ? {} : { tree: made, focus: focus === id ? next : focus, zoomed: false };
      }),
    drop: (id, at, where) =>
      change((tree) => {
        const made = dropped(tree, id, at, where);
        return { tree: made, ...(leavesOf(made).includes(id) && { focus: id }) };
      }),
    go: (side) => change((tree, focus) => ({ focus: neighbour(tree, focus, side) ?? focus })),
    swap: () =>
      change((tree, focus) => {
        const all = leavesOf(tree);
        return { tree: swapped(tree, focus, all[(all.indexOf(focus) + 1) % all.length] ?? focus) };
      }),
    push: (side) =>
      change((tree, focus) => {
        const divider = dividerNear(tree, focus, side);
        const by = side === "left" || side === "up" ? -STEP : STEP;
        return divider ? { tree: shared(tree, divider.path, divider.share + by) } : {};
      }),
    share: (path, part) => change((tree) => ({ tree: shared(tree, path, part) })),
    zoom: () => change((tree, _, zoomed) => ({ zoomed: !zoomed && typeof tree !== "string" })),
  };
}

/** The layout with this session in it, and without those that are gone. The same one when nothing changes. */
function arranged(kept: Kept | undefined, selected: string, isKnown: (id: string) => boolean): Kept {
  if (!kept) return { tree: selected, focus: selected, zoomed: false };
  const gone = leavesOf(kept.tree).filter((id) => id !== selected && id !== kept.focus && !isKnown(id));
  const tree = gone.reduce<Tree>((left, id) => without(left, id) ?? left, replaced(kept.tree, kept.focus, selected));
  const rest = isKnown(kept.focus) || kept.focus === selected ? tree : (without(tree, kept.focus) ?? tree);
  const zoomed = kept.zoomed && typeof rest !== "string";
  return rest === kept.tree && kept.focus === selected && zoomed === kept.zoomed
    ? kept
    : { tree: rest, focus: selected, zoomed };
}

function isSplit(kept: Kept | undefined): boolean {
  return kept !== undefined && typeof kept.tree !== "string";
}

/** A tab that only ever showed one session leaves the layout for new tabs alone. */
function remember(made: Kept, was: Kept | undefined): void {
  const text = JSON.stringify(made);
  sessionStorage.setItem(KEY, text);
  if (isSplit(made) || isSplit(was)) localStorage.setItem(KEY, text);
}

/** Takes only what this page may have written. A link to a session that is not in it shows that session alone. */
function remembered(selected: string | undefined): Kept | undefined {
  try {
    const text = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
    const { tree, focus, zoomed } = JSON.parse(text ?? "{}");
    const known = readTree(tree);
    const all = known === undefined ? [] : leavesOf(known);
    const at = all.find((id) => id === (selected ?? focus)) ?? (selected === undefined ? all[0] : undefined);
    return known === undefined || at === undefined ? undefined : { tree: known, focus: at, zoomed: zoomed === true };
  } catch {
    return undefined;
  }
}
