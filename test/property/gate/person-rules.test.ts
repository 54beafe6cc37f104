// A person's rules against lines as agents write them: deny and ask miss nothing, allow needs every word.
import { expect, test } from "vitest";
import { alwaysRule, ruled } from "../../../src/core/gate/person-rules.ts";
import { escapes, isShell } from "../../../src/core/gate/program-names.ts";
import { classify } from "../../../src/core/gate/risk/classify.ts";
import { workMs } from "../../fixtures/work-time.ts";

const RULES = [
  {
    allow: ["make lint", "docker compose *"],
    ask: ["npm publish *", "kubectl delete *"],
    deny: ["rm *", "git push *", "shutdown"],
  },
];
const says = (line: string, shell: "bash" | "zsh" | "fish" = "bash") =>
  ruled(RULES, classify(line, { shell }), (command) => classify(command, { shell }).class === "safe");

test.each([
  ["make lint", "allow"],
  ["make lint; ls", "allow"],
  ["make lint && curl x", null],
  // Safe, but it would run an agent's files outside of the box; and elsewhere the same words mean something else.
  ["make lint; node --test", null],
  ["cd sub && make lint", null],
  ["make lint; git status", null],
  ["make lint 2>&1 | tail -5", "allow"],
  ["make lint && rm -rf /", "deny"],
  ["rm", "deny"],
  ["rmdir x", null],
  ["npm publish && make lint", "ask"],
  ["ls", null],
  ["git log --grep push", null],
  ["echo rm x", null],
  ["git commit -m 'rm old files'", null],
  ["docker rm x", null],
  ["pnpm exec tool", null],
  ["npm rm left-pad", null],
  ["printf '%s' 'a[rm]'", null],
  ["cp {a,b}.txt out", null],
])("the rules say to %s: %s", (line, decision) => {
  expect(says(line)).toBe(decision);
});

test.each([
  "rm ~/x",
  "rm *.log",
  'rm "$f"',
  "rm $(cat list)",
  "rm -rf -- x",
  "/bin/rm x",
  "/usr/local/bin/rm x",
  "/usr/bin/r[m] x",
  "/usr/b*/rm x",
  "./r? x",
  "\\rm x",
  "r''m x",
  "find . -name '*.log' -exec rm {} +",
  "find . -execdir rm {} ';'",
  "ls | xargs rm",
  "ls | xargs -n1 -P4 rm -f",
  "ls | xargs -I{} rm {}",
  "sudo rm x",
  "sudo -u root -E rm x",
  "sudo --some-option value rm x",
  "env A=1 rm x",
  "env -u B rm x",
  "nice -n 5 rm x",
  "nohup timeout -k 1 5 rm x",
  "command rm x",
  "builtin command rm x",
  "exec rm x",
  "busybox rm x",
  "parallel rm ::: a b",
  "watch 'rm x'",
  "flock lock -c 'rm x'",
  "ssh host 'cd /; rm x'",
  "some-wrapper --flag rm x",
  "sh -c 'rm x'",
  'bash -lc "rm $x"',
  "eval 'rm x'",
  "echo $(rm x)",
  "cat <(rm x)",
  "if true; then rm x; fi",
  "f() { rm x; }; f",
  "$cmd x",
  'sh -c "$cmd"',
  "$(echo rm) x",
  "r? x",
  "git push",
  "git -C . push",
  "git -C sub push origin main",
  "git --no-pager push",
  "git -c a=b --git-dir x push -f",
  "git $what",
  'git "$what" origin',
  "git -C . --no-pager push",
  "xargs git",
  "shutdown",
  "sudo shutdown",
  "{rm,../out/z1}",
  "{r..r}m x",
  "{'rm',x}",
  "{$x,y}",
  "git {-C,.,push}",
  "env -S 'rm F'",
  "env -S'rm F'",
  "env --split-string='rm\\_F'",
  "env -C . -- rm F",
  "env - rm F",
  "hash -p /bin/rm foo; foo F",
  "alias foo='rm -f'; foo F",
  "let 'a[$(rm F)]=1'",
  "test -v 'a[$(r\\m F)]'",
  "declare -i 'a[$(rm F)]=1'",
  "x='a[$(r\\m F)]'; echo $((x))",
  "uv run rm x",
  "poetry run -- rm x",
  "pnpm exec rm x",
  "npm exec -c 'rm x'",
  "git submodule foreach 'rm x'",
  "git bisect run rm x",
  "git rebase -x 'rm x' main",
  "source /dev/stdin <<< 'rm x'",
  "echo 'rm x' | sh",
  "bash <<EOF\nrm x\nEOF",
  "fish -c 'rm x'",
  "[[ 'a[$(r\\m F)]' -eq 1 ]]",
  "tcsh -c 'rm x'",
  "vim -es -c '!rm x'",
  "bash -O extglob -c 'rm x'",
  "script -c 'rm x' log",
  "/usr/bin/time -o f rm x",
  "flock f -c 'env -S \"rm x\"'",
  "rm$IFS'x'",
])("M5: a deny rule fires for %s", (line) => {
  expect(says(line)).toBe("deny");
});

