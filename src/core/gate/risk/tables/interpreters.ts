// Interpreters without their own table. We do not analyse the code that they get.
import { unknown } from "../risk.ts";
import { runsInput } from "../run-text.ts";
import { code, each, type Table } from "../spec.ts";

export const interpreters: Table = each(
  "perl raku lua luajit tclsh wish osascript groovy scala kotlin jshell php-cgi Rscript julia octave m4 ed ex guile racket sbcl clisp ocaml ghci erl iex elixir swipl gforth nush janet fennel",
  code((args, id, starts) => {
    if (args.length === 1 && /^(?:--version|-v|-V|--help)$/.test(args[0]?.text ?? "") && !/^(?:ed|ex|m4)$/.test(id))
      return { class: "safe", rule: `${id}.help` };
    const readsInput = starts.input !== "terminal" && args.every((arg) => arg.prefix === "-" || arg.prefix === "");
    if (readsInput || args.some((arg) => arg.process)) return runsInput(id, starts);
    return unknown(
      id,
      args.length === 0
        ? "interactive program: what matters is what gets typed into it"
        : "runs a script or code of the line",
    );
  }),
);
