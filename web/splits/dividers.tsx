// The lines between halves, which a person drags or moves with arrow keys.
import { createMemo, Index } from "solid-js";
import type { Layout } from "./layout.ts";
import { type Divider, dividersOf } from "./tree.ts";

/** One press of an arrow key. */
const STEP = 0.02;

export function Dividers(props: { layout: Layout }) {
  const { layout } = props;
  const all = createMemo(() => dividersOf(layout.tree() ?? ""));
  // By position, because the one that is dragged must stay the same element.
  return <Index each={all()}>{(divider) => <Line layout={layout} divider={divider()} />}</Index>;
}

function Line(props: { layout: Layout; divider: Divider }) {
  const isRow = () => props.divider.dir === "row";
  const place = () => {
    const { share, within } = props.divider;
    const percent = (part: number) => `${part * 100}%`;
    return isRow()
      ? { left: percent(within.x + within.w * share), top: percent(within.y), height: percent(within.h) }
      : { top: percent(within.y + within.h * share), left: percent(within.x), width: percent(within.w) };
  };
  const move = (share: number) => props.layout.share(props.divider.path, share);
  function onKey(event: KeyboardEvent): void {
    const by = isRow() ? { ArrowLeft: -STEP, ArrowRight: STEP } : { ArrowUp: -STEP, ArrowDown: STEP };
    const step = (by as Record<string, number | undefined>)[event.key];
    if (step === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    move(props.divider.share + step);
  }
  function drag(event: PointerEvent & { currentTarget: HTMLElement }): void {
    const whole = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!whole || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { within } = props.divider;
    const [at, from, length] = isRow()
      ? [(event.clientX - whole.left) / whole.width, within.x, within.w]
      : [(event.clientY - whole.top) / whole.height, within.y, within.h];
    move((at - from) / length);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: hr takes no keys
    <div
      class="divider"
      role="separator"
      tabindex={0}
      aria-label={isRow() ? "Width of the halves" : "Height of the halves"}
      aria-orientation={isRow() ? "vertical" : "horizontal"}
      aria-valuemin={15}
      aria-valuemax={85}
      aria-valuenow={Math.round(props.divider.share * 100)}
      style={place()}
      onKeyDown={onKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  );
}
