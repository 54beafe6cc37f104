// An agent's line that comes before the shell's first prompt waits for it.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../fixtures/soon.ts";
import { SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { person, agent, folder } = sharedStand();

/** Start files that say they have begun, and take longer than keys wait for a program to read. */
const SLOW = 'touch "$HOME/begun"\ncommand sleep 1\n';
const FILES = { ".bashrc": SLOW, ".zshrc": SLOW, ".config/fish/config.fish": SLOW };

test.each(SHELLS)(
  "a line that an agent types while %s reads its start files runs at the first prompt",
  async (shell) => {
    const home = folder(FILES);
    const env = { HOME: home, ZDOTDIR: null, XDG_CONFIG_HOME: null, XDG_DATA_HOME: null };
    const { session_id } = await person.pty_open({ shell: `/usr/bin/${shell}`, cwd: home, env });
    await person.pty_read_screen({ session_id });
    await until(() => fs.existsSync(join(home, "begun")), "the start files");
    const typed = { text: "echo early\n", then: { any: [{ block_end: true as const }] } };
    expect(await agent("helper").pty_send({ session_id, ...typed })).toMatchObject({ outcome: "matched" });
    const { blocks } = await person.blocks({ session_id });
    expect(blocks).toMatchObject([{ cmd: "echo early", exit_code: 0, actor: "agent:helper" }]);
  },
);
