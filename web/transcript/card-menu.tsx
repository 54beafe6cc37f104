// What can be done with one command.
import type { Block } from "../../src/protocol/blocks.ts";
import type { PageState } from "../app/page.ts";
import type { Work } from "../app/shown-session.ts";
import { Menu, type MenuItem } from "../widgets/menu.tsx";

interface Subject {
  readonly page: PageState;
  readonly work: Work;
  readonly block: Block;
}

export function CardMenu(props: Subject) {
  return <Menu name="What to do with this command" class="dots" items={() => itemsOf(props)} />;
}

function itemsOf({ page, work, block }: Subject): MenuItem[] {
  const { cards } = work;
  const item = (label: string, run: () => void) => ({ label, run });
  return [
    item("Copy command", () => void cards.copy(block, "command")),
    item("Copy output", () => void cards.copy(block, "output")),
    item("Copy both", () => void cards.copy(block, "both")),
    item("Copy link", () => void cards.copy(block, "link")),
    item("Run again", () => void cards.rerun(block)),
    item(cards.isFolded(block.block_id) ? "Unfold" : "Fold", () => cards.fold(block.block_id)),
    item("Open full output", () => cards.openOutput(block)),
    item("Show in replay", () => {
      void work.replay.goToCursor(block.cursor_end ?? block.cursor_begin);
      page.setReplaying(true);
    }),
  ];
}
