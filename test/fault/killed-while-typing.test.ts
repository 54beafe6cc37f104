// The daemon is killed again and again while people type, agents' commands run and questions wait for a person. Each key arrives once,
// in order, in its own session. No command runs twice, none runs without its yes, and whoever asked hears the truth about it.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AttachSocket } from "../../src/cli/attach/socket.ts";
import { CallError, isAbsent } from "../../src/client/client.ts";
import { depth } from "../fixtures/depth.ts";
import { seeded } from "../fixtures/seeded.ts";
import { soon } from "../fixtures/soon.ts";
import { type Stand, stand } from "../fixtures/stand/stand.ts";

const SEED = Number(process.env.SEED ?? 1);
/** Each costs the start of a daemon. `npm run test:long` has them all. */
const KILLS = depth(4, 8, 50);
const TYPISTS = 4;
const WORDS = 12;
/** Prints each key once. With echo or lines, the kernel would mix what is typed with what is printed. */
const COPIES = "stty raw -echo; printf ready; exec cat";

/** What an agent knows of its command when its call is over. */
type Heard = "ran" | "may have run" | "did not run";

/** What a dead daemon leaves unanswered does not matter here. */
const tries = (call: Promise<unknown>) => void call.catch(() => undefined);

test(`${KILLS} times kill -9, seed ${SEED}`, async () => {
  await using s = await stand();
  const random = seeded(SEED);
  const typing = await Typing.begin(s, random);
  const work = await Work.begin(s);
  for (let round = 0; round < KILLS; round += 1) {
    const { pid, started_at } = (await s.duetty.status()).daemon;
    const { approvals } = await s.person.approvals({ session_id: work.asked });
    expect(approvals.filter(({ created_at }) => created_at < started_at)).toEqual([]);
    // The last call came when this daemon was there already, and nobody answered.
    for (const { approval_id } of approvals) await s.person.deny({ approval_id });
    const calls = work.ask(round);
    const moments = [async () => undefined, () => work.runs(round), () => work.waits(round), () => work.answers(round)];
    const isDue = moments[round % moments.length]?.();
    await typing.type(round);
    await isDue;
    const dies = s.duetty.killDaemon(pid);
    await typing.type(round);
    work.letGo(round);
    await calls;
    await dies;
  }
  await s.duetty.status();
  await typing.check();
  await work.check();
}, 600_000);

/** People who type into programs, while agents ask for the same keyboards. */
class Typing {
  #s: Stand;
  #random: () => number;
  #ids: readonly string[];
  #sockets: readonly AttachSocket[];
  #typed: string[][];

