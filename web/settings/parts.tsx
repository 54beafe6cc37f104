// The parts of the settings panel: a section, a choice of a few, a switch.
import { For, type JSX, Show } from "solid-js";

export function Section(props: { title: string; children: JSX.Element }) {
  return (
    <section aria-label={props.title}>
      <h3>{props.title}</h3>
      {props.children}
    </section>
  );
}

interface Option<V extends string> {
  readonly value: V;
  readonly title: string;
  readonly means?: string;
}

interface ChoiceProps<V extends string> {
  readonly name: string;
  readonly now: V | undefined;
  readonly options: readonly Option<V>[];
  onChoose(value: V): void;
}

export function Choice<V extends string>(props: ChoiceProps<V>) {
  return (
    <fieldset class="choice-of">
      <legend>{props.name}</legend>
      <For each={props.options}>
        {({ value, title, means }) => (
          <label>
            <input
              type="radio"
              name={`set-${props.name}`}
              checked={props.now === value}
              onChange={() => props.onChoose(value)}
            />
            <span>
              {title}
              <Show when={means}>{(words) => <small>{words()}</small>}</Show>
            </span>
          </label>
        )}
      </For>
    </fieldset>
  );
}

export function Toggle(props: { title: string; means: string; isOn: boolean; onToggle(): void }) {
  return (
    <div class="toggle">
      <button type="button" class="sw" role="switch" aria-checked={props.isOn} onClick={() => props.onToggle()}>
        <i />
        {props.title}
      </button>
      <small>{props.means}</small>
    </div>
  );
}
