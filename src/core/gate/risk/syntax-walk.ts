// Visits every node of a parsed line once. Owns: the walk into substitutions, here-documents, arithmetic, tests, patterns and
// bodies. Returns the simple commands with their input, and findings about everything else. Judges no program.
import {
  type Command,
  type Function as FunctionNode,
  forEachChild,
  type HereDoc,
  type ParameterExpansionPart,
  parse,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import { foreign } from "./dialect.ts";
import { loopVerdict, secretFinding } from "./environment.ts";
import { mayRun } from "./inside/evaluated.ts";
import { isPatternOutside, mayRead } from "./places.ts";
import { redirectVerdict } from "./redirects.ts";
import { type Finding, hidden, type PartRisk, type Shell, unknown } from "./risk.ts";
import { type Arg, wordOf } from "./words.ts";

/** Where a command's standard input comes from. Interpreters run what they read. */
export type InputSource = "terminal" | "pipe" | "text";

export interface Simple {
  readonly node: Command;
  readonly input: InputSource;
}

export interface SyntaxWalk {
  readonly simples: readonly Simple[];
  readonly functions: readonly FunctionNode[];
  readonly findings: readonly Finding[];
  /** Files that redirections write, for the normal form. */
  readonly writes: readonly string[];
}

/** The parser makes several nodes for each level of nesting. */
const WALK_DEPTH_MAX = 300;
const INTEGER = /^(?:[+-]?\d+|0[xX][\da-fA-F]+|)$/;
const ARITHMETIC_TESTS = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

export function walkSyntax(source: string, shell: Shell, input: InputSource, root: string | null): SyntaxWalk {
  const simples: Simple[] = [];
  const functions: FunctionNode[] = [];
  const findings: Finding[] = [];
  const writes: string[] = [];

  const note = (verdict: PartRisk | null, part: string, args: readonly Arg[] = []) => {
    if (verdict && verdict.class !== "safe") findings.push({ ...verdict, part, args });
  };

  function visit(node: SyntaxNode, from: InputSource, depth: number, text: string): void {
    if (depth > WALK_DEPTH_MAX) throw new RangeError("nested too deeply");
    const part = "text" in node ? node.text : node.type;
    note(foreign(node, shell), part);
    note(oddity(node), part);
    let feeds = from;
    switch (node.type) {
      case "Command":
        feeds = inputOf(node.redirects, from);
        if (node.name && strayParenthesis(text, node.name.end))
          note(unknown("parse.error", "could not be parsed as a shell command: one parenthesis too many"), "(");
        simples.push({ node, input: feeds });
        break;
      case "Redirected":
        feeds = inputOf(node.redirects, from);
        break;
      case "Function":
        functions.push(node);
        break;
      case "Redirect": {
        const verdict = redirectVerdict(node, root);
        note(verdict, `${node.operator} ${node.target?.text ?? ""}`, node.target ? [wordOf(node.target)] : []);
        if (verdict.class !== "safe") writes.push(`${node.operator} ${node.target?.value ?? ""}`);
        break;
      }
      case "For":
      case "Select":
        note(loopVerdict(node.name.value), node.name.text);
        for (const word of (node.wordlist ?? []).map(wordOf)) note(loopWord(word, root), word.text);
        break;
      case "ProcessSubstitution":
        note(insideWord(text, node), part);
        break;
      case "SimpleExpansion":
        note(secretFinding(node.text.slice(1), node.text), node.text);
        break;
    }
    if (node.type === "Pipeline") {
      for (const [i, command] of node.commands.entries()) visit(command, i === 0 ? feeds : "pipe", depth + 1, text);
      return;
    }
    // Positions inside escaped backticks count in their own source.
    const inner = node.type === "Script" ? (node.source ?? text) : text;
    forEachChild(node, (child) => visit(child, feeds, depth + 1, inner));
  }

  visit(parse(source), input, 0, source);
  return { simples, functions, findings, writes };
}

/** What a loop goes through, its body may read. */
function loopWord(word: Arg, root: string | null): PartRisk | null {
  // A variable may have been made a number's, and then the shell evaluates what it gets.
  if (mayRun(word)) return hidden("expand.loop", "the shell may evaluate it");
  const leads = word.literal ? !mayRead(word, root) : isPatternOutside(word, root);
  return leads ? unknown("path.loop", "goes through files outside the workspace") : null;
}

/** The parser makes a word of its own of the substitution in "--file=<(x)". */
function insideWord(text: string, { pos, end }: { readonly pos: number; readonly end: number }): PartRisk | null {
  const apart = !/[^\s;&|(]/.test(text[pos - 1] ?? " ") && !/[^\s;&|)]/.test(text[end] ?? " ");
  return apart ? null : unknown("expand.inside", "a substitution inside a word");
}

/** The parser drops an opening parenthesis after a name when no closing one follows. bash refuses the whole line. */
function strayParenthesis(text: string, end: number): boolean {
  return /^(?:[ \t]|\\\n)*\(/.test(text.slice(end, end + 200));
}

function inputOf(redirects: readonly Redirection[], otherwise: InputSource): InputSource {
  const reads = redirects.some(
    (one) => one.type !== "Redirect" || one.operator === "<" || one.operator === "<>" || one.operator === "<&",
  );
  return reads ? "text" : otherwise;
}

/** Syntax that is never plain, whatever programs surround it. */
function oddity(node: SyntaxNode): PartRisk | null {
  switch (node.type) {
    case "Script":
      return "errors" in node && node.errors?.length
        ? unknown("parse.error", `could not be parsed as a shell command: ${node.errors[0]?.message}`)
        : null;
    case "CommandExpansion":
    case "ProcessSubstitution":
      return node.script ? null : unknown("parse.error", "a substitution that is not understood");
    case "HereDoc":
      return hereDoc(node);
    case "ParameterExpansion":
      return parameter(node);
    case "ArithmeticWord":
      // Here the shell evaluates a variable's text again, including subscripts and their substitutions.
      return INTEGER.test(node.value.trim())
        ? null
        : unknown("expand.arithmetic", "arithmetic evaluates what a variable holds");
    case "ArithmeticExpansion":
      return node.expression || /^\$(?:\(\(|\[)\s*(?:\)\)|\])$/.test(node.text)
        ? null
        : unknown("parse.error", "arithmetic that is not understood");
    case "ArithmeticCommand":
      return node.expression ? null : unknown("parse.error", "arithmetic that is not understood");
    case "TestUnary":
      return /^-[vR]$/.test(node.operator) || (node.operator === "-t" && !INTEGER.test(node.operand.text))
        ? subscript(node.operand.text)
        : null;
    case "TestBinary":
      return ARITHMETIC_TESTS.has(node.operator) && !(INTEGER.test(node.left.text) && INTEGER.test(node.right.text))
        ? compared(node.left.text + node.right.text)
        : null;
    case "Assignment":
      return node.index && !INTEGER.test(node.index.text) ? subscript(node.index.text) : null;
    case "Coproc":
      return unknown("shell.coproc", "keeps running beside the shell");
    case "Select":
      return unknown("shell.select", "asks at the keyboard");
    default:
      return null;
  }
}

/** It may hold a command, in quotes too. */
function subscript(text: string): PartRisk {
  const why = "evaluates a subscript";
  return /[[$`]/.test(text) ? hidden("expand.subscript", why) : unknown("expand.subscript", why);
}

/** A subscript may hold a command, in quotes too. */
function compared(text: string): PartRisk {
  const why = "arithmetic evaluates what a variable holds";
  return text.includes("[") ? hidden("expand.arithmetic", why) : unknown("expand.arithmetic", why);
}

function hereDoc(node: HereDoc): PartRisk | null {
  return node.closing && node.delimiter ? null : unknown("parse.incomplete", "a here-document without its end");
}

function parameter(node: ParameterExpansionPart): PartRisk | null {
  const secret = node.prefix === "#" ? null : secretFinding(node.parameter, node.text);
  if (secret) return secret;
  if (node.prefix === "!") return unknown("expand.indirect", "expands a variable whose name is in another one");
  if (node.index && !/^(?:[@*]|\d+)$/.test(node.index.text)) return subscript(node.index.text);
  const operation = node.operation;
  switch (operation?.type) {
    case "Transform":
    case "Unknown":
      return unknown("expand.transform", "an expansion that may run what it expands");
    case "Default":
      return /=/.test(operation.operator) ? unknown("expand.assign", "sets a variable while it expands") : null;
    case "Slice":
      return INTEGER.test(operation.offset.text.trim()) && INTEGER.test(operation.length?.text.trim() ?? "0")
        ? null
        : unknown("expand.arithmetic", "arithmetic evaluates what a variable holds");
    default:
      return null;
  }
}
