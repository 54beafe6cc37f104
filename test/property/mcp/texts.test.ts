// Answers as a model reads them, from answers as operations give them: fields without a value are left out on the way.
import { describe, expect, test } from "vitest";
import { CallError } from "../../../src/client/client.ts";
import { withUrl } from "../../../src/mcp/attempt.ts";
import { faultResult, resultOf } from "../../../src/mcp/results.ts";

const textOf = ({ content }: ReturnType<typeof resultOf>): string =>
  content.map((one) => (one.type === "text" ? one.text : one.type)).join("\n");

describe("hosts", () => {
  const box = { host: "box", way: "nats", address: "h_1", since: 1, version: "1", told_at: 1 };
  const linesOf = (...hosts: object[]) => textOf(resultOf("hosts", { me: "laptop", hosts }, "model")).split("\n");

  test("one that is here, with nothing to tell or with questions", () => {
    const here = { ...box, reach: "here", why: null };
    expect(
      linesOf({ ...here, sessions: null, questions: null, told_at: null }, { ...here, sessions: 2, questions: 0 }),
    ).toEqual(["laptop: this machine", "box · here", "box · here · 2 running"]);
    expect(linesOf({ ...here, sessions: 0, questions: 3 })[1]).toBe("box · here · 0 running, 3 to answer");
  });

  test("of one that is away the counts are old", () => {
    const gone = { ...box, reach: "gone", why: "it was ended there", sessions: 2, questions: 1 };
    expect(linesOf(gone)[1]).toBe("box · gone (it was ended there) · 2 running, 1 to answer when it told last");
  });
});

describe("what waits for a person has one form, whichever tool asked", () => {
  const URL = "http://127.0.0.1:1/";
  const why = "a person must allow this first. Ask again.";
  const form = (head: string) => `${head}\napproval a_1\n${why} They answer at ${URL}`;

  test("a run", () => {
    const output = { head: "", tail: "", omitted_bytes: 0 };
    const run = { status: "approval_pending", exit_code: null, block_id: null, duration_ms: 0, output };
    const answer = { ...run, session_id: "s_1", approval_id: "a_1", hint: why, url: URL };
    expect(textOf(resultOf("run_command", answer, "model"))).toBe(form("approval_pending · session s_1"));
  });

  test("keys", () => {
    const [message, hint] = ["a person must allow this first", "Ask again."];
    const fault = new CallError({ code: "approval.pending", message, hint, approval_id: "a_1" });
    expect(textOf(faultResult(withUrl(fault, URL), "model"))).toBe(form("approval_pending"));
  });

  test("a question, which says how long it is open", () => {
    const asked = { outcome: "pending", answer: null, approval_id: "a_1", url: URL };
    const text = textOf(resultOf("ask_person", asked, "model"));
    expect(text).toMatch(/^approval_pending\napproval a_1\nAsk again with the same question to get the answer\. /);
    expect(text).toContain("The question is open for 5 minutes; an answer counts for 5 more. They answer at http");
  });
});

test("a box has its own /tmp, when that is all it may write", () => {
  const session = { session_id: "s_1", name: null, state: "running", cwd: "/w", cols: 80, rows: 24, hold: "nobody" };
  const policy = { level: "ask_first", agent_levels: {}, edit_folder: null };
  const opened = { ...session, policy, box: { roots: [], network: [] } };
  expect(textOf(resultOf("pty_open", opened, "model"))).toMatch(/boxed: writes only its own \/tmp, network none$/);
});