test.each([
  ["zsh", "rm x # gone"],
  ["zsh", "ls; rm *(.)"],
  ["fish", "rm (ls)"],
  ["fish", "ls; and rm x"],
] as const)("M5: in %s a deny rule fires for %s, though the line is not understood", (shell, line) => {
  expect(says(line, shell)).toMatch(/deny|ask/);
});

test.each([
  "python3 -c 'import os; os.system(\"rm x\")'",
  'perl -e \'exec "/bin/rm", "x"\'',
  "ln -s /bin/rm foo",
  "make CMD='rm x'",
  "GIT_PAGER='rm x' git log",
  "rg --pre rm x",
  "fd -x rm",
])("M5: a program that a deny rule names is asked about where %s may start it", (line) => {
  expect(says(line)).toBe("ask");
});

test("M5: what is not understood is asked when there are rules, and only then", () => {
  expect(says("ls (")).toBe("ask");
  expect(ruled([{ allow: ["ls"], ask: [], deny: [] }], classify("ls ("), () => true)).toBe(null);
});

test("M5: an ask rule fires behind options and wrappers, too", () => {
  for (const line of ["kubectl -n x delete pod y", "sudo kubectl --context a delete pod y", "xargs kubectl delete pod"])
    expect(says(line)).toBe("ask");
});

test("a line of many options is decided at once", () => {
  const risk = classify(`git ${"-a ".repeat(6_000)} log`);
  expect(workMs(() => ruled(RULES, risk, () => false))).toBeLessThan(1_000);
});

test("no rule is stored for what can run anything, whatever its version", () => {
  expect(alwaysRule(["terraform plan"])).toBe("terraform plan");
  const never =
    "bash|mksh|nu|xonsh|ysh|python3|python3.11|python3.15|node20|pypy3.10|lua5.4|perl5.36|php8.2|ruby3.3|git|npm|sudo|./x";
  for (const name of never.split("|")) expect([name, alwaysRule([`${name} x`])]).toEqual([name, null]);
  for (const several of [["a", "b"], null]) expect(alwaysRule(several)).toBe(null);
});

test("m: shells and programs that start others are known by pattern", () => {
  for (const name of ["mksh", "oksh", "yash", "nu", "xonsh", "elvish", "bash5.2", "rbash", "/opt/bin/zsh-5.9"])
    expect([name, isShell(name)]).toEqual([name, true]);
  for (const name of [
    "python3.11",
    "python3.15",
    "node20",
    "nodejs",
    "lua5.4",
    "vim.basic",
    "gdb-multiarch",
    "pypy3.10",
  ])
    expect([name, escapes(name)]).toEqual([name, true]);
  for (const name of ["cat", "ls", "sleep", "cmatrix"]) expect([name, escapes(name)]).toEqual([name, false]);
});
