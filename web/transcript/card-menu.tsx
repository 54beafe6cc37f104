// What can be done with one command.
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { Menu, type MenuItem } from "../widgets/menu.tsx";

interface Subject {
  readonly page: PageState;
  readonly shown: ShownSession;
  readonly block: Block;
}

export function CardMenu(props: Subject) {
  return <Menu name="What to do with this command" class="dots" items={() => itemsOf(props)} />;
}

function itemsOf({ page, shown, block }: Subject): MenuItem[] {
  const { cards } = shown;
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
      void shown.replay.goToCursor(block.cursor_end ?? block.cursor_begin);
      page.setReplaying(true);
    }),
    item("Undo the changes since here…", () => {
      void shown.undo.look(block);
      page.setOverlay("undo");
    }),
  ];
}
