// The machine on which something new begins: a field of a form, only where there are several.
import { For, Show } from "solid-js";
import type { Hosts } from "./hosts.ts";
import { hostWord } from "./words.ts";

interface HostChoiceProps {
  readonly hosts: Hosts;
  /** Empty: this machine. */
  readonly now: string;
  onChoose(host: string): void;
}

export function HostChoice(props: HostChoiceProps) {
  const word = (host: ReturnType<Hosts["all"]>[number]) =>
    host.reach === "here" ? host.host : `${host.host} (${hostWord(host, Date.now())})`;
  return (
    <Show when={props.hosts.all().length > 0}>
      <label>
        Machine
        <select name="host" value={props.now} onChange={(event) => props.onChoose(event.currentTarget.value)}>
          <option value="">{props.hosts.me()} (this machine)</option>
          <For each={props.hosts.all()}>
            {(host) => (
              <option value={host.host} disabled={host.reach !== "here"} selected={host.host === props.now}>
                {word(host)}
              </option>
            )}
          </For>
        </select>
      </label>
    </Show>
  );
}
