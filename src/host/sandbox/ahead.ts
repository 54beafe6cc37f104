// Boxes whose mounts are made before anybody needs them: to make namespaces and mounts, and to remove them, takes longer than to
// start a shell. A process (shell/mounts.pl) waits in them for one program. Owns: these processes. Refuses: to be needed. A program
// that finds none, or not those that it should have, makes its own.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { Socket } from "node:net";
import type { BoxTools, MountWords } from "../../core/box/arguments.ts";

/** Whoever waits for the end of the box before is answered first. */
const REST_MS = 2;
/** An agent's lines come one after another. Until then, a file system that the person unmounts stays in use. */
const KEPT_MS = 60_000;

interface Spare {
  readonly child: ChildProcess;
  /** What it was made for. */
  readonly key: string;
  /** How a program finds it: process, namespace, and where it hears that all its mounts are there. Null: it is not ready. */
  found: readonly string[] | null;
}

export class AheadBoxes {
  readonly #taken = new Map<string, Spare>();
  #spare: Spare | null = null;
  /** What the last box had in common with the next. */
  #last: { readonly words: readonly string[]; readonly key: string } | null = null;

  /** The options by which the owner's program finds its mounts. None: it makes them itself. */
  take(owner: string, { maker, filter }: BoxTools, { common, own }: MountWords): string[] {
    const key = keyOf(common);
    this.#last = { words: [...maker, "--filter", filter, "--wait", ...common], key };
    const spare = this.#spare;
    if (!spare?.found) return [];
    this.#spare = null;
    if (spare.key !== key) {
      end(spare);
      return [];
    }
    this.#taken.set(owner, spare);
    spare.child.stdin?.write(`${own.map((word) => `${word}\0`).join("")}\0`);
    return ["--ahead", ...spare.found];
  }

  /** The owner's box is there with all its mounts, or it is over. */
  leave(owner: string): void {
    const taken = this.#taken.get(owner);
    this.#taken.delete(owner);
    if (taken) end(taken);
  }

  /** A box is over: the next one will need mounts. Not sooner, because its program has the processor. */
  prepare(): void {
    const next = this.#last;
    if (next === null) return;
    this.#last = null;
    setTimeout(() => {
      this.#spare ??= this.#make(next.words, next.key);
    }, REST_MS).unref();
  }

  #make([file = "", ...args]: readonly string[], key: string): Spare {
    const child = spawn(file, args, { cwd: "/", env: {}, detached: true, stdio: ["pipe", "pipe", "ignore"] });
    const spare: Spare = { child, key, found: null };
    const kept = setTimeout(() => {
      this.#forget(spare);
      end(spare);
    }, KEPT_MS).unref();
    const gone = () => {
      clearTimeout(kept);
      this.#forget(spare);
    };
    child.on("exit", gone).on("error", gone);
    // It has ended. The program will not find it.
    child.stdin.on("error", gone);
    child.stdout.once("data", (said: Buffer) => {
      spare.found = [String(child.pid), ...said.toString().trim().split(" ")];
    });
    child.unref();
    for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream.unref();
    return spare;
  }

  #forget(spare: Spare): void {
    if (this.#spare === spare) this.#spare = null;
  }
}

/** It ends by itself when its input does, with us at the latest. */
function end({ child }: Spare): void {
  child.stdin?.end();
}

/** What it shows of the disk is that of its time. */
function keyOf(words: readonly string[]): string {
  return [...words, fs.readFileSync("/proc/self/mountinfo", "utf8")].join("\0");
}
