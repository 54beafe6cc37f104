// How far agents may go with keys to running programs: four levels, each with what it means.
import { For } from "solid-js";
import { Popover } from "../widgets/popover.tsx";
import type { Control } from "./control.ts";
import { LEVELS } from "./words.ts";

export function PolicyMenu(props: { control: Control }) {
  const now = () => props.control.facts.policy?.level ?? "ask_first";
  const name = () => LEVELS.find(({ value }) => value === now())?.title ?? now();
  return (
    <Popover name={`policy: ${name()}, what agents may do`} button={<>policy: {name()}</>} class="policy">
      {(shut) => (
        <div class="items" role="radiogroup" aria-label="What agents may do">
          <For each={LEVELS}>
            {({ value: level, title, means }) => (
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
                {level === "edit_here" && now() === level && <small>{props.control.facts.policy?.edit_folder}</small>}
              </button>
            )}
          </For>
        </div>
      )}
    </Popover>
  );
}
