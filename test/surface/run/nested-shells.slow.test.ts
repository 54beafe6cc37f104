// Shells inside of a session's own that are integrated by a person's rule.
import { expect, it } from "vitest";
import { stand } from "../../fixtures/stand/stand.ts";

it("by a person's rule it happens by itself, also after the daemon's death; a program that is no shell is not typed to", async () => {
  await using own = await stand({ config: { integrate: ["bash"] } });
  const session_id = await own.openBash();
  const line = { session_id, text: "bash --norc", keys: ["Enter"], then: { any: [{ prompt: true as const }] } };
  expect((await own.person.pty_send(line)).outcome).toBe("matched");
  expect(await own.person.run_command({ session_id, command: "exit 4" })).toMatchObject({ exit_code: 4 });
  await own.person.pty_wait({ session_id, any: [{ prompt: true }] });
  await own.person.pty_send(line);
  await own.person.run_command({ session_id, command: "sh -c 'exit 5'" });
  await own.duetty.killDaemon();
  await own.duetty.start();
  expect(await own.person.run_command({ session_id, command: "sh -c 'exit 6'" })).toMatchObject({ exit_code: 6 });
  expect((await own.person.run_command({ session_id, command: "exit 7" })).exit_code).toBe(7);
  await own.person.pty_wait({ session_id, any: [{ prompt: true }] });
  const codes = (await own.person.blocks({ session_id })).blocks.map(({ exit_code }) => exit_code);
  expect(codes).toEqual([null, 4, 4, null, 5, 6, 7, 7]);
  await own.person.pty_send({ session_id, text: "cat", keys: ["Enter"], then: { any: [{ input: true }] } });
  expect(await own.person.integrate({ session_id }).catch(({ message }) => message)).toContain("cat is in front");
});
