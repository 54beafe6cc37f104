// One session in the list. Owns: the question before a running program is ended.
import { createSignal, Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/session.ts";
import { commandLine, dotOf, endWord, holderOf, isOver, labelOf, shortPath, stateWord } from "../state/words.ts";

export interface SessionItemProps {
  readonly session: SessionInfo;
  readonly current: boolean;
  onSelect(id: string): void;
  onEnd(id: string): void;
}

export function SessionItem(props: SessionItemProps) {
  const [asking, setAsking] = createSignal(false);
  const session = () => props.session;
  const over = () => isOver(session().state);
  const label = () => labelOf(session());
  const meta = () =>
    [shortPath(session().cwd), ...(session().name ? [commandLine(session().command)] : [])].join(" · ");
  return (
    <li class="item" data-over={over()}>
      <button
        type="button"
        class="sess"
        aria-current={props.current}
        aria-label={`${label()}, ${stateWord(session().state)}, ${meta()}`}
        title={session().command.join(" ")}
        onClick={() => props.onSelect(session().session_id)}
      >
        <i class={`dot ${dotOf(session().state)}`} />
        <span class="nm">{label()}</span>
        <StatePill session={session()} />
        <span class="meta">{meta()}</span>
      </button>
      <Show when={!over()}>
        <button
          type="button"
          class="end"
          aria-label={`End ${label()}`}
          title="End this session"
          onClick={() => setAsking(true)}
        >
          ×
        </button>
      </Show>
      <Show when={asking() && !over()}>
        <EndQuestion
          label={label()}
          onEnd={() => {
            setAsking(false);
            props.onEnd(session().session_id);
          }}
          onKeep={() => setAsking(false)}
        />
      </Show>
    </li>
  );
}

function StatePill(props: { session: SessionInfo }) {
  const holder = () => holderOf(props.session.hold);
  return (
    <Show
      when={!isOver(props.session.state)}
      fallback={<span class="pill">{endWord(props.session.state, props.session)}</span>}
    >
      <Show when={props.session.state !== "waiting_for_input"} fallback={<span class="pill warn">needs you</span>}>
        <Show when={holder().kind !== "nobody"} fallback={<span />}>
          <span class={`pill ${holder().kind}`}>{holder().word}</span>
        </Show>
      </Show>
    </Show>
  );
}

function EndQuestion(props: { label: string; onEnd(): void; onKeep(): void }) {
  const keepOnEscape = (event: KeyboardEvent) => event.key === "Escape" && props.onKeep();
  return (
    <div class="ask" role="alertdialog" aria-label={`End ${props.label}?`} onKeyDown={keepOnEscape}>
      <span>End it and every program in it?</span>
      <span class="btns">
        <button type="button" class="bad" ref={(el) => queueMicrotask(() => el.focus())} onClick={() => props.onEnd()}>
          End
        </button>
        <button type="button" onClick={() => props.onKeep()}>
          Keep
        </button>
      </span>
    </div>
  );
}
