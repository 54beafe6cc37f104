// Ways out of the box that were tried, as root and as an ordinary user. Each line prints ESCAPED when it got through.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BoxStand, boxStand, type User } from "../../fixtures/box/box.ts";
import { depth } from "../../fixtures/depth.ts";
import { git } from "../../fixtures/git.ts";

const CALLS = fileURLToPath(new URL("../../fixtures/box/kernel-calls.py", import.meta.url));
const USERS: User[] = ["the tests' own user", "nobody", "nobody, by bubblewrap"];

interface Outside {
  readonly canary: string;
  readonly ssh: string;
  readonly token: string;
  readonly port: number;
  readonly pid: number;
  readonly socket: string;
  readonly abstract: string;
}

const call = (name: string, ...rest: (string | number)[]) => `python3 calls.py ${name} ${rest.join(" ")}`;
const got = "&& echo ESCAPED";

/** What is tried: its line. Whatever it prints, the canaries must be as they were. */
const ATTEMPTS: Readonly<Record<string, (outside: Outside) => string>> = {
  "remount the world writable": ({ canary }) => `mount -o remount,rw,bind / ${got}; echo x >${canary} ${got}`,
  "a symbolic link out of the workspace": ({ canary }) => `ln -s ${canary} link; echo x >link ${got}`,
  "a hard link to a file outside": ({ canary }) => `ln ${canary} hard ${got}; ln -L /etc/passwd hard2 ${got}`,
  "moving the workspace away": () => `mv "$PWD" "$PWD-moved" ${got}`,
  "/proc/1/root, cwd and fd": ({ canary, ssh }) =>
    `echo x >/proc/1/root${canary} ${got}; cat /proc/1/root${ssh} ${got}; cat /proc/*/root${ssh} ${got}`,
  "signals to a process outside": ({ pid }) => `kill -0 ${pid} ${got}`,
  "stopping what waits outside, which is in the same process group": () =>
    `kill -STOP 0 ${got}; ${call("pidfd_group")}`,
  "ptrace of a process outside": ({ pid }) => call("ptrace", pid),
  "the daemon's socket by its path": ({ token }) => call("unix", join(token, "../run/daemon.sock")),
  "a socket in the home folder": ({ socket }) => call("unix", socket),
  "an abstract socket": ({ abstract }) => call("unix", `@${abstract}`),
  "/dev/tcp": ({ port }) => `exec 5<>/dev/tcp/127.0.0.1/${port} ${got}`,
  "TCP to a server outside": ({ port }) => call("tcp", "127.0.0.1", port),
  "IPv6 to a server outside": ({ port }) => `${call("tcp", "::1", port)}; ${call("udp", "2001:db8::1")}`,
  "a DNS question": () => `${call("udp", "192.0.2.1")}; getent hosts example.com ${got}`,
  "a raw socket": () => `${call("raw")}; ${call("packet")}`,
  "a vsock, which no network namespace holds": () => call("vsock"),
  "another process's namespace": () => call("setns"),
  "a user namespace of its own": () =>
    `unshare -Urm true ${got}; ${call("unshare_user")}; ${call("clone_user")}; ${call("clone3")}; bwrap --ro-bind / / true ${got}`,
  "typing into the terminal, stopping or locking it (TIOCSTI, TIOCLINUX, TCXONC, TIOCEXCL, TIOCSETD)": () =>
    `${call("tiocsti")}; ${call("tiocsti_high_bits")}; ${call("tioclinux")}; ${call("tcxonc")}; ${call("tiocexcl")}; ${call("tiocsetd")}`,
  "the calls of another ABI": () => `${call("x32")}; ${call("i386")}`,
  "a hook of the repository": () =>
    `echo x >.git/hooks/pre-commit ${got}; rm -r .git/hooks ${got}; mv .git/hooks .git/old ${got}; mv .git old ${got}`,
  "the settings of the repository": () =>
    `echo x >>.git/config ${got}; git config core.fsmonitor x ${got}; mv .git/config c ${got}; rm -f .git/config ${got}`,
  "inherited descriptors": () =>
    `for fd in {3..200}; do [ -e /proc/$$/fd/$fd ] && readlink /proc/$$/fd/$fd ${got}; done`,
  "a container engine, dbus and everybody else in /run": () =>
    `for at in /run/* /var/run/*; do case $at in */\\*) ;; *) echo "$at"; echo ESCAPED ;; esac; done`,
  "the program that gets core dumps": () => `echo '|/bin/true' >/proc/sys/kernel/core_pattern ${got}`,
  "other settings of the kernel": () =>
    `for f in kernel/modprobe kernel/hostname vm/drop_caches kernel/hotplug; do echo x >/proc/sys/$f ${got}; done; echo h >/proc/sysrq-trigger ${got}; echo x >/proc/sys/fs/binfmt_misc/register ${got}`,
  "a cgroup's release_agent": () =>
    `mkdir /sys/fs/cgroup/x ${got}; for f in $(find /sys/fs/cgroup -maxdepth 2 -name release_agent -o -maxdepth 2 -name cgroup.procs | head); do echo 1 >$f ${got}; done`,
  "programs with more rights": () =>
    `cp /bin/bash own; chmod u+s own; grep -q 'NoNewPrivs:.1' /proc/self/status || echo ESCAPED; su -c 'id' nobody ${got}`,
  capabilities: () => `grep -E 'Cap(Eff|Prm|Bnd|Amb):' /proc/self/status | grep -qv '0000000000000000$' ${got}`,
  "the machine's memory and disks": () =>
    `cat /dev/mem ${got}; mknod m c 1 1 ${got}; mknod d b 8 0 ${got}; ls /dev/sda /dev/vda /dev/kmsg ${got}`,
  "keys of the kernel": () => `${call("keyctl")}; ${call("add_key")}; ${call("request_key")}`,
  "bpf, perf and userfaultfd": () => `${call("bpf")}; ${call("perf_event_open")}; ${call("userfaultfd")}`,
  io_uring: () => call("io_uring_setup"),
  "another kernel, a module, a mount": () =>
    `${call("kexec_load")}; ${call("init_module")}; ${call("mount")}; ${call("open_tree")}`,
  "our home and secrets": ({ token, ssh }) =>
    `cat ${token} ${got}; cat ${ssh} ${got}; cat ~/.ssh/id ${got}; grep -rs canary- "$(dirname ${ssh})" "$(dirname ${token})" ${got}`,
  "secrets in the environment": () =>
    `env | grep -E 'canary|DUETTY|SSH_AUTH|DBUS|DISPLAY' ${got}; tr '\\0' '\\n' </proc/1/environ | grep canary- ${got}`,
};

