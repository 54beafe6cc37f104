// Calls and their observations in a history. Providers reject a call without its observation and the other way round, so
// this file repairs a history after a line of the transcript was lost. Pure.
import type { AgentReply, Entry, Observation, ToolCall } from "../history.ts";

const LOST = "[the result of this was lost]";

/** Calls of the newest reply that have no observation yet, in their order. What came before a new prompt is not run. */
export function openCalls(history: readonly Entry[]): readonly ToolCall[] {
  const at = history.findLastIndex((entry) => entry.role === "agent");
  const said = history[at];
  if (said?.role !== "agent") return [];
  const after = history.slice(at + 1);
  if (after.some((entry) => entry.role === "person")) return [];
  const seen = new Set(after.map((entry) => (entry.role === "observation" ? entry.call_id : "")));
  return said.calls.filter(({ id }) => !seen.has(id));
}

/** Every call gets exactly one observation, right after its reply. Observations without a call are left out. */
export function mend(history: readonly Entry[]): readonly Entry[] {
  const whole: Entry[] = [];
  for (let at = 0; at < history.length; ) {
    const entry = history[at];
    at += 1;
    if (entry?.role === "person") whole.push(entry);
    if (entry?.role !== "agent") continue;
    const next = history.findIndex((other, i) => i >= at && other.role === "agent");
    const after = history.slice(at, next < 0 ? history.length : next);
    whole.push(...exchangeOf(entry, after), ...after.filter(({ role }) => role === "person"));
    at += after.length;
  }
  return whole;
}

function exchangeOf(said: AgentReply, after: readonly Entry[]): readonly Entry[] {
  const calls = said.calls.filter(({ id }, i) => said.calls.findIndex((other) => other.id === id) === i);
  const observations = calls.map(({ id, tool }): Observation => {
    const seen = after.find((entry) => entry.role === "observation" && entry.call_id === id);
    if (seen?.role === "observation") return seen;
    return { role: "observation", call_id: id, tool, ok: false, text: LOST, again: null };
  });
  return [calls.length === said.calls.length ? said : { ...said, calls }, ...observations];
}

/** The same calls under names that no other call of the history has: some providers count from zero in each reply. */
export function named(calls: readonly ToolCall[], history: readonly Entry[]): readonly ToolCall[] {
  const taken = new Set(history.flatMap((entry) => (entry.role === "agent" ? entry.calls.map(({ id }) => id) : [])));
  return calls.map((call) => {
    const base = call.id === "" ? "call" : call.id;
    let id = base;
    for (let n = 2; taken.has(id); n += 1) id = `${base}-${n}`;
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}
