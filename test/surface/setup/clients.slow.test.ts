// `duetty setup codex` finds DUETTY_HOME in every form that TOML has.
import { join } from "node:path";
import { expect, it } from "vitest";
import { SetupHome } from "../../fixtures/stand/setup-home.ts";

it("codex: DUETTY_HOME is found in every form that TOML has", async () => {
  using place = new SetupHome();
  const file = ".codex/config.toml";
  const DUETTY_HOME = join(place.home, "d");
  const fields = 'command = "duetty"\nargs = ["mcp", "--as", "agent:codex"]\n';
  const ours = `[mcp_servers.duetty]\n${fields}`;
  const home = `DUETTY_HOME = ${JSON.stringify(DUETTY_HOME)}`;
  const cases = [
    ["", `${ours}env = { ${home} }\n`],
    [`${ours}\n[tui]\nx = 1\n`, `${ours}env = { ${home} }\n\n[tui]\nx = 1\n`],
    [`${ours}env = { "A B" = "1", n.m = 2 }\n`, `${ours}env = { "A B" = "1", n.m = 2, ${home} }\n`],
    [`${ours}env.KEEP = "1" # why\n`, `${ours}env.KEEP = "1" # why\nenv.${home}\n`],
    [`${ours}\n[mcp_servers.duetty.env]\nKEEP = "1"\n`, `${ours}\n[mcp_servers.duetty.env]\n${home}\nKEEP = "1"\n`],
  ] as const;
  for (const [before, after] of cases) {
    place.put(file, before);
    expect((await place.setupWith({ DUETTY_HOME }, "codex", "--yes")).code).toBe(0);
    expect(place.text(file)).toBe(after);
    expect((await place.setupWith({ DUETTY_HOME }, "codex")).stdout).toContain("already set up");
    const moved = join(place.home, "e");
    await place.setupWith({ DUETTY_HOME: moved }, "codex", "--yes");
    expect(place.text(file)).toBe(after.replace(DUETTY_HOME, moved));
    await place.setup("codex", "--yes");
    expect(place.text(file)).toBe(before === "" ? ours : before);
  }
  await place.setupWith({ DUETTY_HOME }, "codex", "--yes");
  await place.setupWith({ DUETTY_HOME }, "codex", "--remove", "--yes");
  expect(place.text(file)).toBe("");
});
