// The paired devices, and the code that pairs another. Only the page on the machine itself shows them.
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { call, isFault } from "../wire/api.ts";
import { Section } from "./parts.tsx";

type Listed = Exclude<Awaited<ReturnType<typeof list>>, { fault: true }>["devices"];

/** While a code is shown, we look this often whether it was used. */
const LOOK_MS = 1_500;

const list = () => call("devices", {});

export function DeviceSettings(props: { page: PageState }) {
  const { devices, refusal, code, pair, unpair } = createDevices(props.page);
  return (
    <Section title="Devices">
      <Show when={refusal()}>
        {(hint) => <p class="mut">Devices are let in and put out at the machine. {hint()}</p>}
      </Show>
      <ul class="rows">
        <For each={devices()} fallback={<li class="mut">{devices() ? "No device is paired." : ""}</li>}>
          {({ id, name, last_used_at, last_from, here }) => (
            <li>
              <b>{name}</b>
              <span class="mut">{here > 0 ? "here now" : seenWords(last_used_at, last_from)}</span>
              <span class="grow" />
              <button type="button" aria-label={`Unpair ${name}`} onClick={() => void unpair(id)}>
                Unpair
              </button>
            </li>
          )}
        </For>
      </ul>
      <Show when={devices() && !code()}>
        <button type="button" onClick={() => void pair()}>
          Pair a device
        </button>
      </Show>
      <Show when={code()}>
        {(now) => (
          <p role="status">
            Open <code>{now().url}</code> on the device and type <b data-pairing>{now().code}</b>. It works once, for
            five minutes.
            <Show when={now().url.startsWith("http://127.0.0.1:")}>
              {" "}
              <span class="mut">Only this machine reaches that address; docs/away.md says how others do.</span>
            </Show>
          </p>
        )}
      </Show>
    </Section>
  );
}

function createDevices({ toasts }: PageState) {
  const [devices, setDevices] = createSignal<Listed>();
  const [refusal, setRefusal] = createSignal<string>();
  const [code, setCode] = createSignal<{ readonly code: string; readonly url: string }>();
  let look: ReturnType<typeof setInterval> | undefined;
  const hide = () => {
    clearInterval(look);
    setCode(undefined);
  };
  async function refresh(): Promise<void> {
    const answer = await list();
    if (isFault(answer)) return void setRefusal(answer.hint);
    const before = devices()?.length ?? 0;
    setDevices(answer.devices);
    if (answer.devices.length > before) hide();
  }
  async function pair(): Promise<void> {
    const answer = await call("pair", {});
    if (isFault(answer)) return toasts.fault(answer);
    hide();
    setCode(answer);
    look = setInterval(() => void refresh(), LOOK_MS);
  }
  async function unpair(device: string): Promise<void> {
    const answer = await call("unpair", { device });
    if (isFault(answer)) toasts.fault(answer);
    await refresh();
  }
  onMount(refresh);
  onCleanup(hide);
  return { devices, refusal, code, pair, unpair };
}

function seenWords(at: number | null, from: string | null): string {
  return `seen ${at === null ? "never" : new Date(at).toLocaleString()}${from === null ? "" : ` from ${from}`}`;
}
