// Contents of files out of a shadow repository, one after the other from one git process. Owns: that process.
import type { Git } from "./git.ts";
import { GitTrouble } from "./git.ts";

const NEWLINE = 0x0a;

export class Blobs {
  #git: Git;
  #child: ReturnType<Git["start"]> | undefined;
  #chunks: AsyncIterator<Buffer> | undefined;
  #kept: Buffer = Buffer.alloc(0);

  constructor(git: Git) {
    this.#git = git;
  }

  async read(oid: string): Promise<Buffer> {
    const child = this.#running();
    child.stdin.write(`${oid}\n`);
    let end = this.#kept.indexOf(NEWLINE);
    for (; end < 0; end = this.#kept.indexOf(NEWLINE)) await this.#more(oid);
    const [, kind, size] = this.#kept.subarray(0, end).toString("latin1").split(" ");
    if (kind !== "blob") throw new GitTrouble("failed", `the store has lost ${oid}`);
    const whole = end + 1 + Number(size);
    while (this.#kept.length <= whole) await this.#more(oid);
    const content = this.#kept.subarray(end + 1, whole);
    this.#kept = this.#kept.subarray(whole + 1);
    return content;
  }

  #running(): ReturnType<Git["start"]> {
    if (this.#child) return this.#child;
    const child = this.#git.start(["cat-file", "--batch"]);
    // Reading says what is wrong.
    child.stdin.on("error", () => undefined);
    child.on("error", () => undefined);
    child.stderr.resume();
    this.#child = child;
    this.#chunks = child.stdout[Symbol.asyncIterator]();
    return child;
  }

  async #more(oid: string): Promise<void> {
    const next = await this.#chunks?.next();
    if (!next || next.done) throw new GitTrouble("failed", `git ended while it read ${oid}`);
    this.#kept = Buffer.concat([this.#kept, next.value]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      child.on("close", () => resolve());
      child.stdin.end();
      child.stdout.resume();
    });
  }
}
