// What can be done with one command.
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import type { CopyForm } from "../reading/copies.ts";
import { DRAWN_KINDS, type DrawnKind } from "../reading/kinds.ts";
import { Menu, type MenuItem } from "../widgets/menu.tsx";

const FORMS: Readonly<Record<CopyForm, string>> = {
  markdown: "Markdown",
  html: "HTML, with colours",
  png: "Picture",
  svg: "Picture as SVG file",
};
const KINDS = Object.keys(DRAWN_KINDS) as DrawnKind[];

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
  const item = (label: string, run: () => void): MenuItem => ({ label, run });
  const list = (label: string, items: readonly MenuItem[]): MenuItem => ({ label, items, run: () => undefined });
  return [
    item("Copy command", () => void cards.copy(block, "command")),
    item("Copy output", () => void cards.copy(block, "output")),
    item("Copy both", () => void cards.copy(block, "both")),
    item("Copy link", () => void cards.copy(block, "link")),
    list(
      "Copy as…",
      (Object.keys(FORMS) as CopyForm[]).map((form) => item(FORMS[form], () => void cards.copyAs(block, form))),
    ),
    item("Run again", () => void cards.rerun(block)),
    item(cards.isFolded(block.block_id) ? "Unfold" : "Fold", () => cards.fold(block.block_id)),
    list("Draw as…", [
      ...KINDS.map((kind) => item(DRAWN_KINDS[kind], () => cards.draw(block.block_id, kind))),
      item("text", () => cards.draw(block.block_id, undefined)),
    ]),
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
