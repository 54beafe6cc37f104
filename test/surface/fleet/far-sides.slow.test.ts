// Machines that cannot be worked with, each behind a real sshd: another version, a greeting, garbage, silence, death in the middle,
// no key, another host key. Each is told in words that help, and none delays the others.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { API_PROTOCOL } from "../../../src/protocol/plain/version.ts";
import { type Box, box, hubOf, pair } from "../../fixtures/fleet/machines.ts";
import { BULK_MS, LONG_TEST_MS, until } from "../../fixtures/soon.ts";
import type { Stand } from "../../fixtures/stand/stand.ts";

const hostOf = async (hub: Stand, name = "box") => {
  const found = (await hub.person.hosts()).hosts.find(({ host }) => host === name);
  if (!found) throw new Error(`no machine ${name}`);
  return found;
};

/** What a fake duetty there prints. */
const saying = (line: string) => `cat > /dev/null & echo '${line}'; wait; cat\n`;
const version = (protocol: number) =>
  JSON.stringify({ duetty: "9.9.9", protocol, token: "a-token-that-nobody-may-see", where: "elsewhere" });

describe("another version", () => {
  test.each([
    [
      "older",
      -1,
      /^duetty on box is older: box has 9\.9\.9 \(protocol -?\d+\), .*; renew it there, or add it again with --install$/,
    ],
    ["newer", 1, /^duetty here is older: box has 9\.9\.9 .*; renew it here$/],
  ])("that is %s is refused, and which side is older is said", async (_, more, why) => {
    await using s = await pair({ script: saying(version(API_PROTOCOL + more)) });
    expect(await hostOf(s.hub)).toMatchObject({ reach: "refused", why: expect.stringMatching(why) });
    await expect(s.hub.person.pty_open({ host: "box" })).rejects.toMatchObject({
      code: "host.refused",
      message: expect.stringContaining("older"),
    });
    const { code, stdout } = await s.hub.duetty.cli("hosts", "add", "box", s.far.sshd.address);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^box was added; it cannot be used yet: duetty .* is older/),
    });
  });
});

describe("what comes before the name, or instead of it", () => {
  test("a greeting of the shell, a banner and a message of the day do no harm", async () => {
    const folder = fs.mkdtempSync(join(process.env.TMPDIR ?? "/tmp", "dt-banner-"));
    fs.writeFileSync(join(folder, "banner"), "Authorized users only\n");
    await using s = await pair({
      profile: "echo 'Welcome to this machine'; echo '{ not json'; echo careful >&2",
      sshd: [`Banner ${join(folder, "banner")}`],
    });
    expect(await hostOf(s.hub)).toMatchObject({ reach: "here", why: null });
    fs.rmSync(folder, { recursive: true });
  });

  test("garbage is told once and bounded, and what may be a token is not told at all", async () => {
    await using endless = await box({ script: "yes garbage\n" });
    const sign = join(endless.home, "said");
    const line = '{"duetty":"1","token":"a-token-that-nobody-may-see"';
    await using secret = await box({ script: `echo '${line}'; sleep 0.2; touch ${sign}; cat\n` });
    await using hub = await hubOf({ box: endless });
    expect(await hostOf(hub)).toMatchObject({ reach: "refused", why: 'it said "garbage" instead of its name' });
    await using other = await hubOf({}, { config: { fleet: { name: "laptop", ssh: [...secret.sshd.words] } } });
    // It is waited for, because a greeting may look like anything.
    const added = other.person.hosts_add({ name: "box", address: secret.sshd.address });
    await until(() => fs.existsSync(sign), "its words");
    secret.sshd.kill();
    await added;
    await until(async () => (await hostOf(other)).reach === "refused", "refused");
    expect((await hostOf(other)).why).toBe("it said something else than its name");
  });

  test("dying in the middle is told, and a call that was under way ends with it", async () => {
    await using dying = await box({ script: "echo one; echo 'cannot open my files' >&2; exit 3\n" });
    await using hub = await hubOf({ box: dying });
    await until(async () => (await hostOf(hub)).why !== null, "why");
    expect((await hostOf(hub)).why).toMatch(/^it said "(?:cannot open my files|one)"/);
    // Only ssh says why ssh failed: nobody over there makes a person do something about it.
    await using liar = await box({
      script: "echo 'Permission denied (publickey). Host key verification failed.' >&2\n",
    });
    await using third = await hubOf({ box: liar });
    await until(async () => (await hostOf(third)).why !== null, "why");
    expect(await hostOf(third)).toMatchObject({
      reach: "gone",
      why: 'it said "Permission denied (publickey). Host key verification failed."',
    });
    await using s = await pair();
    const { session_id } = await s.hub.person.pty_open({ host: "box", command: ["/bin/cat"] });
    const waits = s.hub.person
      .pty_wait({ session_id, any: [{ exit: true }] })
      .catch((error: { code: string }) => error.code);
    s.far.sshd.kill();
    expect(await waits).toBe("host.gone");
  });
});

