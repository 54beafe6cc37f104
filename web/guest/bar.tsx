// The bar above a shared session: which session, on whose machine, what the guest may do and until when, whether secrets are hidden,
// and who else is here.
import { createEffect, Show } from "solid-js";
import { holderOf, labelOf } from "../sessions/labels.ts";
import type { Appearance } from "../settings/appearance.ts";
import type { Seat } from "./seat.ts";
import { othersHere, roleWords, untilWords } from "./words.ts";

export function GuestBar(props: { seat: Seat; appearance: Appearance }) {
  const { seat, appearance } = props;
  const { shared, live } = seat;
  const other = () => (appearance.theme() === "dark" ? "light" : "dark");
  createEffect(() => {
    const waiting = seat.approvals.pending.length;
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${labelOf(shared.session)} · shared · duetty`;
  });
  return (
    <header class="guest-bar">
      <span class="logo" aria-hidden="true">
        ▚
      </span>
      <h1>{labelOf(shared.session)}</h1>
      <span class="pill you" title={roleWords(shared).means}>
        {roleWords(shared).title}
      </span>
      <span class="facts">
        <Keyboard seat={seat} />
        <span>on {shared.machine}</span>
        <time dateTime={new Date(shared.expires_at).toISOString()} title={new Date(shared.expires_at).toLocaleString()}>
          until {untilWords(shared.expires_at, Date.now())}
        </time>
        <span class={shared.masked ? undefined : "warn"}>{shared.masked ? "secrets hidden" : "secrets shown"}</span>
        <Others seat={seat} />
      </span>
      <span class="state" role="status">
        <i class={`dot ${live.facts.phase === "open" ? "run" : "wait"}`} />
        <span class="opt">{live.facts.phase === "open" ? "live" : live.facts.phase}</span>
      </span>
      <button
        type="button"
        class="icon"
        aria-label={`Use the ${other()} theme`}
        title={`Use the ${other()} theme`}
        onClick={() => appearance.toggle()}
      >
        {appearance.theme() === "dark" ? "☀" : "☾"}
      </button>
    </header>
  );
}

/** Who has the keyboard, when somebody has it. */
function Keyboard(props: { seat: Seat }) {
  const holder = () => holderOf(props.seat.control.facts.hold, props.seat.me);
  return (
    <span class="keyboard" role="status">
      <Show when={holder().kind !== "nobody"}>
        keyboard: <b class={holder().kind}>{holder().word}</b>
      </Show>
    </span>
  );
}

function Others(props: { seat: Seat }) {
  const others = () => othersHere(props.seat.control.facts.here, props.seat.me);
  return (
    <span class="others" role="status">
      {others().length === 0 ? "nobody else is here" : `also here: ${others().join(", ")}`}
    </span>
  );
}
