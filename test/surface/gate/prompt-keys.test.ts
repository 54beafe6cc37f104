// Keys of an agent at a person's prompt do nothing but change the line, whatever keys the person has bound.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Call } from "../../../src/protocol/ops.ts";
import { SOON_MS, until } from "../../fixtures/soon.ts";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";

const { person, agent, openGatedShell } = sharedStand({ config: UNBOXED, agent: "sly" });

const VI = { bash: "set -o vi", zsh: "bindkey -v", fish: "fish_vi_key_bindings" };
const [HOME, PASTE, PASTED] = ["\x1b[7~", "\x1b[200~", "\x1b[201~"];
/** vi keys change the case of letters, so the name ends in a digit. */
const ATTACKS: readonly (readonly string[])[] = [
  ["touch made1", HOME, `${PASTE}\r${PASTED}`],
  ["#touch made1 #", HOME, "#"],
  ["touch made1", HOME, ":accept-line", HOME],
  [`${PASTE}foo\n#touch made1 #${PASTED}`, HOME, "#"],
];

/** The agent gives its line up, and the shell has heard that: nobody's Enter runs it. */
async function cleared(session_id: string): Promise<void> {
  await agent().pty_send({ session_id, keys: ["Ctrl+C"] });
  const isBare = async () => {
    const { rows, cursor } = await person.pty_read_screen({ session_id });
    return !/touch|foo|made/i.test(rows[cursor.row] ?? "");
  };
  await until(isBare, "an empty line");
  const isReady = async () =>
    (await person.pty_wait({ session_id, any: [{ prompt: true }], timeout_ms: 1_000 })).outcome === "matched";
  await until(isReady, "the prompt");
}

/** The next prompt is there, and with it the keyboard is free. */
const OVER = { all: [{ block_end: true }, { prompt: true }], timeout_ms: SOON_MS } satisfies Call<"pty_send">["then"];

it.each(["bash", "zsh", "fish"] as const)(
  "B2: with vi keys no line of an agent's runs unjudged in %s",
  async (shell) => {
    const { session_id, cwd } = await openGatedShell(shell);
    const mine = (text: string) => person.pty_send({ session_id, text: `${text}\n`, then: OVER });
    await mine(VI[shell]);
    for (const attack of ATTACKS) {
      // A line break is refused: what is left at a prompt has one row.
      const refused = ({ code }: { code?: string }) => expect(code).toBe("input.invalid");
      for (const text of attack) await agent().pty_send({ session_id, text }).catch(refused);
      await cleared(session_id);
    }
    await agent().pty_send({ session_id, text: "echo fi\x1b[Dx", then: { any: [{ text: "echo fxi" }] } });
    await person.release({ session_id });
    await agent().pty_send({ session_id, keys: ["Ctrl+C"] });
    await mine("echo done");
    expect(fs.existsSync(join(cwd, "made1"))).toBe(false);
  },
);

it.each(["bash", "zsh", "fish"] as const)(
  "M1: an agent does not change lines of a person's history in %s",
  async (shell) => {
    const { session_id, cwd } = await openGatedShell(shell);
    await person.pty_send({ session_id, text: "echo one\n", then: OVER });
    const up = agent().pty_send({ session_id, keys: ["Up"], then: { any: [{ change: true }], timeout_ms: 150 } });
    await expect(up).rejects.toMatchObject({ code: "approval.pending" });
    await agent().pty_send({ session_id, text: "\x15touch made1" });
    await cleared(session_id);
    await person.pty_send({ session_id, keys: ["Up", "Enter"], then: OVER });
    expect(fs.existsSync(join(cwd, "made1"))).toBe(false);
  },
);