describe("ssh itself", () => {
  test("where only a password would do, what to do is said; nobody is asked", async () => {
    await using far = await box();
    fs.writeFileSync(far.sshd.key.replace(/user$/, "user.pub"), "");
    await using hub = await hubOf({ box: far });
    expect(await hostOf(hub)).toMatchObject({
      reach: "refused",
      why: expect.stringMatching(/Permission denied \(publickey.*duetty types no password.*ssh-copy-id/),
    });
  });

  test("a host key that changed, and one that nobody has seen, are told as ssh says it", async () => {
    await using far = await box();
    const known = join(far.home, "known_hosts");
    const [, port = ""] = /:(\d+)$/.exec(far.sshd.address) ?? [];
    const other = fs.readFileSync(far.sshd.key.replace(/user$/, "user.pub"), "utf8").split(" ").slice(0, 2).join(" ");
    fs.writeFileSync(known, `[127.0.0.1]:${port} ${other}\n`);
    const ssh = (file: string) => [
      "ssh",
      "-F",
      "none",
      "-i",
      far.sshd.key,
      "-o",
      `UserKnownHostsFile=${file}`,
      "-o",
      "StrictHostKeyChecking=yes",
    ];
    await using changed = await hubOf({}, { config: { fleet: { name: "laptop", ssh: ssh(known) } } });
    await changed.person.hosts_add({ name: "box", address: far.sshd.address });
    expect(await hostOf(changed)).toMatchObject({
      reach: "refused",
      why: expect.stringMatching(/its host key has changed.*Offending .* in .*known_hosts:1/),
    });
    await using unseen = await hubOf({}, { config: { fleet: { name: "laptop", ssh: ssh(join(far.home, "none")) } } });
    await unseen.person.hosts_add({ name: "box", address: far.sshd.address });
    expect(await hostOf(unseen)).toMatchObject({
      reach: "refused",
      why: expect.stringMatching(
        /Host key verification failed; .*look at it once with ssh -F none -i \S+ -o \S+ -o \S+ -p \d+ 127\.0\.0\.1$/,
      ),
    });
  });
});

describe("a machine that hangs", () => {
  const within = async (ms: number, work: Promise<unknown>) => {
    const began = performance.now();
    await work;
    expect(performance.now() - began).toBeLessThan(ms);
  };
  /** On a busy machine a call of its own takes part of it. */
  const ALL_MS = 2_000 + 3_000;

  test("from the beginning, or in the middle, delays neither lists nor what others do, and is told as missing", {
    timeout: LONG_TEST_MS,
  }, async () => {
    await using good = await box();
    await using silent = await box({ script: "cat > /dev/null\n" });
    const hub = await quick({ good, silent });
    await using _ = hub;
    await within(ALL_MS, hub.person.hosts());
    await within(ALL_MS, hub.person.pty_list({ hosts: "all" }));
    expect((await hub.person.pty_list({ hosts: "all" })).missing).toEqual(["silent"]);
    const { session_id } = await hub.person.pty_open({ host: "good", command: ["/bin/bash", "--norc", "-i"] });
    for (const pid of silent.sshd.pids().slice(1)) process.kill(pid, "SIGSTOP");
    await within(ALL_MS, hub.person.pty_list({ hosts: "all" }));
    await within(ALL_MS, hub.agent("bot").pty_list({ hosts: "all" }));
    await within(ALL_MS, hub.person.search({ query: "x", hosts: "all" }));
    expect(await hub.person.run_command({ session_id, command: "echo here" })).toMatchObject({
      output: { head: "here" },
    });
    // Now the good one stops in the middle.
    for (const pid of good.sshd.pids().slice(1)) process.kill(pid, "SIGSTOP");
    await within(ALL_MS, hub.person.hosts());
    await within(ALL_MS, hub.person.pty_list({ hosts: "all" }));
    await within(ALL_MS, hub.agent("bot").approvals({ hosts: "all" }));
    await within(ALL_MS, hub.person.pty_list());
    await until(async () => (await hostOf(hub, "good")).reach !== "here", "noticed", BULK_MS);
    await expect(hub.person.pty_screen_status({ session_id })).rejects.toMatchObject({ code: "host.gone" });
    expect((await hub.person.pty_list({ hosts: "all" })).missing?.sort()).toEqual(["good", "silent"]);
    for (const pid of [...good.sshd.pids(), ...silent.sshd.pids()].slice(1)) process.kill(pid, "SIGCONT");
  });

  /** Without waiting for the one that says nothing. */
  async function quick({ good, silent }: { good: Box; silent: Box }): Promise<Stand> {
    const ssh = [...good.sshd.words, "-i", silent.sshd.key];
    const hub = await hubOf({}, { config: { fleet: { name: "laptop", ssh } } });
    await hub.person.hosts_add({ name: "good", address: good.sshd.address });
    void hub.person.hosts_add({ name: "silent", address: silent.sshd.address }).catch(() => undefined);
    await until(async () => (await hub.person.hosts()).hosts.length === 2, "both");
    return hub;
  }
});
