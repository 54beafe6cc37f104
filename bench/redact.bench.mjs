// What it costs to take secrets out of text: logs that hold none, and text made to be slow.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Redactor } from "../build/core/redact/redactor.js";
import { table } from "./stand.mjs";

export const question = "How fast are secrets taken out of text? (MB/s on clean logs; ms for 64 KB made to be slow)";

const KB_64 = 64 * 1024;
const ROUNDS = 7;
/** Each begins what a rule looks for, over and over. */
const SLOW = [
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----BEGIN RSA PRIVATE KEY-----\n",
  "-----END RSA PRIVATE KEY-----\n",
  `-----BEGIN RSA PRIVATE KEY-----\n${"A".repeat(64)}\n`,
  "token=",
  'token="',
  "token=Ab1",
  "password: ",
  `password${" ".repeat(30)}=`,
  "cookie:",
  "cookie: a=b;",
  "authorization:",
  "://a:",
  "://hooks.slack.com/services/",
  ".eyJ",
  "-eyJ",
  "eyJaaaaaaaaaa.",
  "ghp_",
  "MMMMMMMMMMMMMMMMMMMMMMMM.",
  " --password ",
  "curl -u a:b ",
  "mysql -p ",
  "machine a login b password ",
  "set -x ",
  "echo a | ",
  "$6$a$",
  "a:b@tcp(",
  "0123456789abcdef0123456789abcdef-us",
  "aaa1Q~",
  "<password>",
  "\\n",
  "%3D",
  "a\b",
  "\u001b[31m",
  "\u001b]0;",
  "+",
  "é",
  " ",
];

export function run() {
  const redactor = new Redactor({ label: () => "0000" });
  const log = cleanLog();
  const streams = () => {
    const stream = redactor.stream();
    for (let at = 0; at < log.length; at += KB_64) stream.push(log.slice(at, at + KB_64));
    stream.end();
  };
  const rate = (work) => (log.length / 1000 / best(work)).toFixed(1);
  const slow = SLOW.flatMap((piece) => {
    const text = piece.repeat(Math.ceil(KB_64 / piece.length)).slice(0, KB_64);
    const rows = text
      .split("\n")
      .flatMap((line) => (line.match(/.{1,100}/gsu) ?? [""]).map((row) => ({ text: row, wraps: true })));
    return [
      ["text", piece, best(() => redactor.text(text))],
      ["rows", piece, best(() => redactor.rows(rows, 100))],
      ["stream", piece, best(() => flushed(redactor.stream(), text))],
    ];
  });
  const worst = (how) => slow.filter(([one]) => one === how).sort((a, b) => b[2] - a[2])[0];
  const screen = log
    .split("\n")
    .slice(0, 50)
    .map((text) => ({ text: text.slice(0, 200), wraps: false }));
  table(
    ["", "", ""],
    [
      ["clean log as text", rate(() => redactor.text(log)), "MB/s"],
      ["clean log as a stream, 64 KB at a time", rate(streams), "MB/s"],
      ["a screen of 50 × 200", best(() => redactor.rows(screen, 200)).toFixed(3), "ms"],
      ...["text", "rows", "stream"].map((how) => {
        const [, piece, took] = worst(how);
        return [`64 KB made to be slow, ${how}: ${JSON.stringify(piece.slice(0, 30))}`, took.toFixed(1), "ms"];
      }),
    ],
  );
}

/** As a busy program prints: 4 KB, then a pause. */
function flushed(stream, text) {
  for (let at = 0; at < text.length; at += 4096) {
    stream.push(text.slice(at, at + 4096));
    stream.flush();
  }
  stream.end();
}

function best(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ROUNDS; i++) {
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/** Real output: a history, a lock file, listings. */
function cleanLog() {
  const git = execFileSync("git", ["log", "--stat", "-n", "400"], { encoding: "latin1", maxBuffer: 1 << 28 });
  const listing = execFileSync("ls", ["-lR", "src", "test", "web"], { encoding: "latin1", maxBuffer: 1 << 28 });
  const once = `${git}\n${readFileSync("package-lock.json", "latin1")}\n${listing}`;
  return once.repeat(Math.ceil((4 << 20) / once.length));
}
