// A small panel at its button. Owns: opening and closing; Escape, a click elsewhere and leaving it close it.
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
  const shut = () => setOpen(false);
  const elsewhere = ({ target }: Event) => {
    if (target instanceof Node && !root?.contains(target)) shut();
  };
  for (const event of ["pointerdown", "focusin"]) {
    document.addEventListener(event, elsewhere);
    onCleanup(() => document.removeEventListener(event, elsewhere));
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open()) return;
    shut();
    button?.focus();
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
        onClick={() => setOpen(!open())}
      >
        {props.button}
      </button>
      <Show when={open()}>
        <div class="panel" role="dialog" aria-label={props.name}>
          {props.children(shut)}
        </div>
      </Show>
    </span>
  );
}
