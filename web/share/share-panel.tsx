// Shares the shown session by a link: for what, how long, how often and for whom. The link is shown once, here.
import { createSignal, For, Show } from "solid-js";
import type { Call, Output } from "../../src/protocol/ops.ts";
import { placeOf } from "../../src/protocol/plain/host-place.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { hostOf } from "../hosts/words.ts";
import { labelOf } from "../sessions/labels.ts";
import { toClipboard } from "../widgets/clipboard.ts";
import { Dialog, DialogHead } from "../widgets/dialog.tsx";
import { call, type Fault, isFault } from "../wire/api.ts";
import { ShareLinks } from "./links.tsx";
import { isLocal, ROLES, TIMES, timeWords, USES } from "./words.ts";

export function SharePanel(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  const close = () => page.setOverlay("none");
  const [made, setMade] = createSignal<Output<"share">>();
  let first: HTMLInputElement | undefined;
  const setFirst = (el: HTMLInputElement) => {
    first = el;
  };
  const name = () => {
    const info = page.info();
    return info ? `Share ${labelOf(info)}` : "Share";
  };
  return (
    <Dialog name={name()} class="new sharing" first={() => first} onClose={close}>
      <DialogHead title={name()} onClose={close} />
      <div class="scroll">
        <Show when={hostOf(shown.id) === undefined} fallback={<NotFromHere session={shown.id} />}>
          <Show when={made()} keyed fallback={<ShareForm session_id={shown.id} first={setFirst} onMade={setMade} />}>
            {(link) => <Made link={link} onMore={() => setMade(undefined)} />}
          </Show>
          <section aria-label="Links to this session">
            <h3>Links to this session</h3>
            <ShareLinks page={page} session_id={shown.id} renew={() => [made(), shown.control.facts.here]} />
          </section>
        </Show>
      </div>
    </Dialog>
  );
}

/** A link leads to the machine that has the session, and only that one can make it. */
function NotFromHere(props: { session: string }) {
  const place = () => placeOf(props.session);
  return (
    <div class="elsewhere">
      <p>This session is on {place()?.host}. A link to it can only be made there, because it leads to that machine.</p>
      <p class="mut">
        In a terminal on {place()?.host}: <code>duetty share {place()?.id}</code>
      </p>
    </div>
  );
}

interface ShareFormProps {
  readonly session_id: string;
  /** The field that one begins with. */
  first(el: HTMLInputElement): void;
  onMade(made: Output<"share">): void;
}

function ShareForm(props: ShareFormProps) {
  const [refusal, setRefusal] = createSignal<Fault>();
  const [busy, setBusy] = createSignal(false);
  async function share(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    if (busy()) return;
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    const answer = await call(
      "share",
      wantedOf(props.session_id, (name) => String(fields.get(name) ?? "").trim()),
    );
    setBusy(false);
    if (isFault(answer)) setRefusal(answer);
    else props.onMade(answer);
  }
  return (
    <form onSubmit={share}>
      <Roles />
      <div class="two">
        <label>
          For whom
          <input
            ref={props.first}
            name="name"
            placeholder="guest"
            maxlength={40}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <Select name="for" label="How long" options={TIMES} first="1h" />
        <Select name="uses" label="It can be opened" options={USES} first="" />
        <label class="check">
          <input type="checkbox" name="unmasked" /> Show secrets, too
        </label>
      </div>
      <Show when={refusal()}>
        {(fault) => (
          <p class="wrong" role="alert">
            {fault().message} <span>{fault().hint}</span>
          </p>
        )}
      </Show>
      <span class="btns">
        <button type="submit" class="pri" disabled={busy()}>
          Make a link
        </button>
      </span>
    </form>
  );
}

function Roles() {
  return (
    <fieldset class="choice-of">
      <legend>Whoever has the link</legend>
      <For each={Object.entries(ROLES)}>
        {([role, { title, means }]) => (
          <label>
            <input type="radio" name="role" value={role} checked={role === "watch"} />
            <span>
              {title} <small>{means}</small>
            </span>
          </label>
        )}
      </For>
    </fieldset>
  );
}

function wantedOf(session_id: string, field: (name: string) => string): Call<"share"> {
  const [name, uses] = [field("name"), field("uses")];
  return {
    session_id,
    role: field("role") as Call<"share">["role"],
    for: field("for"),
    unmasked: field("unmasked") === "on",
    ...(name === "" ? {} : { name }),
    ...(uses === "" ? {} : { uses: Number(uses) }),
  };
}

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly first: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
}

function Select(props: SelectProps) {
  return (
    <label>
      {props.label}{" "}
      <select name={props.name}>
        <For each={props.options}>
          {({ value, title }) => (
            <option value={value} selected={value === props.first}>
              {title}
            </option>
          )}
        </For>
      </select>
    </label>
  );
}

function Made(props: { link: Output<"share">; onMore(): void }) {
  const [copied, setCopied] = createSignal<"copied" | "select">();
  let field: HTMLInputElement | undefined;
  const copy = async () => {
    field?.select();
    setCopied((await toClipboard(props.link.url)) ? "copied" : "select");
  };
  const { share, url } = props.link;
  return (
    <section aria-label="The link" class="made">
      <p>
        <b>{share.name}</b> {ROLES[share.role].short} until {timeWords(share.expires_at)}. This link is shown once.
      </p>
      <span class="btns">
        <input
          readonly
          aria-label="Link"
          value={url}
          ref={(el) => {
            field = el;
            queueMicrotask(() => el.select());
          }}
        />
        <button type="button" class="pri" onClick={() => void copy()}>
          Copy
        </button>
      </span>
      <p role="status" class="mut">
        <Show
          when={copied()}
          fallback={isLocal(url) && "It leads to this machine only: other machines need duetty serve --host."}
        >
          {copied() === "copied" ? "Copied." : "The browser did not let us. Press Ctrl+C."}
        </Show>
      </p>
      <button type="button" onClick={() => props.onMore()}>
        Make another link
      </button>
    </section>
  );
}
