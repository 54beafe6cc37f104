// A menu at its button, above everything so that nothing clips it. Owns: opening and closing, and its keys: arrows, Home, End,
// Escape and Tab. Refuses: to know what is in it.
import { createSignal, createUniqueId, For, onCleanup, Show, untrack } from "solid-js";

export interface MenuItem {
  readonly label: string;
  readonly tone?: "bad";
  run(): void;
  /** It leads to these instead. */
  readonly items?: readonly MenuItem[];
}

interface MenuProps {
  readonly name: string;
  /** The button's label. */
  readonly class: string;
  /** Called each time it opens, and then not again: the focus is on one of them. */
  items(): readonly MenuItem[];
}

const EDGE_PX = 8;

export function Menu(props: MenuProps) {
  const menu = createMenu();
  const id = createUniqueId();
  const [inner, setInner] = createSignal<readonly MenuItem[]>();
  const open = () => {
    setInner(undefined);
    menu.open();
  };
  const choose = ({ items, run }: MenuItem) => {
    setInner(items);
    if (items) return menu.place();
    menu.back();
    run();
  };
  return (
    <>
      <button
        type="button"
        class={props.class}
        aria-label={props.name}
        aria-haspopup="menu"
        aria-expanded={menu.isOpen()}
        aria-controls={menu.isOpen() ? id : undefined}
        ref={menu.setButton}
        onClick={() => (menu.isOpen() ? menu.shut() : open())}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <Show when={menu.isOpen()}>
        <div class="menu-list" role="menu" id={id} ref={menu.setList} tabindex={-1} onKeyDown={menu.pressed}>
          <For each={inner() ?? untrack(() => props.items())}>
            {(item) => (
              <button
                type="button"
                role="menuitem"
                tabindex={-1}
                class={item.tone}
                aria-haspopup={item.items && "menu"}
                onClick={() => choose(item)}
              >
                {item.label}
              </button>
            )}
          </For>
        </div>
      </Show>
    </>
  );
}

function createMenu() {
  const [isOpen, setIsOpen] = createSignal(false);
  let [button, list]: (HTMLElement | undefined)[] = [undefined, undefined];
  const entries = () => [...(list?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const outside = (event: Event) => {
    if (!(event.target instanceof Node) || !(list?.contains(event.target) || button?.contains(event.target))) shut();
  };
  let before: Element | null = null;
  function open(): void {
    before = document.activeElement;
    setIsOpen(true);
    place();
    document.addEventListener("pointerdown", outside, { capture: true });
  }
  function place(): void {
    if (!list || !button) return;
    const { right, bottom } = button.getBoundingClientRect();
    const { width, height } = list.getBoundingClientRect();
    const lowest = window.innerHeight - height - EDGE_PX;
    list.style.left = `${Math.max(EDGE_PX, right - width)}px`;
    list.style.top = `${Math.max(EDGE_PX, Math.min(bottom + 4, lowest))}px`;
    entries()[0]?.focus({ preventScroll: true });
  }
  function shut(): void {
    document.removeEventListener("pointerdown", outside, { capture: true });
    setIsOpen(false);
  }
  function back(): void {
    shut();
    // Who clicked goes on typing where they did. Who came by Tab is still there.
    const to = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : button;
    to?.focus({ preventScroll: true });
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
  return { isOpen, open, place, shut, back, pressed, setButton, setList };
}