  private constructor(s: Stand, random: () => number, ids: readonly string[]) {
    [this.#s, this.#random, this.#ids] = [s, random, ids];
    this.#typed = ids.map(() => []);
    this.#sockets = ids.map((id) => {
      const address = `ws+unix://${s.duetty.home.daemonSocket}:/v1/sessions/${id}/terminal?view=composed`;
      const socket = new AttachSocket(address, s.duetty.token("person"));
      const nothing = () => undefined;
      socket.begin({ opened: nothing, message: nothing, away: nothing, failed: nothing });
      return socket;
    });
  }

  static async begin(s: Stand, random: () => number): Promise<Typing> {
    const ids = await Promise.all(Array.from({ length: TYPISTS }, () => s.open(["sh", "-c", COPIES])));
    for (const session_id of ids) await s.person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
    return new Typing(s, random, ids);
  }

  async type(round: number): Promise<void> {
    for (let i = 0; i < WORDS; i += 1) {
      const at = Math.floor(this.#random() * TYPISTS);
      const word = `s${at}r${round}w${i}\r`;
      this.#typed[at]?.push(word);
      this.#sockets[at]?.type(Buffer.from(word));
      if (this.#random() < 0.3) this.#alongside(this.#ids[at] ?? "");
      // Between others, in a turn of its own.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #alongside(session_id: string): void {
    const { agent, person } = this.#s;
    const dice = Math.floor(this.#random() * 4);
    if (dice === 0) tries(agent("a").pty_send({ session_id, text: "<agent>" }));
    if (dice === 1) tries(person.take({ session_id }));
    if (dice === 2) tries(person.stop({ session_id }));
    if (dice === 3) tries(person.release({ session_id }));
  }

  async check(): Promise<void> {
    for (const [at, id] of this.#ids.entries()) {
      const all = this.#typed[at]?.join("");
      await soon(() => expect([id, this.#s.duetty.raw(id).toString()]).toEqual([id, `ready${all}`]));
    }
    for (const socket of this.#sockets) socket.terminate();
  }
}

/** Agents that run commands in three shells: one that ends soon, one that is in flight at the kill, one that a person must allow. */
class Work {
  #s: Stand;
  #shells: Readonly<Record<Kind, string>>;
  #folder: string;
  #allowed = new Set<string>();
  #heard = new Map<string, Heard>();

  private constructor(s: Stand, shells: Readonly<Record<Kind, string>>) {
    [this.#s, this.#shells, this.#folder] = [s, shells, s.folder()];
  }

  static async begin(s: Stand): Promise<Work> {
    const [short, long] = [(await s.openShell()).session_id, (await s.openShell("zsh")).session_id];
    return new Work(s, { short, long, asked: (await s.openGatedShell()).session_id });
  }

  /** The shell in which every command needs a yes. */
  get asked(): string {
    return this.#shells.asked;
  }

  /** Over when all three have heard. */
  async ask(round: number): Promise<void> {
    const until = `until [ -e ${this.#file(`go${round}`)} ]; do sleep 0.02; done`;
    await Promise.all([
      this.#run("short", round, ""),
      this.#run("long", round, `; ${until}`),
      this.#run("asked", round, "; rm -rf /nothing/here"),
    ]);
  }

  /** The long one is in flight. */
  runs(round: number): Promise<unknown> {
    return soon(() => expect(this.#log("long")).toContain(`long${round}`));
  }

  /** The question is asked. */
  waits(round: number): Promise<string> {
    return soon(async () => {
      const { approvals } = await this.#s.person.approvals({ session_id: this.#shells.asked });
      const question = approvals.find(({ text }) => text.includes(`asked${round} `));
      return question?.approval_id ?? expect.fail("nothing was asked");
    });
  }

  /** A person says yes, in the moment of the kill. */
  async answers(round: number): Promise<void> {
    const approval_id = await this.waits(round);
    this.#allowed.add(`asked${round}`);
    tries(this.#s.person.approve({ approval_id }));
  }

  letGo(round: number): void {
    fs.writeFileSync(this.#file(`go${round}`), "");
  }

  async check(): Promise<void> {
    for (const [kind, session_id] of Object.entries(this.#shells) as [Kind, string][]) {
      // The shell is as usable as ever.
      await this.#s.person.pty_wait({ session_id, any: [{ prompt: true }] });
      const last = await this.#s.person.run_command({ session_id, command: "echo last" });
      expect([kind, last.status, last.exit_code]).toEqual([kind, "done", 0]);
      const { blocks } = await this.#s.person.blocks({ session_id, limit: 200 });
      const ran = blocks.map(({ cmd }) => / (\w+) >>/.exec(cmd ?? "")?.[1]).filter((word) => word !== undefined);
      expect(ran).toEqual(this.#log(kind));
      expect(new Set(ran).size).toBe(ran.length);
      for (const block of blocks.slice(0, -1)) expect([block.actor, block.exit_code]).toEqual(["agent:a", 0]);
    }
    for (const [word, heard] of this.#heard) {
      const did = this.#log(word.replace(/\d+/, "") as Kind).includes(word);
      if (heard !== "may have run") expect([word, heard]).toEqual([word, did ? "ran" : "did not run"]);
      if (word.startsWith("asked") && did) expect([...this.#allowed]).toContain(word);
    }
  }

  async #run(kind: Kind, round: number, more: string): Promise<void> {
    const word = `${kind}${round}`;
    const command = `echo ${word} >> ${this.#file(kind)}${more}`;
    const call = this.#s.agent("a").run_command({ session_id: this.#shells[kind], command, timeout_ms: 60_000 });
    this.#heard.set(word, await call.then(heardOf, heardOfFailure));
  }

  /** What really ran, in order. */
  #log(kind: Kind): string[] {
    const file = this.#file(kind);
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }
}

type Kind = "short" | "long" | "asked";

function heardOf({ status }: { readonly status: string }): Heard {
  expect(["done", "denied", "approval_pending"]).toContain(status);
  return status === "done" ? "ran" : "did not run";
}

function heardOfFailure(error: unknown): Heard {
  if (isAbsent(error)) return "did not run";
  if (!(error instanceof CallError)) throw error;
  const { code, hint } = error;
  if (code === "daemon.lost") expect(hint).toContain("may have been done");
  else expect(["session.busy", "prompt.busy"]).toContain(code);
  return code === "daemon.lost" ? "may have run" : "did not run";
}
