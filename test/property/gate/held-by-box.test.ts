// What only changes a shell and its programs is asked about where nothing holds them, and in no box. What leaves the box,
// destroys or reads secrets is asked as ever.
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { type Boxing, DEFAULT_POLICY, type Policy } from "../../../src/core/gate/policy.ts";
import { judgeLine } from "../../../src/core/gate/verdicts.ts";

const FACTS = {
  echo: "on",
  confidence: null,
  rules: [],
  who: "agent:a",
  shell: "bash",
  folder: "/home/p/work",
  isFree: (path: string) => path === "/home/p/work/new.txt",
} as const;

function judged(text: string, box: Boxing, policy: Partial<Policy> = {}, counts?: "all") {
  const { verdict, risk } = judgeLine(text, { ...FACTS, box, policy: { ...DEFAULT_POLICY, ...policy }, counts });
  return { answer: `${verdict.do} ${verdict.where}`, class: risk.class, kind: risk.kind };
}

const answer = (text: string, box: Boxing) => judged(text, box).answer;

const SHELL_ONLY = [
  "export PYTHONPATH=$PWD/lib",
  "export PATH=$PWD/bin:$PATH",
  "PATH=bin",
  "PYTHONPATH=. pytest",
  "env PYTHONPATH=. pytest",
  "NODE_OPTIONS=--max-old-space-size=4096 npm test",
  "GIT_EDITOR=true git commit -m x",
  "bash -c 'trap \"echo bye\" EXIT; true'",
  "trap 'echo bye' EXIT",
  "alias ll='ls -l'",
  "shopt -s globstar",
  "ls() { command ls -l; }",
];

describe("git obeys the settings of a repository that an agent may have written", () => {
  test.each(["git status", "git -P log -3", "env git diff", "ls && /usr/bin/git show"])("%s", (text) => {
    for (const box of ["session", "line"] as const) expect(answer(text, box)).toBe("allow box");
    for (const box of ["none", "missing"] as const)
      expect(judged(text, box)).toEqual({ answer: "ask outside", class: "unknown", kind: null });
  });

  test("rev-parse runs none of them", () => {
    expect(answer("git rev-parse HEAD", "none")).toBe("allow outside");
  });
});

test("git checkout of what is a file or a folder throws changes away, and of any other name chooses a branch", () => {
  const isFree = (path: string) => !["cart", "fix/cart", "cart.py"].some((name) => path === `/home/p/work/${name}`);
  const answers = (text: string) =>
    judgeLine(text, { ...FACTS, box: "session", policy: DEFAULT_POLICY, isFree }).verdict.do;
  const files = ["cart", "fix/cart", "cart.py", "-q cart", "HEAD cart.py", "'*.py'", "./gone", ":/", "$x"];
  const branches = ["main", "fix/login", "release-1.2", "-", "-b cart", "HEAD~1", ""];
  expect(files.filter((words) => answers(`git checkout ${words}`) !== "ask")).toEqual([]);
  expect(branches.filter((words) => answers(`git checkout ${words}`) !== "allow")).toEqual([]);
  expect(["rm new.txt; git checkout cart", "git checkout cart > new.txt"].map(answers)).toEqual(["ask", "ask"]);
});

test("rsync between folders of this machine is asked without network", () => {
  expect(judged("rsync -a --delete a/ .", "session")).toMatchObject({ answer: "ask box", kind: "destructive" });
  expect(judged("rsync -a --delete a/ h:b", "session")).toMatchObject({ answer: "ask box+network", kind: "network" });
});

test("a new file is none in a folder that the line moves to, however it says so", () => {
  expect(answer("echo x > new.txt", "session")).toBe("allow box");
  for (const moves of ["cd lib", String.raw`c\d lib`, "'pushd' lib"])
    expect(answer(`${moves}; echo x > new.txt`, "session")).toBe("ask box");
});

describe("a box holds what changes a shell and its programs", () => {
  test.each(SHELL_ONLY)("%s", (text) => {
    expect(judged(text, "session")).toEqual({ answer: "allow box", class: "unknown", kind: null });
    expect(answer(text, "line")).toBe("allow box");
    for (const box of ["none", "missing"] as const)
      expect(judged(text, box)).toEqual({ answer: "ask outside", class: "risky", kind: "privilege" });
  });

  test.each(['sqlite3 a.db "drop table x"', "sqlite3 a.db <schema.sql", 'duckdb a.db "insert into x values (1)"'])(
    "databases in files: %s",
    (text) => {
      expect(["session", "line", "none"].map((box) => answer(text, box as Boxing))).toEqual([
        "allow box",
        "allow box",
        "ask outside",
      ]);
    },
  );

  test.each([
    "echo a > new.txt",
    "echo a >new.txt; cat new.txt",
    "cat > new.txt <<'EOF'\na\nEOF",
    "echo a > /home/p/work/new.txt",
    "make 2> new.txt",
    "echo a >> old.txt",
  ])("new files of the workspace, and what is added to others: %s", (text) => {
    expect([answer(text, "session"), answer(text, "line")]).toEqual(["allow box", "allow box"]);
    expect(answer(text, "none")).toBe("ask outside");
  });

  test.each([
    "echo a > old.txt",
    "echo a > new.txt > old.txt",
    "cd sub && echo a > new.txt",
    "pushd sub; echo a >> old.txt",
    "echo a > ../new.txt",
    "echo a > $(echo new.txt)",
    "echo a > new.*",
    "echo a >> ~/old.txt",
    "echo a >> /etc/hosts",
    "rm old.txt; echo a > new.txt",
  ])("what they write over is asked about: %s", (text) => {
    for (const box of ["session", "line", "none"] as const) expect(answer(text, box)).toMatch(/^ask/);
  });

  test("a line that runs outside all the same is shown with all its risk", () => {
    const always = { level: "always_ask" } as const;
    expect(judged("export PATH=x", "line", always)).toEqual({
      answer: "ask outside",
      class: "risky",
      kind: "privilege",
    });
    expect(judged("export PATH=x", "session", always)).toMatchObject({ answer: "ask box" });
    expect(judged("export PATH=x", "session", {}, "all")).toMatchObject({ class: "risky", kind: "privilege" });
    const trusted = { level: "always_allow", safe_mode: false } as const;
    expect(judged("export PATH=x", "line", trusted)).toMatchObject({ answer: "allow outside", class: "risky" });
  });
});

