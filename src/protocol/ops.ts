// The table of operations. No surface has a verb that this table lacks, and every entry must have a handler to compile.
import { agentControl, agentEvents, agents, ask } from "./agent.ts";
import { block, blocks } from "./blocks.ts";
import { readDeltas, screenStatus } from "./deltas.ts";
import { doctor } from "./doctor.ts";
import { ptySend, ptyWait } from "./drive.ts";
import { approvals, approve, askPerson, deny, explain, mode, policy, release, stop, take, trust } from "./gate.ts";
import type { CallOf, InputOf, OutputOf } from "./op.ts";
import { checks, complete, news, rename } from "./page.ts";
import { report, runCommand, runTests } from "./run.ts";
import { readRaw, readScreen } from "./screen.ts";
import { ptyClose, ptyList, ptyOpen, ptyResize, signal } from "./session.ts";
import { loginCode, shutdown, status } from "./system.ts";
import { exportSession, search, timeline } from "./time.ts";

export const ops = [
  ptyOpen,
  ptyList,
  status,
  readScreen,
  readDeltas,
  screenStatus,
  readRaw,
  ptySend,
  ptyWait,
  runCommand,
  runTests,
  blocks,
  block,
  report,
  ask,
  agentEvents,
  agentControl,
  agents,
  take,
  release,
  stop,
  mode,
  policy,
  approvals,
  approve,
  deny,
  explain,
  askPerson,
  trust,
  rename,
  complete,
  checks,
  news,
  ptyResize,
  signal,
  ptyClose,
  timeline,
  exportSession,
  search,
  doctor,
  shutdown,
  loginCode,
] as const;

export type AnyOp = (typeof ops)[number];
export type OpName = AnyOp["name"];
export type Named<N extends OpName> = Extract<AnyOp, { name: N }>;
export type Input<N extends OpName> = InputOf<Named<N>>;
export type Output<N extends OpName> = OutputOf<Named<N>>;
export type Call<N extends OpName> = CallOf<Named<N>>;
