// The areas that the mutation run covers: which sources are mutated, and which tests are asked first.
// Paths are prefixes. `tests` orders the candidates of a mutant; a test elsewhere that covers it may still kill it.

export const MUTANTS_PER_AREA = 30;

/** Areas with shell scripts take a fixed share of their mutants from them: no instrumenter knows these languages. */
export const AREAS = {
  gate: {
    sources: ["src/core/gate/"],
    except: ["src/core/gate/risk/tables/", "src/core/gate/approvals.ts", "src/core/gate/settle.ts"],
    tests: ["test/sim/gate", "test/property/gate", "test/surface/gate"],
  },
  approvals: {
    sources: [
      "src/core/gate/approvals.ts",
      "src/core/gate/settle.ts",
      "src/serve/needs/tell-approval.ts",
      "src/mcp/approvals.ts",
      "src/mcp/attempt.ts",
      "src/serve/handlers/gate.ts",
      "src/core/needs/",
      "src/cli/attach/question.ts",
    ],
    tests: ["test/sim/approvals", "test/property/needs", "test/surface/gate", "test/surface/mcp/approvals"],
  },
  journal: {
    sources: ["src/core/journal/", "src/host/disk/"],
    tests: ["test/contract/disk", "test/property/screen", "test/surface/journal", "test/fault", "test/sim"],
  },
  holder: {
    sources: ["src/holder/", "src/host/holder/", "src/host/pty/"],
    tests: ["test/contract/holder-link", "test/contract/pty", "test/fault", "test/sim/restart"],
  },
  blocks: {
    sources: ["src/core/block/"],
    shells: [
      "shell/duetty.bash",
      "shell/duetty.zsh",
      "shell/duetty.fish",
      "shell/nested.bash",
      "shell/nested.zsh",
      "shell/nested.fish",
    ],
    shellMutants: 12,
    shellTests: ["test/contract/shells", "test/surface/run"],
    tests: ["test/property/run", "test/property/screen", "test/surface/run", "test/contract/shells"],
  },
  waits: {
    sources: ["src/core/screen/wait/"],
    tests: ["test/property/screen", "test/sim/waiting", "test/sim", "test/surface/screen", "test/property/testing"],
  },
  viewers: {
    sources: ["src/core/viewer/", "src/serve/viewing/"],
    tests: ["test/sim/sizing", "test/property/screen", "test/sim", "test/surface/screen", "test/surface/share"],
  },
  redaction: {
    sources: ["src/core/redact/"],
    tests: ["test/property/redact", "test/surface/redact"],
  },
  box: {
    sources: ["src/core/box/"],
    shells: ["shell/box.pl", "shell/mounts.pl", "shell/protect.pl", "shell/bridge.pl"],
    shellMutants: 10,
    shellTests: ["test/contract/sandbox", "test/surface/box"],
    tests: ["test/property/box", "test/contract/sandbox", "test/surface/box"],
  },
  roles: {
    sources: [
      "src/serve/auth.ts",
      "src/serve/peers.ts",
      "src/serve/operations.ts",
      "src/serve/guests.ts",
      "src/serve/client-tokens.ts",
      "src/serve/pass/",
      "src/serve/http/door.ts",
      "src/serve/http/tries.ts",
      "src/serve/http/embedding.ts",
    ],
    tests: [
      "test/surface/who",
      "test/surface/front-door",
      "test/surface/access",
      "test/surface/share",
      "test/surface/away",
    ],
  },
  fleet: {
    sources: ["src/core/fleet/", "src/host/fleet/"],
    tests: [
      "test/property/fleet-keys",
      "test/property/fleet",
      "test/sim/fleet",
      "test/contract/fleet",
      "test/fault/fleet",
    ],
  },
};
