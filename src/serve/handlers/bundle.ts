// What somebody who looks for a defect needs to know of this installation, for a person to read and pass on. Made of figures and
// our own words: no output, no commands, no names of sessions, no settings in plain text.
import fs from "node:fs";
import { userInfo } from "node:os";
import { clipped } from "../../core/base/head-tail.ts";
import type { Output } from "../../protocol/ops.ts";
import { VERSION } from "../../protocol/plain/version.ts";
import { readConfig } from "../config.ts";
import type { Context } from "./context.ts";
import { metricsText } from "./load.ts";

/** Of each log, its newest lines. */
const LOG_LINES_MAX = 200;
const LINE_CHARS_MAX = 400;

export function bundle(ctx: Context, checks: Output<"doctor">["checks"]): string {
  const { home } = ctx;
  const parts = {
    version: VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    started_at: new Date(ctx.startedAt).toISOString(),
    checks,
    config: shape(readConfig(home.config)),
    sessions: ctx.sessions.list().map((session) => ({
      state: session.state,
      created_at: new Date(session.meta.created_at).toISOString(),
      size: `${session.meta.cols}x${session.meta.rows}`,
      integration: session.meta.integration,
      box: session.meta.box !== null,
      ...session.flow,
    })),
    metrics: metricsText(ctx).split("\n"),
    daemon_log: lastLines(`${home.run}/daemon.log`, ctx),
    holder_log: lastLines(`${home.run}/holder.log`, ctx),
  };
  return withoutNames(ctx.auth.withoutTokens(JSON.stringify(parts, null, 2)), ctx);
}

/** Switches and figures as they are; of texts only that they are there. */
function shape(value: unknown): unknown {
  if (typeof value === "string") return "‹text›";
  if (Array.isArray(value)) return `‹${value.length} entries›`;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]));
}

/** Hidden once more before they are cut: a log may be older than what is known by now. */
function lastLines(path: string, { secrets }: Context): string[] {
  try {
    const lines = fs.readFileSync(path, "utf8").trimEnd().split("\n").slice(-LOG_LINES_MAX);
    const hidden = secrets.eyes.text(lines.join("\n")).split("\n");
    return hidden.map((line) => clipped(line, LINE_CHARS_MAX));
  } catch {
    return [];
  }
}

/** Paths say who somebody is. The longest goes first, because it may hold the others. */
function withoutNames(text: string, { home, env }: Context): string {
  const names = [
    [home.dir, "‹duetty home›"],
    [env.HOME ?? "", "~"],
    [userInfo().username, "‹user›"],
  ] as const;
  // "root" is nobody's name, and part of many words.
  const telling = names.filter(([name]) => name.length > 1 && name !== "root");
  return telling.reduce((rest, [name, instead]) => rest.replaceAll(name, instead), text);
}
