// The name of the machine that something is on, where there are several.
import { Show } from "solid-js";
import type { Hosts } from "./hosts.ts";
import { hostOf } from "./words.ts";

/** `of`: a session, a question or a command. */
export function HostPill(props: { of: string | null | undefined }) {
  return <Pill name={hostOf(props.of)} />;
}

/** The name of this machine, where a session of it stands beside those of others. */
export function OwnPill(props: { hosts: Hosts; of: string }) {
  return <Pill name={props.hosts.all().length > 0 && hostOf(props.of) === undefined && props.hosts.me()} />;
}

function Pill(props: { name: string | false | undefined }) {
  return (
    <Show when={props.name}>
      {(name) => (
        <span class="pill host" title={`On ${name()}`}>
          <span class="unseen">on </span>
          {name()}
        </span>
      )}
    </Show>
  );
}
