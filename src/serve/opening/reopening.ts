// Sessions that ended without anybody's wish: offers them, and starts or forgets them when a person says so. A started one is a
// new session that names the old one. Owns: which are being started, so that each is started once.
import fs from "node:fs";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import type { Actor } from "../../core/gate/actor.ts";
import type { NoSessionGate } from "../../core/gate/no-session.ts";
import type { Meta } from "../../core/journal/store.ts";
import { endedUnwished } from "../../core/recipe/ended.ts";
import { asksAlone, missingNote, nameFor, placeFor } from "../../core/recipe/offer.ts";
import type { Recipe } from "../../core/recipe/recipe.ts";
import { shellLine } from "../../core/run/tests/shell-words.ts";
import { wasClosed } from "../../core/session/life.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { readEnds } from "../../host/holder/ends.ts";
import { endOrphans } from "../../host/process/child-tree.ts";
import type { Lost } from "../../protocol/ops/reopen.ts";
import type { Input } from "../../protocol/ops.ts";
import { agentNameIn } from "../../protocol/plain/agent-name.ts";
import { personNameIn } from "../../protocol/plain/person-name.ts";
import type { Caller } from "../auth.ts";
import { markerIn } from "../markers.ts";
import { assignments } from "./admission.ts";
import type { AgentStarts } from "./agent-starts.ts";
import type { OpenRequests } from "./open.ts";

interface ReopeningParts {
  readonly sessions: Sessions;
  readonly opening: OpenRequests;
  readonly starts: AgentStarts;
  readonly noSessionGate: NoSessionGate;
  /** Of the machine, now. */
  readonly boot: string;
  /** The file that says when holders were told to end. */
  readonly ends: string;
}

/** A session with a recipe. */
interface Kept {
  readonly session: Session;
  readonly recipe: Recipe;
}

type Env = Input<"restore">["base_env"];

export class Reopening {
  #parts: ReopeningParts;
  #starting = new Map<string, Promise<Lost>>();

  constructor(parts: ReopeningParts) {
    this.#parts = parts;
  }

  /** All that a person may want back, the oldest first. */
  show(refs?: readonly string[]): Lost[] | Fault {
    const kept = refs ? this.#named(refs) : this.#lost();
    return isFault(kept) ? kept : kept.map((one) => this.#offer(one));
  }

  /** Those that are named; otherwise all that need no question of their own. One that is being started is started once. */
  async start(refs: readonly string[] | undefined, env: Env, caller: Caller): Promise<Lost[] | Fault> {
    const kept = refs ? this.#named(refs) : this.#lost().filter((one) => this.#offer(one).alone === null);
    if (isFault(kept)) return kept;
    let before: Promise<unknown> = Promise.resolve();
    // One after the other: names and limits are those after the one before.
    const all = kept.map((one) => {
      const { id } = one.session;
      const started = this.#starting.get(id) ?? before.then(() => this.#start(one, env, caller));
      this.#starting.set(id, started);
      before = started.finally(() => this.#starting.delete(id));
      return started;
    });
    await before;
    return Promise.all(all);
  }

  forget(refs: readonly string[] | undefined): Lost[] | Fault {
    const kept = refs ? this.#named(refs) : this.#lost();
    if (isFault(kept)) return kept;
    return kept.map((one) => {
      const offer = this.#offer(one);
      this.#parts.sessions.noteRecipe(one.session, { forgotten: true });
      return { ...offer, outcome: "forgotten" };
    });
  }

  #lost(): Kept[] {
    const { sessions, ends } = this.#parts;
    const all = sessions.list();
    const holderEnds = readEnds(ends);
    // A daemon that was killed in between has noted it only with the new one.
    const done = new Set(all.map(({ meta }) => meta.recipe?.restored_from));
    return all
      .flatMap((session): Kept[] => {
        const { recipe } = session.meta;
        if (!recipe || recipe.forgotten || recipe.restored_as || done.has(session.id)) return [];
        const closed = () => wasClosed(session.display.past.files.readLines("events"));
        return endedUnwished({ ...session.info(), closed }, holderEnds) ? [{ session, recipe }] : [];
      })
      .sort((a, b) => a.session.meta.created_at - b.session.meta.created_at);
  }

  #named(refs: readonly string[]): Kept[] | Fault {
    const lost = this.#lost();
    const found = refs.map((ref) => {
      const session = this.#parts.sessions.find(ref);
      if (isFault(session)) return session;
      return lost.find((one) => one.session === session) ?? notLost(session);
    });
    const wrong = found.find(isFault);
    return wrong ?? [...new Set(found.filter((one): one is Kept => !isFault(one)))];
  }

