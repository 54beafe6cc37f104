// Beside the change: whether it merges and by which commands, and what the project's checks say.
import { For, Match, Show, Switch } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import type { PageState } from "../app/page-state.ts";
import { writingOf } from "../composer/writing.ts";
import { hostFor, hostOf } from "../hosts/words.ts";
import { toClipboard } from "../widgets/clipboard.ts";
import { call, type Fault, isFault } from "../wire/api.ts";
import type { MergeCheck, Review, TestRun } from "./review.ts";
import { Said } from "./said.tsx";

export function Side(props: { page: PageState; review: Review }) {
  return (
    <div class="beside">
      <Show when={props.review.comments().length > 0}>
        <section aria-label="Comments">
          <h2>Comments</h2>
          <For each={props.review.comments()}>
            {(comment) => (
              <>
                <code>
                  {marked(comment.path)}:{comment.line}
                </code>
                <Said comment={comment} review={props.review} />
              </>
            )}
          </For>
        </section>
      </Show>
      <Checks review={props.review} />
      <Merging page={props.page} review={props.review} />
    </div>
  );
}

function Refusal(props: { fault: Fault }) {
  return (
    <p class="wrong" role="alert">
      {props.fault.message} <span>{props.fault.hint}</span>
    </p>
  );
}

function Checks(props: { review: Review }) {
  const { review } = props;
  const done = () => {
    const tests = review.tests();
    return typeof tests === "object" && !isFault(tests) ? tests : undefined;
  };
  const fault = () => {
    const tests = review.tests();
    return typeof tests === "object" && isFault(tests) ? tests : undefined;
  };
  return (
    <section aria-label="Checks">
      <h2>Checks</h2>
      <Switch>
        <Match when={review.tests() === "running"}>
          <p class="mut" role="status">
            Running…
          </p>
        </Match>
        <Match when={fault()}>{(each) => <Refusal fault={each()} />}</Match>
        <Match when={done()}>{(each) => <TestReport run={each()} />}</Match>
      </Switch>
      <button type="button" disabled={review.tests() === "running"} onClick={() => void review.runTests()}>
        Run checks
      </button>
    </section>
  );
}

/** Their names. The output has the rest. */
const FAILURES_MAX = 20;

function TestReport(props: { run: TestRun }) {
  /** The end, where the beginning was cut from it. */
  const tail = () => props.run.run?.output.tail || props.run.run?.output.head || "";
  return (
    <div role="status">
      <p>
        <span class={`pill ${props.run.verdict === "passed" ? "ok" : props.run.verdict === "failed" ? "bad" : "warn"}`}>
          {props.run.verdict}
        </span>{" "}
        <code>{marked(props.run.plan.command)}</code>
      </p>
      <Show when={props.run.summary}>
        {(sum) => (
          <>
            <p class="mut">
              {sum().passed} passed, {sum().failed} failed, {sum().skipped} skipped
            </p>
            <ul class="conflicts">
              <For each={sum().failures.slice(0, FAILURES_MAX)}>{({ name }) => <li>✗ {marked(name)}</li>}</For>
            </ul>
          </>
        )}
      </Show>
      <Show when={props.run.verdict !== "passed" && tail() !== ""}>
        <pre tabindex={0}>{marked(tail(), { controls: "text" })}</pre>
      </Show>
    </div>
  );
}

function Merging(props: { page: PageState; review: Review }) {
  const check = () => {
    const merge = props.review.merge();
    return merge && !isFault(merge) ? merge : undefined;
  };
  const fault = () => {
    const merge = props.review.merge();
    return merge && isFault(merge) ? merge : undefined;
  };
  return (
    <section aria-label="Merge">
      <h2>Merge</h2>
      <Show when={fault()}>{(each) => <Refusal fault={each()} />}</Show>
      <Show when={check()}>{(each) => <Offers page={props.page} check={each()} />}</Show>
    </section>
  );
}

function Offers(props: { page: PageState; check: MergeCheck }) {
  return (
    <>
      <MergeWords check={props.check} />
      <For each={props.check.commands}>
        {({ title, command }) => (
          <div class="offer">
            <p>{title}</p>
            <pre>{marked(command, { controls: "text" })}</pre>
            <span class="btns">
              <button type="button" aria-label={`Copy: ${title}`} onClick={() => void copy(props.page, command)}>
                Copy
              </button>
              <button
                type="button"
                aria-label={`Into a shell's prompt: ${title}`}
                title="It stands there and is not run"
                onClick={() => void intoPrompt(props.page, command)}
              >
                Into a shell's prompt
              </button>
            </span>
          </div>
        )}
      </For>
    </>
  );
}

function MergeWords(props: { check: MergeCheck }) {
  const into = () => marked(props.check.into);
  return (
    <>
      <Switch>
        <Match when={props.check.merged}>
          <p>
            <code>{into()}</code> has all commits of it.
          </p>
        </Match>
        <Match when={props.check.clean}>
          <p>
            <span class="pill ok">merges</span> into <code>{into()}</code>
          </p>
        </Match>
        <Match when={!props.check.clean}>
          <p>
            <span class="pill bad">conflicts</span> with <code>{into()}</code>:
          </p>
          <ul class="conflicts">
            <For each={props.check.conflicts}>
              {(path) => (
                <li>
                  <code>{marked(path)}</code>
                </li>
              )}
            </For>
          </ul>
        </Match>
      </Switch>
      <Show when={props.check.uncommitted > 0}>
        <p class="mut">
          {props.check.uncommitted} changed {props.check.uncommitted === 1 ? "file is" : "files are"} not committed: no
          merge would bring {props.check.uncommitted === 1 ? "it" : "them"}.
        </p>
      </Show>
    </>
  );
}

async function copy({ toasts }: PageState, text: string): Promise<void> {
  toasts.notify((await toClipboard(text)) ? "Copied." : text);
}

/** A shell of the person's in the repository, or a new one there. The text waits in its prompt; nothing runs. */
async function intoPrompt(page: PageState, command: string): Promise<void> {
  const repo = page.info()?.worktree?.repo ?? "";
  const isThere = ({ cwd }: { cwd: string }) => cwd === repo || cwd.startsWith(`${repo}/`);
  const here = page.info()?.session_id ?? "";
  const near = page.sessions.running().filter(({ session_id }) => hostOf(session_id) === hostOf(here));
  const shells = near.filter((each) => each.integration !== "none" && !each.box && !each.worktree);
  const shell = shells.find(isThere) ?? (await call("pty_open", { cwd: repo, ...hostFor(here) }));
  if ("fault" in shell) return page.toasts.fault(shell);
  page.sessions.put(shell);
  const writing = writingOf(page.drafts, shell.session_id);
  const { text } = writing.written();
  writing.put(text === "" ? command : `${text}\n${command}`);
  page.select(shell.session_id);
}
