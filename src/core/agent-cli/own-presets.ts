// The agents that this daemon can read: ours, and those in config.json, whose rules come before ours of the same name. Pure.
import type { BlockedKind } from "../../protocol/words/agent-state.ts";
import { type Fault, isFault } from "../base/fault.ts";
import { patternFinder } from "../base/pattern.ts";
import type { Foreground } from "../pty/pty.ts";
import type { Box, Pattern, Preset, Rule } from "./preset.ts";
import { PRESETS } from "./presets.ts";

/** As config.json has it. */
interface OwnPreset {
  readonly programs?: readonly string[] | undefined;
  readonly rules?:
    | readonly {
        readonly state: Rule["state"];
        readonly kind?: BlockedKind | undefined;
        readonly title?: string | undefined;
        readonly screen?: readonly string[] | undefined;
      }[]
    | undefined;
  readonly box?:
    | {
        readonly sign: string;
        readonly open?: boolean | undefined;
        readonly hint?: string | undefined;
        readonly newline?: string | undefined;
      }
    | undefined;
}

export function presetsWith(own: Readonly<Record<string, OwnPreset>>): readonly Preset[] | Fault {
  const all = new Map(PRESETS.map((preset) => [preset.name, preset]));
  for (const [name, { programs = [], rules = [], box: theirBox }] of Object.entries(own)) {
    const ours = all.get(name) ?? { name, programs: [name], apps: [name], rules: [] };
    const theirs: Rule[] = [];
    for (const [at, { state, kind, title, screen }] of rules.entries()) {
      const inTitle = title === undefined ? undefined : patternOf(title);
      const onScreen: Pattern[] = [];
      for (const pattern of (screen ?? []).map(patternOf)) {
        if (isFault(pattern)) return pattern;
        onScreen.push(pattern);
      }
      if (isFault(inTitle)) return inTitle;
      const where = { ...(inTitle ? { title: inTitle } : {}), screen: onScreen };
      theirs.push({ id: `${name}/own-${at + 1}`, state, kind, ...where });
    }
    const box = theirBox ? boxOf(theirBox) : ours.box;
    if (isFault(box)) return box;
    all.set(name, { ...ours, box, programs: [...ours.programs, ...programs], rules: [...theirs, ...ours.rules] });
  }
  return [...all.values()];
}

function boxOf({ sign, open, hint, newline }: NonNullable<OwnPreset["box"]>): Box | Fault {
  const [find, said] = [patternFinder(sign), hint === undefined ? undefined : patternOf(hint)];
  if (isFault(find)) return find;
  return isFault(said) ? said : { sign: find, isOpen: open, hint: said, newline };
}

function patternOf(source: string): Pattern | Fault {
  const find = patternFinder(source);
  return isFault(find) ? find : { test: (text) => find(text) !== undefined };
}

/** The agent that this program is. */
export function presetOf(presets: readonly Preset[], front: Foreground | null): Preset | undefined {
  if (!front) return undefined;
  const names = [front.script ?? "", front.name].map((name) => name.replace(/\.(?:js|mjs|cjs|py)$/, ""));
  return presets.find(({ programs }) => programs.some((program) => names.includes(program)));
}

/** One that nobody can read is unknown to us in all but its name. */
export function named(presets: readonly Preset[], name: string): Preset {
  return presets.find((preset) => preset.name === name) ?? { name, programs: [name], apps: [name], rules: [] };
}
