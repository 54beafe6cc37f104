// A small panel at its button, which gets the keys while it is open. Owns: opening and closing; Escape, a click elsewhere and
// leaving it close it.
import { createSignal, type JSX, onCleanup, Show } from "solid-js";

interface PopoverProps {
  readonly name: string;
  readonly button: JSX.Element;
  readonly class?: string;
  readonly children: (shut: () => void) => JSX.Element;
}

export function Popover(props: PopoverProps) {
  const [open, setOpen] = createSignal(false);
  let root: HTMLSpanElement | undefined;
  let button: HTMLButtonElement | undefined;
  let before: Element | null = null;
  const shut = () => setOpen(false);
  const panel = () => root?.querySelector(".panel");
  const toggle = () => {
    before = document.activeElement;
    setOpen(!open());
    const first = ["[role=radio][aria-checked=true]", "button, input"].map((one) =>
      panel()?.querySelector<HTMLElement>(one),
    );
    first.find(Boolean)?.focus();
  };
  const back = () => {
    const isInside = panel()?.contains(document.activeElement);
    shut();
    if (isInside) (before instanceof HTMLElement && before !== document.body ? before : button)?.focus();
  };
  const elsewhere = ({ target }: Event) => {
    if (target instanceof Node && !root?.contains(target)) shut();
  };
  for (const event of ["pointerdown", "focusin"]) {
    document.addEventListener(event, elsewhere);
    onCleanup(() => document.removeEventListener(event, elsewhere));
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open()) back();
    else stepOf(event, [...(panel()?.querySelectorAll<HTMLElement>("[role=radio]") ?? [])]);
  };
  return (
    <span
      class={`pop ${props.class ?? ""}`}
      ref={root}
      role="none"
      data-escape={open() ? "own" : undefined}
      onKeyDown={onKey}
    >
      <button
        type="button"
        ref={button}
        aria-label={props.name}
        aria-haspopup="dialog"
        aria-expanded={open()}
        title={props.name}
        onClick={toggle}
      >
        {props.button}
      </button>
      <Show when={open()}>
        <div class="panel" role="dialog" aria-label={props.name}>
          {props.children(back)}
        </div>
      </Show>
    </span>
  );
}

/** Arrows lead through choices. */
function stepOf(event: KeyboardEvent, all: readonly HTMLElement[]): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const now = all.indexOf(document.activeElement as HTMLElement);
  if (!step || now < 0) return;
  event.preventDefault();
  all.at((now + step) % all.length)?.focus();
}
