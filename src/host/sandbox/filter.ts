// The system calls that a box refuses, as a classic BPF program for seccomp. Owns: call numbers and the program's
// layout on x86-64 and aarch64. Refuses: calls of another ABI of the same machine, whose numbers mean something else.
// ptrace stays: the process namespace hides everybody outside, and debuggers inside need it.

/** One instruction of struct sock_filter: u16 code, u8 jump if true, u8 jump if false, u32 value. */
type Instruction = readonly [code: number, jt: number, jf: number, k: number];

const LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
const EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const AT_LEAST = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const ANY_BIT = 0x45; // BPF_JMP | BPF_JSET | BPF_K
const RETURN = 0x06; // BPF_RET | BPF_K

/** Offsets in struct seccomp_data. Of an argument only the low word counts: the kernel reads an int, too. */
const NUMBER = 0;
const ARCH = 4;
const argument = (index: number): number => 16 + index * 8;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 0x00050000 + 1;
/** "No such call": programs then take the older one, as libuv does for io_uring and glibc for clone3. */
const ENOSYS = 0x00050000 + 38;

/**
 * TIOCSTI types into a terminal as if a person had, TIOCLINUX can paste into a console. TCXONC stops a terminal so that no key
 * starts it again, TIOCEXCL locks others out of it, TIOCSETD changes what reads it.
 */
const TERMINAL_REQUESTS = [0x5412, 0x541c, 0x540a, 0x540c, 0x5423];
/**
 * A process group reaches out of the box: what waits outside for the box is in the program's own. Nobody inside may stop it (`kill 0`),
 * because the shell would take the terminal back while the box lives on.
 */
const SIGSTOP = 19;
const OWN_GROUP = 0;
const PIDFD_SEND_SIGNAL = 424;
const PIDFD_SIGNAL_PROCESS_GROUP = 4;
const CLONE_NEWUSER = 0x10000000;
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Others (vsock, for example) know no network namespace. */
const FAMILIES = [1, 2, 10, 16];
/** Calls of the x32 ABI have this bit and the same arch. */
const X32_BIT = 0x40000000;

interface Machine {
  readonly arch: number;
  readonly hasX32: boolean;
  readonly ioctl: number;
  readonly kill: number;
  readonly socket: number;
  readonly clone: number;
  readonly unshare: number;
  /**
   * Keys of the kernel (add_key request_key keyctl), other programs' state (bpf perf_event_open userfaultfd
   * open_by_handle_at), other namespaces and mounts (setns mount umount2 pivot_root), the machine (kexec_load kexec_file_load
   * init_module finit_module delete_module reboot swapon swapoff acct quotactl syslog; x86: iopl ioperm).
   */
  readonly refused: readonly number[];
}

const MACHINES: Partial<Record<NodeJS.Architecture, Machine>> = {
  x64: {
    arch: 0xc000003e,
    hasX32: true,
    ioctl: 16,
    kill: 62,
    socket: 41,
    clone: 56,
    unshare: 272,
    refused: [
      248, 249, 250, 321, 298, 323, 304, 308, 165, 166, 155, 246, 320, 175, 313, 176, 169, 167, 168, 163, 179, 103, 172,
      173,
    ],
  },
  arm64: {
    arch: 0xc00000b7,
    hasX32: false,
    ioctl: 29,
    kill: 129,
    socket: 198,
    clone: 220,
    unshare: 97,
    refused: [217, 218, 219, 280, 241, 282, 265, 268, 40, 39, 41, 104, 294, 105, 273, 106, 142, 224, 225, 89, 60, 116],
  },
};

/** The same on every machine: open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr. */
const NEW_MOUNTS = [428, 429, 430, 431, 432, 433, 442];
/** io_uring hides its calls from this filter; clone3 has its flags in memory, where no filter sees them. */
const UNSEEN = [425, 426, 427, 435];

/** Null on a machine whose calls we do not know: there is no box then. */
export function filterBytes(machine: NodeJS.Architecture = process.arch): Uint8Array | null {
  const known = MACHINES[machine];
  return known ? encoded(program(known)) : null;
}

function program({ arch, hasX32, ioctl, kill, socket, clone, unshare, refused }: Machine): Instruction[] {
  return [
    [LOAD, 0, 0, ARCH],
    [EQUAL, 1, 0, arch],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    ...(hasX32 ? answer([AT_LEAST, X32_BIT], ENOSYS) : []),
    ...UNSEEN.flatMap((call) => answer([EQUAL, call], ENOSYS)),
    ...[...refused, ...NEW_MOUNTS].flatMap((call) => answer([EQUAL, call], EPERM)),
    ...inCall(ioctl, 1, [
      ...TERMINAL_REQUESTS.flatMap((request) => answer([EQUAL, request], EPERM)),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...inCall(kill, 0, [
      [EQUAL, 1, 0, OWN_GROUP],
      [RETURN, 0, 0, ALLOW],
      [LOAD, 0, 0, argument(1)],
      ...answer([EQUAL, SIGSTOP], EPERM),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...inCall(PIDFD_SEND_SIGNAL, 3, [...answer([ANY_BIT, PIDFD_SIGNAL_PROCESS_GROUP], EPERM), [RETURN, 0, 0, ALLOW]]),
    ...[clone, unshare].flatMap((call) =>
      inCall(call, 0, [...answer([ANY_BIT, CLONE_NEWUSER], EPERM), [RETURN, 0, 0, ALLOW]]),
    ),
    ...inCall(socket, 0, [...FAMILIES.flatMap((family) => answer([EQUAL, family], ALLOW)), [RETURN, 0, 0, EPERM]]),
    [RETURN, 0, 0, ALLOW],
  ];
}

function answer([test, k]: readonly [number, number], verdict: number): Instruction[] {
  return [
    [test, 0, 1, k],
    [RETURN, 0, 0, verdict],
  ];
}

/** What is asked of one argument of one call. It ends with an answer, so the number is still loaded for the next call. */
function inCall(call: number, index: number, body: readonly Instruction[]): Instruction[] {
  return [[EQUAL, 0, body.length + 1, call], [LOAD, 0, 0, argument(index)], ...body];
}

/** Little-endian, as both machines are. */
function encoded(instructions: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [at, [code, jt, jf, k]] of instructions.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(jt, at * 8 + 2);
    bytes.writeUInt8(jf, at * 8 + 3);
    bytes.writeUInt32LE(k, at * 8 + 4);
  }
  return bytes;
}
