// One task on the board: whose it is, what it is about, what became of it.
import { Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { HostPill } from "../hosts/pill.tsx";
import { diffAddress, sessionAddress } from "../sessions/address.ts";
import { labelOf, taskLine } from "../sessions/labels.ts";
import { treeWord } from "../sessions/words.ts";
import { ageOf } from "../text/numbers.ts";
import type { Card } from "./columns.ts";
import type { Look } from "./looks.ts";

interface TaskCardProps {
  readonly card: Card<SessionInfo>;
  readonly look: Look;
  readonly now: number;
  /** Tab leads to this one; arrows lead to the others. */
  readonly isReached: boolean;
  onFocus(): void;
  onPutAway(): void;
}

export function TaskCard(props: TaskCardProps) {
  const session = () => props.card.session;
  const place = () => props.card.place;
  return (
    <li class="task" data-id={session().session_id}>
      <a
        href={sessionAddress(session().session_id)}
        tabindex={props.isReached ? 0 : -1}
        onFocus={() => props.onFocus()}
      >
        <span class="top-line">
          <span class="pill agent">{session().agent ?? session().command[0]?.split("/").at(-1)}</span>
          <HostPill of={session().session_id} />
          <span class="grow" />
          <time class="mut">{ageOf(props.now - place().since)}</time>
        </span>
        <b>{taskLine(session()) ?? labelOf(session())}</b>
        <Show when={session().worktree}>
          {(tree) => (
            <>
              <span class="tree">
                <span class="branch">⎇ {marked(tree().branch)}</span> {treeWord(tree())}
              </span>
              <Counts look={props.look} />
            </>
          )}
        </Show>
        <Show when={place().why}>{(why) => <span class="why">{why()}</span>}</Show>
        <Show when={props.look.last}>{(last) => <code class="last">{last()}</code>}</Show>
      </a>
      <span class="btns">
        <Show when={session().worktree}>
          <a href={diffAddress(session().session_id)} tabindex={props.isReached ? 0 : -1}>
            Changes
          </a>
        </Show>
        <button type="button" tabindex={props.isReached ? 0 : -1} onClick={() => props.onPutAway()}>
          {session().put_away ? "Take back" : "Put away"}
        </button>
      </span>
    </li>
  );
}

function Counts(props: { look: Look }) {
  const files = () => props.look.files ?? 0;
  return (
    <Show when={files() > 0 || (props.look.merge && props.look.merge.tone !== "plain")}>
      <span class="counts">
        <span class="more">+{props.look.added}</span> <span class="less">−{props.look.removed}</span>{" "}
        <span class="mut">
          {files()} file{files() === 1 ? "" : "s"}
        </span>
        <Show when={props.look.merge}>
          {(merge) => (
            <span class="merge" data-tone={merge().tone}>
              {merge().word}
            </span>
          )}
        </Show>
      </span>
    </Show>
  );
}