describe.each(USERS.slice(0, depth(2, USERS.length)))("from a box of %s", (user) => {
  let box: BoxStand;
  let outside: Outside;
  const servers: net.Server[] = [];
  const connected: string[] = [];
  const listen = (at: net.ListenOptions) =>
    new Promise<number>((resolve) => {
      const server = net.createServer((socket) => {
        connected.push(JSON.stringify(at));
        socket.destroy();
      });
      servers.push(server);
      server.listen(at, () => {
        const address = server.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });

  beforeAll(async () => {
    box = boxStand(user);
    const { homeFolder, home, workspace } = box;
    const [canary, ssh] = [join(homeFolder, "canary"), join(homeFolder, "keys", "id")];
    fs.writeFileSync(canary, "untouched");
    // A link to the folder that is meant: what it points to is masked.
    fs.mkdirSync(join(homeFolder, "keys"));
    fs.writeFileSync(ssh, "canary-key");
    fs.symlinkSync("keys", join(homeFolder, ".ssh"));
    fs.writeFileSync(home.personToken, "canary-token");
    fs.copyFileSync(CALLS, join(workspace, "calls.py"));
    git(workspace, "init", "-q");
    const socket = join(homeFolder, "agent.sock");
    const abstract = `duetty-test-${process.pid}-${user.length}`;
    await listen({ path: socket });
    await listen({ path: home.daemonSocket });
    await listen({ path: `\0${abstract}` });
    const port = await listen({ host: "127.0.0.1", port: 0 });
    await listen({ host: "::1", port });
    outside = { canary, ssh, token: home.personToken, port, pid: process.pid, socket, abstract };
  });
  afterAll(() => {
    for (const server of servers) server.close();
    box[Symbol.dispose]();
  });

  test.each(Object.entries(ATTEMPTS))("no way out: %s", (_, line) => {
    const before = kernelState();
    const { output } = box.run(line(outside), {}, { SSH_AUTH_SOCK: "/x", MY_TOKEN: "canary-env", DISPLAY: ":0" });
    expect(output).not.toContain("ESCAPED");
    expect(output).not.toMatch(/canary-(?:key|token|env)/);
    expect(connected).toEqual([]);
    expect(fs.readFileSync(outside.canary, "utf8")).toBe("untouched");
    expect(fs.readFileSync(outside.token, "utf8")).toBe("canary-token");
    expect(kernelState()).toEqual(before);
  });
});

function kernelState(): string[] {
  return ["core_pattern", "hostname"].map((name) => fs.readFileSync(`/proc/sys/kernel/${name}`, "utf8"));
}

test("the attempts get through without a box, so that they prove something", () => {
  const tried = ["keyctl", "io_uring_setup", "userfaultfd", "clone3"].map((name) => {
    const { stdout } = spawnSync("python3", [CALLS, name], { encoding: "utf8" });
    return stdout.trim();
  });
  expect(tried).toContain("ESCAPED");
});
