// What a rule may ask for: the judge of what a program starts, and where its input comes from.
import type { PartRisk, Shell } from "./risk.ts";
import type { Group, Rule } from "./spec.ts";
import type { Fed } from "./syntax-walk.ts";
import type { Arg } from "./words.ts";

export interface Starts {
  /** The shell that reads the line. */
  readonly shell: Shell;
  readonly fed: Fed;
  /** Something in the line fetches from the network. */
  readonly fetches: boolean;
  /** A command that another one starts, with or without variables in front. */
  command(words: readonly Arg[], how: { readonly assigns: boolean }): PartRisk;
  /** Source that a shell is given as a string. */
  text(source: string, shell: Shell): PartRisk;
  tool(group: Group, name: string): Rule | undefined;
  /** Another rule on the same arguments. */
  rule(rule: Rule, args: readonly Arg[], id: string): PartRisk;
}