describe("the rest of the line counts as ever", () => {
  test.each([
    ["PYTHONPATH=. curl https://example.com", "ask box+network"],
    ["export PATH=x; npm install", "ask box+network"],
    ["GIT_EDITOR=true git rebase --continue", "ask box"],
    ["PATH=x rm -rf build", "ask box"],
    ["export PATH=x; sudo ls", "ask outside"],
    ["PATH=x cat ~/.ssh/id_rsa", "ask outside"],
    ["trap 'sudo reboot' EXIT", "ask outside"],
    ["LD_PRELOAD=./x.so kubectl apply -f x.yaml", "ask outside"],
    ['psql -c "drop table x"', "ask outside"],
    ["export PATH=~/.local/state/duetty:$PATH", "ask outside"],
  ])("in a boxed session: %s → %s", (text, wanted) => expect(answer(text, "session")).toBe(wanted));
});

describe("a boxed session asks its own localhost without a question", () => {
  test.each([
    "curl http://127.0.0.1:8300/x",
    "curl -sS -X POST -H 'Content-Type: application/json' -d '{\"a\":1}' localhost:3000/api",
    "wget -qO- http://localhost:8080/",
    "curl -s 'http://[::1]:3000/' | head -5",
    "timeout 5 curl http://0.0.0.0:8000",
    "nc -z localhost 3000",
    "for i in 1 2 3; do curl -s http://127.0.0.1:8300/; done",
  ])("%s", (text) => {
    expect(answer(text, "session")).toBe("allow box");
    // The person's servers are outside of a line's own box, and they may be told anything.
    for (const box of ["line", "none", "missing"] as const) expect(answer(text, box)).toBe("ask outside");
  });

  test.each([
    "curl http://127.0.0.1:8300/ https://example.com/",
    "curl --proxy=http://p.example:80 http://localhost/",
    "curl https://localhost.example.com/",
    "curl http://127.0.0.1@example.com/",
    "curl http://10.0.0.1/",
    'curl "$url"',
    "curl $(cat hosts) localhost:3000",
    "curl -d @a.txt example.com",
    "ngrok http localhost:3000",
  ])("not: %s", (text) => expect(answer(text, "session")).toBe("ask box+network"));

  test("its question names this machine, not another one", () => {
    const { risk } = judgeLine("curl localhost:1", { ...FACTS, box: "line", policy: DEFAULT_POLICY });
    expect(risk.reasons[0]?.why).toBe("speaks with a server on this machine");
  });
});

test("without a box every risky line of the corpus is asked, and in one none runs outside without a question", () => {
  const lines = fs
    .readFileSync(new URL("../../fixtures/risk/risky.jsonl", import.meta.url), "utf8")
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => (JSON.parse(row) as { command: string }).command);
  expect(lines.length).toBeGreaterThan(100);
  for (const line of lines) {
    for (const box of ["none", "missing"] as const) expect([line, answer(line, box)]).toEqual([line, "ask outside"]);
    for (const box of ["session", "line"] as const)
      expect([line, answer(line, box)]).not.toEqual([line, "allow outside"]);
  }
});

describe("lines that fish reads in its own way", () => {
  const inFish = (text: string) => {
    const { verdict } = judgeLine(text, { ...FACTS, shell: "fish", box: "line", policy: DEFAULT_POLICY });
    return `${verdict.do} ${verdict.where}`;
  };

  test.each(["echo a > old.txt", "rm $x", "rm f; or true", "rm $HOME/a", 'rm "$x"', "echo x >| f"])(
    "%s is asked",
    (text) => expect(inFish(text)).toMatch(/^ask /),
  );

  test.each([
    "echo (date)",
    "set x 1",
    "for f in *; echo $f; end",
    "echo a > new.txt",
    "echo a >> old.txt",
    "ls $x; or true",
  ])("%s is not", (text) => expect(inFish(text)).toBe("allow box"));
});
