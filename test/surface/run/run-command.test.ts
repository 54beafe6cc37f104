// run_command: the command's own exit code, exactly its output, nobody's line destroyed, nothing returned early.
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import type { Call, Output } from "../../../src/protocol/ops.ts";
import { rawOutput, SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, openShell, foregroundOf } = sharedStand();
const run = (session_id: string, command: string, more: Partial<Call<"run_command">> = {}) =>
  agent().run_command({ session_id, command, ...more });
const brief = ({ status, exit_code, output }: Output<"run_command">) => ({ status, exit_code, text: output.head });

describe.each(SHELLS)("%s", (shell) => {
  it("a run gives the exit code and exactly the output, and its block says who and where", async () => {
    const { session_id, cwd, integration } = await openShell(shell);
    expect(integration).toBe(shell);
    const ran = await run(session_id, "echo one; sh -c 'echo two >&2; exit 7'");
    expect(brief(ran)).toEqual({ status: "done", exit_code: 7, text: "one\ntwo" });
    expect(ran).toMatchObject({ mode: "pty", cwd, waiting: null });
    const { blocks } = await agent().blocks({ session_id });
    expect(blocks).toMatchObject([
      { block_id: ran.block_id, cmd: "echo one; sh -c 'echo two >&2; exit 7'", exit_code: 7, cwd, state: "failed" },
    ]);
    expect(blocks[0]?.actor).toMatch(/^agent:/);
    expect(rawOutput(duetty, blocks[0] as NonNullable<(typeof blocks)[0]>).toString()).toBe("one\r\ntwo\r\n");
  });

  it("prices, prompts, silence and foreign marks in the output do not end a run", async () => {
    const { session_id } = await openShell(shell);
    const fake = "Price: $100\n~> \n$ ";
    expect(brief(await run(session_id, `printf '${fake.replaceAll("\n", "\\n")}'; sleep 0.3; echo end`))).toEqual({
      status: "done",
      exit_code: 0,
      text: "Price: $100\n~>\n$ end",
    });
    const marks = String.raw`\033]133;D;0\007\033]133;A\007\033]133;B\007\033]133;C\007\033]133;D;9\007`;
    const slow = await run(session_id, `printf '${marks}'; sleep 1; echo late; false`);
    expect(brief(slow)).toMatchObject({ status: "done", exit_code: 1, text: "late" });
    expect(slow.duration_ms).toBeGreaterThanOrEqual(1_000);
    const raw = `${duetty.home.sessions}/${session_id}/output.raw`;
    // A copy: the file itself grows by what is printed, and cat would follow it.
    const copy = `${duetty.home.dir}/${session_id}.copy`;
    const replayed = await run(session_id, `cp '${raw}' '${copy}'; cat '${copy}'; sleep 0.2; echo after`);
    expect(replayed.status).toBe("done");
    expect(replayed.output.head.endsWith("after")).toBe(true);
    expect((await agent().blocks({ session_id })).total).toBe(3);
  });

  it("a run leaves a half-typed line alone and goes on when it is gone", async () => {
    const { session_id } = await openShell(shell);
    await person.pty_send({ session_id, text: "echo ha''lf", then: { any: [{ text: "ha''lf" }] } });
    const refused = run(session_id, "echo agent", { timeout_ms: 700 });
    await expect(refused).rejects.toMatchObject({ code: "prompt.busy" });
    const waiting = run(session_id, "echo agent", { timeout_ms: 30_000 });
    await person.pty_send({ session_id, keys: ["Enter"], then: { any: [{ text: "half" }] } });
    expect(brief(await waiting)).toEqual({ status: "done", exit_code: 0, text: "agent" });
    const { blocks } = await agent().blocks({ session_id });
    expect(blocks.map(({ cmd, actor }) => [cmd, actor.split(":")[0]])).toEqual([
      ["echo ha''lf", "person"],
      ["echo agent", "agent"],
    ]);
  });

  it("quotes, tabs, several lines and exclamation marks arrive unchanged", async () => {
    const { session_id } = await openShell(shell);
    const text = "tab\there 'single' \"double\" $HOME !! !x \\n ü 漢 🎉";
    const quoted = `'${text.replaceAll("'", "'\\''")}'`;
    const ran = await run(session_id, `printf '%s\\n' ${quoted}`);
    expect(brief(ran)).toEqual({ status: "done", exit_code: 0, text: text.replace("\t", " ".repeat(5)) });
    const two = await run(session_id, "echo one\nsh -c 'echo two; exit 3'");
    expect(brief(two)).toEqual({ status: "done", exit_code: 3, text: "one\ntwo" });
  });

  it("an incomplete command is refused and leaves nothing behind", async () => {
    const { session_id } = await openShell(shell);
    await expect(run(session_id, "echo 'open")).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("this command is not complete"),
      hint: "Nothing was run.",
    });
    expect(brief(await run(session_id, "echo fine"))).toEqual({ status: "done", exit_code: 0, text: "fine" });
    expect((await agent().blocks({ session_id })).blocks.map(({ cmd }) => cmd)).toEqual(["echo fine"]);
  });

  it("a line that the shell cannot make sense of says why, and the next one runs", async () => {
    const { session_id } = await openShell(shell);
    const answer = await run(session_id, "echo )").then(brief, ({ message }: Error) => message);
    const code = { bash: 2, zsh: 1 };
    if (shell === "fish") expect(answer).toBe("the shell refuses this line: Unexpected ')' for unopened parenthesis");
    else
      expect(answer).toMatchObject({
        exit_code: code[shell],
        text: expect.stringMatching(/^\w+: .*error near .*`\)'$/),
      });
    expect(brief(await run(session_id, "echo fine"))).toEqual({ status: "done", exit_code: 0, text: "fine" });
    expect((await agent().blocks({ session_id })).blocks.map(({ cmd }) => cmd)).toEqual(
      shell === "fish" ? ["echo fine"] : ["echo )", "echo fine"],
    );
  });

  it("a run answers at the deadline with the output so far, and the rest can be awaited", async () => {
    const { session_id } = await openShell(shell);
    const file = `${duetty.home.dir}/${session_id}.go`;
    const slow = `sh -c 'echo begun; until test -e ${file}; do sleep 0.05; done; echo ended; exit 1'`;
    const early = await run(session_id, slow, { timeout_ms: 400 });
    expect(early).toMatchObject({ status: "running", exit_code: null });
    const soFar = async () => (await agent().run_command({ resume: early.run_id, timeout_ms: 0 })).output.head;
    await expect.poll(soFar).toBe("begun");
    fs.writeFileSync(file, "");
    const waited = await agent().pty_wait({ session_id, any: [{ block_end: true }], since: early.cursor });
    expect(waited).toMatchObject({ outcome: "matched", matched: "block_end" });
    const whole = await agent().run_command({ resume: early.run_id });
    expect(brief(whole)).toEqual({ status: "done", exit_code: 1, text: "begun\nended" });
  });

  it("exit codes tell signals", async () => {
    const { session_id } = await openShell(shell);
    expect((await run(session_id, "sh -c 'kill -TERM $$'")).exit_code).toBe(143);
    const slow = run(session_id, "sleep 30");
    await expect.poll(() => foregroundOf(session_id)).toBe("sleep");
    await person.pty_send({ session_id, keys: ["Ctrl+C"] });
    expect((await slow).exit_code).toBe(130);
  });
});

describe("output of every size", () => {
  it("ten thousand lines are complete, and less is cut in the middle", async () => {
    const { session_id } = await openShell();
    const whole = Array.from({ length: 10_000 }, (_, i) => String(i + 1)).join("\n");
    const all = await run(session_id, "seq 1 10000", { max_output_chars: 100_000 });
    expect(all.output).toEqual({ head: whole, tail: "", omitted_bytes: 0 });
    const part = await run(session_id, "seq 1 10000", { max_output_chars: 1_000 });
    const { head, tail, omitted_bytes } = part.output;
    expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
    expect(head.length + omitted_bytes + tail.length).toBe(whole.length);
    const { content, lines_total } = await agent().block({ block_id: part.block_id ?? "", lines: "9990:" });
    expect({ content, lines_total }).toEqual({
      content: whole.split("\n").slice(9_990).join("\n"),
      lines_total: 10_000,
    });
  });

  it("two megabytes without a line break and bytes that are not text are handled", async () => {
    const { session_id } = await openShell();
    const long = await run(session_id, "head -c 2000000 /dev/zero | tr '\\0' x");
    const { head, tail, omitted_bytes } = long.output;
    expect(head.length + omitted_bytes + tail.length).toBe(2_000_000);
    expect(long.exit_code).toBe(0);
    const noise = await run(session_id, "head -c 200000 /dev/urandom");
    expect(noise).toMatchObject({ status: "done", exit_code: 0 });
    // Random bytes may ask the terminal something, and its answer may come when the shell reads: as in any terminal, Ctrl+C.
    await person.pty_send({ session_id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }] } });
    // Whatever it switched on or off: the session goes on.
    expect((await run(session_id, "printf '\\033c'; true")).exit_code).toBe(0);
    expect(brief(await run(session_id, "echo alive"))).toEqual({ status: "done", exit_code: 0, text: "alive" });
  });
});
