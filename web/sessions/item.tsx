// One session in the list. Owns: what is done with it there, renaming it or asking before it is ended.
import { createSignal, Match, Show, Switch } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { PageState } from "../app/page-state.ts";
import { call, isFault } from "../wire/api.ts";
import { isOver, labelOf, stateWord } from "./labels.ts";
import { SessionMenu } from "./menu.tsx";
import { dotFor, metaOf, pillOf } from "./words.ts";

interface SessionItemProps {
  readonly page: PageState;
  readonly session: SessionInfo;
  /** Alt and this digit lead here. */
  readonly digit?: number | undefined;
}

export function SessionItem(props: SessionItemProps) {
  const { page } = props;
  const [doing, setDoing] = createSignal<"nothing" | "rename" | "end">("nothing");
  let item: HTMLLIElement | undefined;
  const session = () => props.session;
  const over = () => isOver(session().state);
  const back = () => {
    setDoing("nothing");
    item?.querySelector<HTMLElement>(".sess")?.focus();
  };
  return (
    <li class="item" data-over={over()} ref={item}>
      <Show when={doing() !== "rename"} fallback={<Rename {...props} onDone={back} />}>
        <Entry {...props} />
        <SessionMenu {...props} onRename={() => setDoing("rename")} onEnd={() => setDoing("end")} />
      </Show>
      <Switch>
        <Match when={doing() === "end"}>
          <EndQuestion
            label={labelOf(session())}
            over={over()}
            onKeep={back}
            onEnd={() => {
              back();
              void (over() ? page.remove(session().session_id) : page.end(session().session_id));
            }}
          />
        </Match>
      </Switch>
    </li>
  );
}

function Entry(props: SessionItemProps) {
  const session = () => props.session;
  const isShown = () => session().session_id === props.page.route.selected();
  const isBeside = () => props.page.layout.visible().includes(session().session_id);
  const seen = () => ({
    needed: props.page.needs.of(session().session_id) !== undefined,
    shown: isShown() || isBeside(),
  });
  const pill = () => pillOf(session(), seen());
  const dot = () => dotFor(session(), seen());
  const meta = () => metaOf(session());
  return (
    <button
      type="button"
      class="sess"
      aria-current={isShown()}
      data-beside={isBeside() && !isShown()}
      onPointerDown={(event) => props.page.dragSession(event, session().session_id)}
      aria-keyshortcuts={props.digit === undefined ? undefined : `Alt+${props.digit}`}
      title={session().title || session().command.join(" ")}
      onClick={() => props.page.select(session().session_id)}
    >
      <i class={`dot ${dot()}`} />
      <span class="nm">{labelOf(session())}</span>
      <Show
        when={pill()}
        fallback={<span class="unseen">{stateWord(dot() === "run" ? "running" : session().state)}</span>}
      >
        {(shown) => <span class={`pill ${shown().tone}`}>{shown().word}</span>}
      </Show>
      <span class="digit" aria-hidden="true">
        {props.digit}
      </span>
      <span class="meta">{meta()}</span>
    </button>
  );
}

function Rename(props: SessionItemProps & { onDone(): void }) {
  const { page } = props;
  let done = false;
  const finish = () => {
    if (done) return;
    done = true;
    props.onDone();
  };
  async function keep(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("title") ?? "").trim();
    if (name === (props.session.name ?? "")) return finish();
    const answer = await call("rename", { session_id: props.session.session_id, name });
    if (isFault(answer)) return page.toasts.fault(answer);
    page.sessions.put(answer);
    finish();
  }
  return (
    <form class="rename" data-escape="own" onSubmit={keep}>
      <input
        name="title"
        aria-label={`What to call ${labelOf(props.session)}`}
        placeholder={labelOf(props.session)}
        value={props.session.name ?? ""}
        maxlength={100}
        autocomplete="off"
        spellcheck={false}
        ref={(el) => queueMicrotask(() => el.select())}
        onKeyDown={(event) => event.key === "Escape" && finish()}
        onBlur={finish}
      />
    </form>
  );
}

function EndQuestion(props: { label: string; over: boolean; onEnd(): void; onKeep(): void }) {
  const verb = () => (props.over ? "Remove" : "End");
  const keepOnEscape = (event: KeyboardEvent) => event.key === "Escape" && props.onKeep();
  return (
    <div class="ask" role="alertdialog" aria-label={`${verb()} ${props.label}?`} onKeyDown={keepOnEscape}>
      <span>
        {props.over
          ? "Remove this session with everything it printed? This cannot be undone."
          : "End this session and everything running in it? Its output is kept."}
      </span>
      <span class="btns">
        <button type="button" class="bad" ref={(el) => queueMicrotask(() => el.focus())} onClick={() => props.onEnd()}>
          {verb()}
        </button>
        <button type="button" onClick={() => props.onKeep()}>
          Keep
        </button>
      </span>
    </div>
  );
}