  #offer({ session, recipe }: Kept): Lost {
    const { noSessionGate, starts, boot } = this.#parts;
    const { meta } = session;
    const { command, note } = this.#words(meta);
    const isTasked = starts.isTasked(meta);
    const place = placeFor(recipe.cwd, isFolder);
    const name = nameFor(meta.name, this.#names());
    const isTheirs = agentNameIn(meta.actor) !== undefined;
    const line = shellLine([...(isTheirs ? assignments(recipe.env) : []), ...command]);
    // An agent CLI in its box waits for somebody's prompt.
    const isWaiting = Boolean(meta.agent && meta.box);
    const { risk } = noSessionGate.explain("person", line, place.cwd, {});
    const [reason] = isWaiting || risk.class !== "risky" ? [] : risk.reasons;
    const reach = isTheirs && meta.box?.network.length ? `its box reaches ${meta.box.network.join(", ")}` : null;
    const notes = [note, place.note, name.note, missingNote(recipe), reach].filter((note) => note !== null);
    return {
      session_id: session.id,
      name: name.name,
      actor: meta.actor,
      agent: meta.agent ?? null,
      box: meta.box ? { network: [...meta.box.network], roots: [...meta.box.roots] } : null,
      command,
      line,
      cwd: place.cwd,
      created_at: meta.created_at,
      boot: recipe.boot === boot ? "this" : "earlier",
      notes,
      alone: asksAlone({ actor: meta.actor, risk: reason ? `${reason.part} ${reason.why}` : null, isTasked }),
      failed: recipe.failed ?? null,
      outcome: "offered",
      restored_as: null,
    };
  }

  /** An agent goes on with its conversation, where it can. */
  #words(meta: Meta): { readonly command: string[]; readonly note: string | null } {
    const again = meta.agent ? this.#parts.starts.againWords(agentAgain(meta)) : undefined;
    if (again === undefined || isFault(again)) return { command: [...meta.command], note: again?.message ?? null };
    const isOld = again.resume !== undefined;
    return { command: [...again.words], note: `it ${isOld ? "goes on with its" : "begins a new"} conversation` };
  }

  #names(): ReadonlySet<string> {
    return new Set(this.#parts.sessions.live.flatMap(({ meta }) => (meta.name === null ? [] : [meta.name])));
  }

  async #start(kept: Kept, base_env: Env, caller: Caller): Promise<Lost> {
    const { sessions, opening, boot } = this.#parts;
    const { session, recipe } = kept;
    const offer = this.#offer(kept);
    // In the boot in which it ran, programs may be left that did not heed the hang-up. There is one of each.
    if (recipe.boot === boot) await endOrphans((environment) => markerIn(environment) === session.id);
    const input = requestFor(session, recipe, offer, base_env);
    const { actor, worktree, task } = session.meta;
    const as = { actor: actorIn(actor), from: session.id, tree: worktree?.tree };
    const opened = await opening.open(input, caller, { as, ...(task ? { task: task.text } : {}) });
    if (isFault(opened)) {
      const failed = `${opened.message} ${opened.hint}`.trim();
      sessions.noteRecipe(session, { failed });
      return { ...offer, outcome: "failed", failed };
    }
    sessions.noteRecipe(session, { restored_as: opened.id });
    return { ...offer, outcome: "started", restored_as: opened.id };
  }
}

function requestFor(session: Session, recipe: Recipe, offer: Lost, base_env: Env): Input<"pty_open"> {
  const { meta } = session;
  const { cols, rows } = session.info();
  return {
    ...(meta.agent ? agentAgain(meta) : { command: offer.command }),
    cwd: offer.cwd,
    env: { ...recipe.env },
    ...(base_env ? { base_env } : {}),
    ...(offer.name === null ? {} : { name: offer.name }),
    ...(meta.sizing === "pinned" ? { cols, rows } : {}),
    box: offer.box ?? false,
    integrate: meta.integration !== null,
    lazy: false,
  };
}

/** It goes on with its old conversation, where the agent can. Its first prompt was said. */
function agentAgain({ agent, agent_args = [], agent_session_id }: Meta) {
  return {
    ...(agent ? { agent } : {}),
    ...(agent_args.length > 0 ? { command: [...agent_args] } : {}),
    ...(agent_session_id ? { resume: agent_session_id } : {}),
  };
}

function notLost({ id, state, meta }: Session): Fault {
  const as = meta.recipe?.restored_as;
  const why = as ? `it is back as ${as}` : meta.recipe?.forgotten ? "it was forgotten" : `it is ${state}`;
  return fault("restore.none", `${id} is not to be restored: ${why}`, "Only what ended with the machine comes back.");
}

/** One that a link leads to is another than the one that was kept. */
function isFolder(path: string): boolean {
  try {
    return fs.realpathSync(path) === path && fs.statSync(path).isDirectory();
  } catch {
    // Gone, or not ours to see.
    return false;
  }
}

/** Who opened it, as meta names them. */
function actorIn(who: string): Actor {
  const agent = agentNameIn(who);
  if (agent !== undefined) return { kind: "agent", name: agent };
  const name = personNameIn(who);
  return name === undefined ? { kind: "person" } : { kind: "person", name };
}
