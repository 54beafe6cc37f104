// What can be done with the commands of the shown session, for the palette and the keys.
import type { ActionsPage } from "../app/page-state.ts";
import type { Cards, CopyWhat } from "../transcript/cards.ts";
import type { Filter } from "../transcript/listing.ts";
import type { Action } from "./actions.ts";

export function commandActions(page: ActionsPage): Action[] {
  return [...moves(page), ...copies(page), ...verbs(page)];
}

function moves(page: ActionsPage): Action[] {
  const cards = () => page.shown()?.cards;
  /** A full-screen program that has the keys keeps them. */
  const when = () =>
    showsCards(page) && !(page.shown()?.live.facts.alt_screen && document.activeElement?.closest(".xterm"));
  const go = (where: Parameters<Cards["go"]>[0]) => () => cards()?.go(where);
  return [
    {
      id: "cards.previous",
      title: "Previous command",
      group: "Commands",
      keys: [{ code: "ArrowUp", ctrl: true }],
      when,
      run: go("previous"),
    },
    {
      id: "cards.next",
      title: "Next command",
      group: "Commands",
      keys: [{ code: "ArrowDown", ctrl: true }],
      when,
      run: go("next"),
    },
    {
      id: "cards.failed.previous",
      title: "Previous failed command",
      group: "Commands",
      words: "error jump",
      keys: [{ code: "F8", shift: true }],
      when,
      run: () => void cards()?.goFailed("previous"),
    },
    {
      id: "cards.failed.next",
      title: "Next failed command",
      group: "Commands",
      words: "error jump",
      keys: [{ code: "F8" }],
      when,
      run: () => void cards()?.goFailed("next"),
    },
    { id: "cards.last", title: "Latest command", group: "Commands", words: "bottom end jump", when, run: go("last") },
  ];
}

function copies(page: ActionsPage): Action[] {
  const titles: readonly (readonly [CopyWhat, string])[] = [
    ["command", "Copy this command"],
    ["output", "Copy this command's output"],
    ["both", "Copy this command and its output"],
    ["link", "Copy a link to this command"],
  ];
  return titles.map(([what, title]) => ({
    id: `cards.copy.${what}`,
    title,
    group: "Commands" as const,
    when: () => hasSubject(page),
    run: () => onSubject(page, (cards, block) => void cards.copy(block, what)),
  }));
}

function verbs(page: ActionsPage): Action[] {
  const when = () => hasSubject(page);
  const filters = { all: "all", failed: "only failed", you: "only your", agent: "only the agent's" } as const;
  return [
    {
      id: "cards.rerun",
      title: "Run this command again",
      group: "Commands",
      words: "repeat rerun",
      when,
      run: () => onSubject(page, (cards, block) => void cards.rerun(block)),
    },
    {
      id: "cards.fold",
      title: "Fold or unfold this command",
      group: "Commands",
      words: "collapse expand",
      when,
      run: () => onSubject(page, (cards, block) => cards.fold(block.block_id)),
    },
    {
      id: "cards.open",
      title: "Open this command's full output",
      group: "Commands",
      words: "view find",
      when,
      run: () => onSubject(page, (cards, block) => cards.openOutput(block)),
    },
    {
      id: "restore.undo",
      title: "Undo the agent's changes…",
      group: "Agent",
      keys: [{ code: "KeyU", alt: true }],
      words: "restore point files back revert",
      when: () => page.shown() !== undefined,
      run: () => {
        void page.shown()?.undo.look();
        page.setOverlay("undo");
      },
    },
    ...Object.entries(filters).map(([filter, word]) => ({
      id: `cards.filter.${filter}`,
      title: `Show ${word} commands`,
      group: "Commands" as const,
      words: "filter",
      when: () => showsCards(page),
      run: () => page.shown()?.transcript.setFilter(filter as Filter),
    })),
  ];
}

function showsCards(page: ActionsPage): boolean {
  return page.shown() !== undefined && page.settings.now.view === "cards" && !page.replaying();
}

function hasSubject(page: ActionsPage): boolean {
  return showsCards(page) && page.shown()?.cards.subject() !== undefined;
}

type Subject = NonNullable<ReturnType<Cards["subject"]>>;

function onSubject(page: ActionsPage, act: (cards: Cards, block: Subject) => void): void {
  const cards = page.shown()?.cards;
  const block = cards?.subject();
  if (cards && block) act(cards, block);
}
