// What the daemon tells of itself: counters for a scraper, load in status, a log of JSON lines, a bundle for a report.
import fs from "node:fs";
import { expect, test } from "vitest";
import { stand } from "../../fixtures/stand/stand.ts";

/** Every sample by its name and labels. */
function samples(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [, name = "", value] = /^([a-z_]+(?:\{[^}]*\})?) ([0-9.e+-]+|\+Inf)$/.exec(line) ?? [];
      if (name === "") throw new Error(`not a sample: ${line}`);
      return [name, Number(value)];
    }),
  );
}

test("GET /metrics counts sessions, calls, refusals and answers, for people only", async () => {
  await using s = await stand({ own: true });
  const id = await s.openBash();
  const asked = s.agent().run_command({ session_id: id, command: "sudo true", timeout_ms: 60_000 });
  const { approval_id } = await s.pendingOf(id);
  const headers = (role: "person" | "agent") => ({
    host: `127.0.0.1:${s.duetty.port}`,
    authorization: `Bearer ${s.duetty.token(role)}`,
  });
  const scrape = async () => samples((await s.duetty.request("/metrics", headers("person"))).body);
  expect((await scrape()).get("duetty_questions")).toBe(1);
  await s.person.deny({ approval_id });
  await asked.catch(() => undefined);
  const refused = await s.duetty.request("/metrics", headers("agent"));
  expect([refused.status, JSON.parse(refused.body).error.code]).toEqual([403, "auth.forbidden"]);
  const now = await scrape();
  expect(now.get("duetty_questions")).toBe(0);
  expect(now.get('duetty_answer_seconds_count{state="denied"}')).toBe(1);
  expect(now.get('duetty_answer_seconds_bucket{state="denied",le="+Inf"}')).toBe(1);
  expect(now.get('duetty_refused_calls_total{code="auth.forbidden"}')).toBe(1);
  expect(now.get('duetty_call_seconds_count{op="deny"}')).toBe(1);
  expect(now.get("duetty_journal_bytes")).toBe(s.duetty.raw(id).length);
  expect(now.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect([...now.keys()].filter((name) => name.startsWith("duetty_sessions{"))).toHaveLength(1);
  expect((await s.duetty.cli("metrics")).stdout).toContain("# TYPE duetty_call_seconds histogram\n");
});

test("status tells rates since the last status, what waits, and how long answers take", async () => {
  await using s = await stand({ own: true });
  const id = await s.open(["sh", "-c", "cat"]);
  await s.person.status({});
  await s.person.pty_send({ session_id: id, text: "words\n", then: { any: [{ text: "words" }] } });
  const { load } = await s.person.status({});
  expect(load).toMatchObject({ viewers: 0, questions: 0, answered: 0, answer_s: null, dropped_output_bytes: 0 });
  expect(load.calls_per_s).toBeGreaterThan(0);
  expect(load.output_bytes_per_s).toBeGreaterThan(0);
  expect((await s.duetty.cli("status")).stdout).toMatch(/^load {5}[\d.]+ calls\/s, [\d.]+ bytes\/s printed/m);
});

test("the log is one JSON object a line, as much of it as config says", async () => {
  await using s = await stand({ config: { log_level: "debug" } });
  const id = await s.open(["true"]);
  await expect.poll(() => s.stateOf(id)).toBe("done");
  const lines = () =>
    fs
      .readFileSync(`${s.duetty.home.run}/daemon.log`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  expect(lines()).toContainEqual(expect.objectContaining({ level: "info", message: "the daemon listens" }));
  expect(lines()).toContainEqual(expect.objectContaining({ level: "debug", message: "call", op: "pty_open" }));
  await expect
    .poll(lines)
    .toContainEqual(expect.objectContaining({ level: "info", message: "a session ended", session_id: id }));
});

test("a bundle has what a report needs, and nothing that says who or what", async () => {
  await using s = await stand({ config: { box: { masks: ["/very/hidden-place"] } } });
  const id = await s.open(["sh", "-c", "echo printed-secret; exec cat"], { name: "secret-name" });
  await s.person.pty_wait({ session_id: id, any: [{ text: "printed-secret" }], since: 0 });
  const { code, stdout } = await s.duetty.cli("doctor", "--bundle");
  const made = JSON.parse(stdout);
  expect(code).toBe(made.checks.every((check: { ok: boolean }) => check.ok) ? 0 : 1);
  expect(made).toMatchObject({ node: process.version, config: { box: { agents: true, masks: "‹1 entries›" } } });
  expect(made.sessions).toMatchObject([{ state: "running", printed: s.duetty.raw(id).length }]);
  expect(made.daemon_log.join("\n")).toContain("the daemon listens");
  for (const secret of ["printed-secret", "secret-name", "hidden-place", s.duetty.folder, s.duetty.token("person")])
    expect(stdout).not.toContain(secret);
  const asked = s.agent().doctor({ bundle: true });
  await expect(asked).rejects.toMatchObject({ code: "auth.forbidden" });
});
