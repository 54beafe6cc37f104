// The table of operations. No surface has a verb that this table lacks, and every entry must have a handler to compile.

import type { CallOf, InputOf, OutputOf } from "./op.ts";
import { agentControl, agentEvents, agents, ask, hook } from "./ops/agent.ts";
import { devices, pair, push, unpair } from "./ops/away.ts";
import { block, blocks, history } from "./ops/blocks.ts";
import { readDeltas, screenStatus } from "./ops/deltas.ts";
import { doctor } from "./ops/doctor.ts";
import { ptySend, ptyWait } from "./ops/drive.ts";
import { hosts, hostsAdd, hostsRemove } from "./ops/fleet/hosts.ts";
import {
  fleetAllow,
  fleetDevices,
  fleetInit,
  fleetInvite,
  fleetJoin,
  fleetLeave,
  fleetNatsConfig,
  fleetRenew,
  fleetRevoke,
} from "./ops/fleet/members.ts";
import { approvals, approve, askPerson, deny, explain, grant, release, take, trust } from "./ops/gate.ts";
import { needs, watch } from "./ops/needs.ts";
import { checks, complete, edit, findFiles, lift_line, news, rename, unknownCommands } from "./ops/page.ts";
import { mode, policy } from "./ops/policy/policy.ts";
import { ptyPrompt } from "./ops/prompt.ts";
import { restore } from "./ops/reopen.ts";
import { points, undo } from "./ops/restore.ts";
import { integrate, report, runCommand, runTests } from "./ops/run.ts";
import { readRaw, readScreen } from "./ops/screen.ts";
import { gc, ptyClose, ptyList, ptyOpen, ptyResize, remove, signal } from "./ops/session.ts";
import { share, shared, shares, unshare } from "./ops/share.ts";
import { stop } from "./ops/stop.ts";
import { loginCode, metrics, shutdown, status } from "./ops/system.ts";
import { exportSession, search, timeline } from "./ops/time.ts";
import {
  putAway,
  review,
  task,
  worktreeDiff,
  worktreeList,
  worktreeMergeCheck,
  worktreeRemove,
} from "./ops/worktree.ts";

export const ops = [
  ptyOpen,
  ptyList,
  status,
  metrics,
  readScreen,
  readDeltas,
  screenStatus,
  readRaw,
  ptySend,
  ptyPrompt,
  ptyWait,
  runCommand,
  runTests,
  integrate,
  blocks,
  block,
  report,
  ask,
  agentEvents,
  agentControl,
  agents,
  hook,
  take,
  release,
  stop,
  mode,
  policy,
  grant,
  approvals,
  needs,
  watch,
  approve,
  deny,
  explain,
  askPerson,
  trust,
  points,
  undo,
  restore,
  task,
  worktreeList,
  worktreeDiff,
  worktreeMergeCheck,
  worktreeRemove,
  review,
  putAway,
  rename,
  complete,
  history,
  lift_line,
  unknownCommands,
  findFiles,
  edit,
  checks,
  news,
  ptyResize,
  signal,
  ptyClose,
  remove,
  share,
  shares,
  unshare,
  shared,
  pair,
  devices,
  unpair,
  push,
  gc,
  timeline,
  exportSession,
  search,
  hosts,
  hostsAdd,
  hostsRemove,
  fleetInit,
  fleetInvite,
  fleetJoin,
  fleetDevices,
  fleetAllow,
  fleetRevoke,
  fleetRenew,
  fleetNatsConfig,
  fleetLeave,
  doctor,
  shutdown,
  loginCode,
] as const;

export type AnyOp = (typeof ops)[number];
export type OpName = AnyOp["name"];
type Named<N extends OpName> = Extract<AnyOp, { name: N }>;
export type Input<N extends OpName> = InputOf<Named<N>>;
export type Output<N extends OpName> = OutputOf<Named<N>>;
export type Call<N extends OpName> = CallOf<Named<N>>;
