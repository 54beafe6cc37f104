// How far agents may go with keys to running programs: three levels, each with what it means.
import { For } from "solid-js";
import type { Control, Policy } from "../state/control.ts";
import { Popover } from "./popover.tsx";

const LEVELS: readonly { readonly level: Policy["level"]; readonly name: string; readonly means: string }[] = [
  { level: "ask_first", name: "Ask first", means: "once for each program; then it goes on by itself" },
  { level: "always_ask", name: "Always ask", means: "for every command and every key" },
  { level: "always_allow", name: "Always allow", means: "only what safe mode holds back is asked" },
];

export function PolicyMenu(props: { control: Control }) {
  const now = () => props.control.facts.policy?.level ?? "ask_first";
  const name = () => LEVELS.find(({ level }) => level === now())?.name ?? now();
  return (
    <Popover name={`policy: ${name()}, what agents may do`} button={<>policy: {name()}</>} class="policy">
      {(shut) => (
        <div class="items" role="radiogroup" aria-label="What agents may do">
          <For each={LEVELS}>
            {({ level, name: title, means }) => (
              // biome-ignore lint/a11y/useSemanticElements: a menu of choices with a line of text each
              <button
                type="button"
                role="radio"
                aria-checked={now() === level}
                onClick={() => {
                  props.control.setPolicy({ level });
                  shut();
                }}
              >
                <b>{title}</b> <small>{means}</small>
              </button>
            )}
          </For>
        </div>
      )}
    </Popover>
  );
}
