// What needs a person, over all sessions; and what changes in them.
import * as z from "zod";
import { op } from "../op.ts";
import { AllHosts, Missing, OnHost, SessionRef } from "../words/ids.ts";
import { Need, TerminalNotice } from "../words/need.ts";
import { Transition } from "../words/transition.ts";

export const needs = op("needs", {
  summary:
    "List what needs you in all sessions, oldest first: questions, passwords, blocked agents, ends that nobody saw.",
  effect: "control",
  input: z.object({ host: OnHost, hosts: AllHosts }),
  output: z.object({
    needs: z.array(Need),
    notify: z.array(TerminalNotice).describe("how attached terminals tell"),
    missing: Missing,
  }),
  cli: {
    verb: "needs",
    args: [],
    print: "gate",
    also: { all: { hosts: "all" } },
    examples: ["duetty needs", "duetty needs --all", "duetty needs --json"],
  },
});

export const watch = op("watch", {
  summary: "Wait for changes of sessions, agent CLIs, commands, questions and needs, and list them in their order.",
  effect: "control",
  input: z.object({
    cursor: z.string().max(100).optional().describe("of the last answer; without one: what is so now"),
    session_id: SessionRef.optional().describe("only of this one"),
    timeout_ms: z.int().min(0).max(600_000).default(25_000),
  }),
  output: z.object({
    cursor: z.string(),
    transitions: z.array(Transition),
    now: z.array(Transition).optional().describe("the cursor is missing, old or of another daemon: what is so now"),
  }),
});
