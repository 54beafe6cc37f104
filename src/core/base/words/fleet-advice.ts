// Advice about other machines (advice.ts says how it is used). Pure.

export const FLEET_ADVICE = {
  hosts_remove: {
    tool: "A person removes it first with hosts_remove: $",
    cli: "Remove it first: duetty hosts remove $",
    page: "Remove it first, in a terminal: $",
  },
  hosts: {
    tool: "List the machines with hosts.",
    cli: "List the machines with: duetty hosts",
    page: "The list of sessions shows the machines.",
  },
  fleet_allow: {
    tool: "A person allows it at that machine, with fleet_allow: $",
    cli: "At that machine: duetty fleet allow $",
    page: "In a terminal of that machine, allow it: $",
  },
  fleet_begin: {
    tool: "A person begins one with fleet_init, or joins one with fleet_join.",
    cli: "Begin one with: duetty fleet init nats://HOST:4222, or join one with: duetty fleet join CODE",
    page: "Begin one in a terminal of the machine.",
  },
  fleet_reload: {
    tool: "A person prints the broker's configuration with fleet_nats_config at the root's machine, and lets the broker read it.",
    cli: "On the fleet's first machine: duetty fleet nats-config > nats.conf, then nats-server --signal reload",
    page: "Print its configuration in a terminal of the fleet's first machine, and let the broker read it.",
  },
  fleet_end: {
    tool: "To end the whole fleet: fleet_leave with root.",
    cli: "To end the whole fleet: duetty fleet leave --root",
    page: "End the whole fleet in a terminal of the machine.",
  },
  fleet_leave: {
    tool: "To forget this one: fleet_leave.",
    cli: "To forget this one: duetty fleet leave",
    page: "Forget this one in a terminal of the machine.",
  },
  fleet_revoke: {
    tool: "Take that one out first with fleet_revoke: $",
    cli: "Take that one out first: duetty fleet revoke $",
    page: "Take that one out first, in a terminal of the machine: $",
  },
  fleet_devices: {
    tool: "A person lists them with fleet_devices.",
    cli: "List them with: duetty fleet devices",
    page: "List them in a terminal of the machine.",
  },
  fleet_reached: {
    tool: "fleet_devices says there whether it is.",
    cli: "Whether it is, this says there: duetty fleet devices",
    page: "Its list of devices, in a terminal there, says whether it is.",
  },
} as const;
