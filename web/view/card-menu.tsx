// What can be done with one command: a menu with arrow keys, over everything so that no card cuts it.
import { createSignal, createUniqueId, For, onCleanup, Show } from "solid-js";
import type { Block } from "../../src/protocol/blocks.ts";
import type { PageState } from "../state/page.ts";
import type { Work } from "../state/work.ts";

interface Item {
  readonly label: string;
  run(): void;
}

interface Subject {
  readonly page: PageState;
  readonly work: Work;
  readonly block: Block;
}

const EDGE_PX = 8;

export function CardMenu(props: Subject) {
  const menu = createMenu();
  const id = createUniqueId();
  return (
    <>
      <button
        type="button"
        class="dots"
        aria-label="What to do with this command"
        aria-haspopup="menu"
        aria-expanded={menu.isOpen()}
        aria-controls={id}
        ref={menu.setButton}
        onClick={() => (menu.isOpen() ? menu.shut() : menu.open())}
      >
        ⋯
      </button>
      <Show when={menu.isOpen()}>
        <div class="menu-list" role="menu" id={id} ref={menu.setList} tabindex={-1} onKeyDown={menu.pressed}>
          <For each={itemsOf(props)}>
            {({ label, run }) => (
              <button
                type="button"
                role="menuitem"
                tabindex={-1}
                onClick={() => {
                  menu.back();
                  run();
                }}
              >
                {label}
              </button>
            )}
          </For>
        </div>
      </Show>
    </>
  );
}

export function createMenu() {
  const [isOpen, setIsOpen] = createSignal(false);
  let [button, list]: (HTMLElement | undefined)[] = [undefined, undefined];
  const entries = () => [...(list?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const outside = (event: Event) => {
    if (!(event.target instanceof Node) || !(list?.contains(event.target) || button?.contains(event.target))) shut();
  };
  function open(): void {
    setIsOpen(true);
    if (!list || !button) return;
    const { right, bottom } = button.getBoundingClientRect();
    const { width, height } = list.getBoundingClientRect();
    const lowest = window.innerHeight - height - EDGE_PX;
    list.style.left = `${Math.max(EDGE_PX, right - width)}px`;
    list.style.top = `${Math.max(EDGE_PX, Math.min(bottom + 4, lowest))}px`;
    entries()[0]?.focus({ preventScroll: true });
    document.addEventListener("pointerdown", outside, { capture: true });
  }
  function shut(): void {
    document.removeEventListener("pointerdown", outside, { capture: true });
    setIsOpen(false);
  }
  function back(): void {
    shut();
    button?.focus({ preventScroll: true });
  }
  function pressed(event: KeyboardEvent): void {
    const all = entries();
    const now = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") back();
    else if (to !== undefined) all.at(to % all.length)?.focus();
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  }
  onCleanup(shut);
  const setButton = (own: HTMLElement) => {
    button = own;
  };
  const setList = (own: HTMLElement) => {
    list = own;
  };
  return { isOpen, open, shut, back, pressed, setButton, setList };
}

function itemsOf({ page, work, block }: Subject): Item[] {
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
