// Why the question is asked, in one paragraph: risk, rule, folder, where it runs, the agent's confidence and its own words.
import { For, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { riskWords, ruleWords, whereWords } from "../../src/core/base/question-words.ts";
import { shortPath } from "../sessions/labels.ts";
import type { CardProps } from "./card-props.ts";
import { confidenceWords } from "./words.ts";

/** Nobody reads more reasons than this. */
const REASONS_MAX = 3;

export function ApprovalFacts(props: CardProps & { id: string }) {
  const asked = () => props.approval;
  const threshold = () => props.seat?.threshold();
  const reasons = () => asked().reasons.filter((reason) => reason.class !== "safe" && reason.why !== "");
  return (
    <p class="facts" id={props.id}>
      <Show when={asked().rule !== "ask_person"}>
        <Show when={riskWords(asked())}>{(words) => <b>{words()}</b>}</Show>
        <For each={reasons().slice(0, REASONS_MAX)}>
          {(reason) => (
            <span>
              <Show when={reason.part !== asked().text}>
                <code>{reason.part}</code>{" "}
              </Show>
              {reason.why}
            </span>
          )}
        </For>
        <span title={asked().rule}>{ruleWords(asked())}</span>
      </Show>
      <Show when={asked().cwd}>{(cwd) => <span title={cwd()}>in {shortPath(cwd())}</span>}</Show>
      <Show when={whereWords(asked())}>
        {(words) => <Dynamic component={asked().where === "outside" ? "b" : "span"}>runs {words()}</Dynamic>}
      </Show>
      <Show when={confidenceWords(asked().confidence, threshold())}>{(words) => <span>{words()}</span>}</Show>
      <Show when={asked().description}>{(said) => <span>“{said()}”</span>}</Show>
    </p>
  );
}
