// Programs that run text as commands, or make commands from their input: sh -c, eval, trap, xargs.
import { isOption } from "./flags.ts";
import { mayRead } from "./places.ts";
import { hidden, hiding, type PartRisk, risky, riskyUnboxed, type Shell, safe, unknown, worse } from "./risk.ts";
import type { Starts } from "./spec.ts";
import { type Arg, anything } from "./words.ts";

const DIALECT: Readonly<Record<string, Shell>> = { bash: "bash", rbash: "bash", zsh: "zsh" };

/** `command -v` only reads. It counts only as the first word, because the started program has its own options. */
export function command(args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const [first] = args;
  if (first?.literal && /^-[vV]$/.test(first.text)) return safe(`${id}.look`);
  const skips = args.findIndex((arg) => !arg.literal || !/^(?:-p|--)$/.test(arg.text));
  if (skips < 0) return unknown(id, "starts something that is not in the line");
  return starts.command(args.slice(skips), { assigns: false });
}

/** A shell runs what it reads from a pipe or a here-document. */
export function runsInput(id: string, starts: Starts): PartRisk {
  const kind = starts.fetches ? "network" : "destructive";
  return hiding(risky(`${id}.stdin`, kind, "runs what it is fed"));
}

export function shell(args: readonly Arg[], id: string, starts: Starts): PartRisk {
  if (args.some((arg) => arg.process))
    return hiding(
      risky(`${id}.substitution`, starts.fetches ? "network" : "destructive", "runs what another program prints"),
    );
  let i = 0;
  let source = false;
  let checks = false;
  for (; i < args.length; i += 1) {
    const arg = args[i];
    if (!arg || arg.wild) return hidden(id, "what it runs can only be seen when it runs");
    if (!/^[-+]/.test(arg.prefix) || arg.prefix === "-") break;
    if (!arg.literal) return hidden(id, `option ${arg.text} is not known`);
    if (arg.text === "--") continue;
    if (/^-[a-zA-Z]*o$/.test(arg.text)) {
      i += 1;
      if (!args[i]?.literal) return hidden(id, "what it runs can only be seen when it runs");
    } else if (!/^(?:[-+][abefhilmnuvxkptBCEHPTcs]+|--norc|--noprofile|--login|--posix)$/.test(arg.text))
      return hidden(id, `option ${arg.text} is not known`);
    source ||= /^-[a-zA-Z]*c/.test(arg.text);
    checks ||= arg.text === "-n";
  }
  const rest = args.slice(i);
  const [first] = rest;
  if (source) {
    if (!first?.literal) return hidden(id, "what it runs can only be seen when it runs");
    return starts.text(first.text, DIALECT[id] ?? "sh");
  }
  if (checks && i === 1 && rest.length === 1 && first && mayRead(first, starts.root)) return safe(`${id}.check`);
  if (!first || first.text === "-" || /^\/dev\/(?:stdin|fd\/)/.test(first.prefix)) {
    return starts.input === "terminal"
      ? unknown(id, "interactive program: what matters is what gets typed into it")
      : runsInput(id, starts);
  }
  return unknown(`${id}.script`, "runs a script whose contents are not checked");
}

export function evaluate(args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const words = args[0]?.text === "--" ? args.slice(1) : args;
  if (words.some((arg) => !arg.literal)) return hidden(id, "what it runs can only be seen when it runs");
  if (words.length === 0) return unknown(id, "runs something that is not in the line");
  return starts.text(words.map((arg) => arg.text).join(" "), starts.shell);
}

/** It runs later, in a person's shell. */
export function trap(args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const handler = args.find((arg) => !isOption(arg) || !arg.literal);
  if (!handler?.literal || handler.text === "-" || handler.text === "")
    return unknown(id, "changes what the shell does on a signal");
  return worse(riskyUnboxed(id, "privilege", "the shell runs it later"), starts.text(handler.text, starts.shell));
}

const SWITCHES = /^(?:-[0rtpxo]+|--null|--no-run-if-empty|--verbose|--exit|--open-tty|--eof|--max-lines)$/;
// Only options whose value is always a separate word. -e, -i, -l and their long forms take only attached values.
const VALUED = /^(?:-0?r?[nPLdasEIJRS]|--max-args|--max-procs|--delimiter|--arg-file|--max-chars)$/;
const ATTACHED =
  /^(?:-[nPLdsEe][^\s]+|-I.+|--(?:max-args|max-procs|max-lines|delimiter|arg-file|max-chars|replace|eof)=.*|--replace|-i.*)$/;

/** It appends what it reads to the command: any words, any number of them. */
export function xargs(args: readonly Arg[], id: string, starts: Starts): PartRisk {
  let i = 0;
  let replaced: string | null = null;
  for (; i < args.length; i += 1) {
    const arg = args[i];
    if (!arg || arg.wild) return hidden(id, "what it starts can only be seen when it runs");
    if (!isOption(arg)) break;
    if (!arg.literal) return hidden(id, `option ${arg.text} is not known`);
    if (SWITCHES.test(arg.text)) continue;
    if (VALUED.test(arg.text)) {
      const value = args[i + 1];
      if (!value?.literal) return hidden(id, "what it starts can only be seen when it runs");
      if (/[IJR]$/.test(arg.text)) replaced = value.text;
      i += 1;
    } else if (ATTACHED.test(arg.text)) {
      if (/^-[Ii]|^--replace/.test(arg.text)) replaced = arg.text.replace(/^(?:-[Ii]|--replace=?)/, "") || "{}";
    } else return hidden(id, `option ${arg.text} is not known`);
  }
  const words = args.slice(i);
  if (words.length === 0) return safe(`${id}.echo`);
  if (replaced === "") return hidden(id, "what it replaces can only be seen when it runs");
  const placed =
    replaced === null
      ? [...words, { ...anything("…"), splits: false, filled: true }]
      : words.map((arg) => put(arg, replaced));
  return starts.command(placed, { assigns: false });
}

function put(arg: Arg, replaced: string | null): Arg {
  if (replaced === null || !arg.text.includes(replaced)) return arg;
  const prefix = arg.prefix.split(replaced, 1)[0] ?? "";
  return { ...arg, literal: false, prefix, filled: prefix === "", wild: prefix === "" || prefix.startsWith("-") };
}
