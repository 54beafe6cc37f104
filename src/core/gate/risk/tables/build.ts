// Build systems of C, C++ and of anything: make, just, cmake, ninja, compilers.

import { worse } from "../risk.ts";
import {
  any,
  asks,
  code,
  each,
  needs,
  options,
  type Rule,
  risk,
  safeWith,
  type Table,
  tasks,
  verbs,
  when,
} from "../spec.ts";
import { literal } from "../words.ts";
import { passed } from "./pass-through.ts";

const install = risk("install", "installs packages");
const CC =
  "-0 -c -S -E -g -O -O0 -O1 -O2 -O3 -Os -Og -Wall -Wextra -Werror -pedantic -Wpedantic -std -std=c11 -fsyntax-only -fPIC -pthread -I: -D: -U: -L: -l: -w -v -march=native -m64 -m32 -ggdb -g3 -static -shared -fsanitize=address -fsanitize=undefined -Wno-unused -Wshadow -Wconversion -MD -MMD --version -dumpversion -dumpmachine -o>";

const cmakeBuild = safeWith("-0 --target: -t: --config: -j --parallel --verbose -v --preset:", {
  tail: options("-0 -j: -k: -v -s"),
});

/** Without a task name it is safe only when it lists the tasks. */
const listed = needs(
  "-l --list --summary --list-all -a --dump --variables --groups",
  any,
  "runs a task that is not named",
);

/** Its verbs are options. Configuring writes a build folder, so it is asked. */
const cmake: Rule = code((args, id, starts) => {
  const [first, ...rest] = args;
  if (first?.literal && first.text === "--build") {
    const built = starts.rule(cmakeBuild, rest, `${id}.build`);
    const targets = rest.flatMap((arg, i) => {
      const attached = /^(?:--target=|-t)(.+)$/.exec(arg.text)?.[1];
      return attached ?? (/^(?:--target|-t)$/.test(rest[i - 1]?.text ?? "") ? arg.text : []);
    });
    return worse(built, starts.rule(tasks({ bare: any }), targets.map(literal), id));
  }
  if (first?.literal && /^--(?:install|open)$/.test(first.text)) return starts.rule(install, rest, id);
  return starts.rule(safeWith("--version --list-presets --system-information", { words: "none" }), args, id);
});

export const build: Table = {
  ...each(
    "make gmake bmake",
    when(
      "-f --file --makefile --eval -E -I --include-dir -o -W",
      asks("reads other rules"),
      tasks({
        options:
          "-j -k --keep-going -B --always-make -n --dry-run --just-print -s --silent --quiet -i -C@ --directory@ --no-print-directory -w -r -R -O --output-sync --jobs -q -S --trace -d --debug --version -v",
        bare: any,
        extra: { "all build test check lint V=1 V=0 VERBOSE=1 CI=1 DEBUG=1": any },
      }),
    ),
  ),
  just: tasks({
    options:
      "-l --list --summary --show: -n --dry-run --evaluate --dump --fmt=false -q --quiet --color: --variables --groups",
    bare: listed,
  }),
  ...each(
    "task go-task",
    tasks({
      options:
        "-l --list -a --list-all -n --dry --status -s --silent -v --verbose -p --parallel -f --force -d@ --summary",
      bare: listed,
    }),
  ),
  ...each("invoke inv", tasks({ options: "-l --list -n --dry-run" })),
  cmake,
  ctest: safeWith(
    "-0 -V -VV --verbose --extra-verbose --output-on-failure -R: --tests-regex: -E: --exclude-regex: -L: --label-regex: -LE: -j --parallel: -N --show-only --test-dir@ -C: --build-config: --timeout: --rerun-failed --repeat: --stop-on-failure --progress --quiet -Q -I: --schedule-random --no-tests: --output-junit>",
  ),
  cpack: asks("writes packages"),
  ninja: when(
    "-f -t",
    asks("reads other rules"),
    tasks({
      options: "-C@ -j: -k: -l: -n -v -d: -w: --version --quiet",
      bare: any,
      extra: { "all test check build": any },
    }),
  ),
  meson: verbs({
    test: safeWith(
      "-0 -C@ -v --verbose --suite: --no-suite: --no-rebuild --print-errorlogs --list -j: --num-processes: -t: --timeout-multiplier: --repeat: --benchmark -q --quiet --no-stdsplit --maxfail:",
    ),
    compile: safeWith("-C@ -j: --jobs: -v --verbose --clean=false"),
    introspect: safeWith("--targets --tests --buildoptions --projectinfo -a --all -i"),
    setup: asks("writes a build folder"),
    install,
    "configure dist init wrap subprojects": asks("writes files"),
  }),
  ...each(
    "gcc g++ cc c++ clang clang++",
    when(
      "-B -specs -fplugin -wrapper -Xlinker -Xclang -x @",
      asks("loads a plugin, or reads code of the line"),
      safeWith(CC),
    ),
  ),
  "clang-format": when(
    "-i",
    asks("writes files"),
    needs(
      "--dry-run -n",
      safeWith("-n --dry-run -Werror --Werror -style: --style: --verbose -fallback-style: --ferror-limit:"),
      "prints or writes what it formats",
    ),
  ),
  "clang-tidy": when(
    "-fix --fix -fix-errors --fix-errors -fix-notes --fix-notes --export-fixes -load --load -plugin",
    asks("writes files"),
    safeWith(
      "-p@ -checks: --checks: -warnings-as-errors: --warnings-as-errors: -header-filter: --header-filter: -quiet --quiet --config-file@ --use-color -list-checks --list-checks --system-headers",
      { tail: options("-std -I: -D: -x=false") },
    ),
  ),
  ...each(
    "cppcheck cpplint",
    when(
      "--output-file --addon --plist-output --dump",
      asks("writes, or starts a program"),
      safeWith(
        "-0 -q --quiet --enable: --error-exitcode: --std: --suppress: --inline-suppr --language: -j: -I: -D: --force --template: --project@ --platform: --filter: --recursive --linelength: --exclude: -i: --check-level: -v --verbose --counting:",
      ),
    ),
  ),
  ...each("autoreconf autoconf automake libtoolize configure", asks("writes files")),
  ...each(
    "pkg-config pkgconf",
    safeWith(
      "-0 --cflags --libs --modversion --exists --list-all --variable: --print-variables --static --print-errors --version",
    ),
  ),
  ...each("conan vcpkg xmake", install),
  ...each("ld as strip ranlib objcopy install_name_tool codesign", asks("writes files")),
  zig: verbs({
    build: tasks({ options: "--summary: -Doptimize -Dtarget -j --verbose --release", bare: any, tail: passed }),
    test: safeWith("-O: --test-filter: -target: -lc --release -fsanitize-thread"),
    "version env targets zen": any,
    "ast-check": safeWith(""),
    fmt: needs("--check", safeWith("--check --ast-check"), "writes files"),
    fetch: install,
    run: asks("runs the project's program"),
  }),
};
