// What the daemon has to do, in figures: for `status`, and as Prometheus text.
import fs from "node:fs";
import type { Output } from "../../protocol/ops.ts";
import { VERSION } from "../../protocol/plain/version.ts";
import type { Timings } from "../meters.ts";
import type { Context } from "./context.ts";

type Load = Output<"status">["load"];
type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [labels: Labels, value: number];

/** Answers what came since it was asked last. */
export class LoadMeter {
  readonly #ctx: Context;
  /** What was printed before the first question is not known: nobody has read all journals then. */
  #last: { readonly at: number; readonly calls: number; readonly printed: number | undefined };

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#last = { at: ctx.startedAt, calls: 0, printed: undefined };
  }

  now(): Load {
    const { meters, approvals } = this.#ctx;
    const { printed, behind, lost, unread, viewers } = flows(this.#ctx);
    const calls = sum([...meters.calls.values()].map(({ count }) => count));
    const answers = [...meters.answers.values()];
    const answered = sum(answers.map(({ count }) => count));
    const at = Date.now();
    const { at: from, calls: callsThen, printed: printedThen = printed } = this.#last;
    this.#last = { at, calls, printed };
    const seconds = Math.max(1, at - from) / 1_000;
    return {
      since_ms: at - from,
      calls_per_s: rounded((calls - callsThen) / seconds),
      output_bytes_per_s: rounded(Math.max(0, printed - printedThen) / seconds),
      behind_bytes: behind,
      dropped_output_bytes: lost,
      dropped_input_bytes: unread,
      viewers,
      questions: approvals.list("pending").length,
      answered,
      answer_s: answered === 0 ? null : rounded(sum(answers.map(({ seconds: one }) => one)) / answered),
    };
  }
}

/** The text format that Prometheus reads. */
export function metricsText(ctx: Context): string {
  const { meters } = ctx;
  const { printed, behind, lost, unread, viewers } = flows(ctx);
  const states = new Map<string, number>();
  for (const { state } of ctx.sessions.list()) states.set(state, (states.get(state) ?? 0) + 1);
  const cpu = process.cpuUsage();
  return [
    family("duetty_info", "gauge", "The version that runs.", [[{ version: VERSION }, 1]]),
    family("duetty_uptime_seconds", "gauge", "How long the daemon runs.", one((Date.now() - ctx.startedAt) / 1_000)),
    family("process_resident_memory_bytes", "gauge", "Memory of the daemon.", one(process.memoryUsage.rss())),
    family("process_cpu_seconds_total", "counter", "Time of the processor.", one((cpu.user + cpu.system) / 1e6)),
    family("process_open_fds", "gauge", "Open descriptors of the daemon.", openDescriptors()),
    family("duetty_sessions", "gauge", "Sessions by their state.", labelled("state", states)),
    family("duetty_damaged_sessions", "gauge", "Sessions that cannot be read.", one(ctx.sessions.damaged.size)),
    family("duetty_journal_bytes", "gauge", "What all sessions printed.", one(printed)),
    family("duetty_behind_bytes", "gauge", "Printed and on no screen yet.", one(behind)),
    family("duetty_dropped_output_bytes_total", "counter", "Lost to a full disk.", one(lost)),
    family("duetty_dropped_input_bytes_total", "counter", "Typed and never read.", one(unread)),
    family("duetty_viewers", "gauge", "Open pages and terminals.", one(viewers)),
    family("duetty_questions", "gauge", "Questions that wait for a person.", one(ctx.approvals.list("pending").length)),
    timings("duetty_answer_seconds", "From a question to its answer.", "state", meters.answers),
    timings("duetty_call_seconds", "How long operations took.", "op", meters.calls),
    family("duetty_refused_calls_total", "counter", "Refused calls by code.", labelled("code", meters.refusals)),
  ].join("");
}

function flows({ sessions }: Context) {
  const all = { printed: 0, behind: 0, lost: 0, unread: 0, viewers: 0 };
  for (const session of sessions.list()) {
    const { printed, behind, dropped } = session.flow;
    all.printed += printed;
    // What an ended session printed is on its screen as soon as somebody looks.
    if (!session.over) all.behind += behind;
    all.lost += dropped.output;
    all.unread += dropped.input;
    all.viewers += session.display.viewers.count;
  }
  return all;
}

function openDescriptors(): readonly Sample[] {
  try {
    return one(fs.readdirSync("/proc/self/fd").length);
  } catch {
    // Not every system tells.
    return [];
  }
}

function family(name: string, type: "gauge" | "counter", help: string, samples: Iterable<Sample>): string {
  const lines = [...samples].map(([labels, value]) => sample(name, labels, value));
  return lines.length === 0 ? "" : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function timings(name: string, help: string, label: string, all: ReadonlyMap<string, Timings>): string {
  const lines = [...all].flatMap(([key, times]) => {
    const own = { [label]: key };
    const buckets = [...times.upTo()].map(([bound, count]) => {
      const le = Number.isFinite(bound) ? bound : "+Inf";
      return sample(`${name}_bucket`, { ...own, le }, count);
    });
    return [...buckets, sample(`${name}_sum`, own, times.seconds), sample(`${name}_count`, own, times.count)];
  });
  return lines.length === 0 ? "" : `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${lines.join("")}`;
}

/** Labels are words of ours: codes, states and names of operations. */
function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

function labelled(label: string, counts: ReadonlyMap<string, number>): readonly Sample[] {
  return [...counts].map(([key, count]) => [{ [label]: key }, count]);
}

const one = (value: number): readonly Sample[] => [[{}, value]];
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const rounded = (value: number): number => Math.round(value * 10) / 10;
