// The broker in memory and a real one keep the same contract.
import type { Bus } from "../../../src/core/fleet/bus.ts";
import { MemoryBroker } from "../../../src/host/bus/memory.ts";
import { openNats } from "../../../src/host/bus/nats.ts";
import { nodeClock } from "../../../src/host/clock.ts";
import { badBroker } from "../../fixtures/fleet/bad-broker.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { until } from "../../fixtures/soon.ts";
import { type Broker, busContract } from "./bus.ts";

function inMemory(broker: MemoryBroker): Broker {
  return {
    connect: async () => broker.connect(),
    kill: async () => broker.stop(),
    start: async () => broker.start(),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

busContract("memory", async (bytesMax) => inMemory(new MemoryBroker({ clock: nodeClock, bytesMax })));
busContract("a bad broker that behaves", async (bytesMax) =>
  inMemory(badBroker({ clock: nodeClock, seed: 1, bytesMax }).broker),
);

busContract("nats", async (bytesMax) => {
  const server = await natsServer(`max_payload: ${bytesMax}`);
  const all: Bus[] = [];
  return {
    async connect() {
      const bus = await openNats({ url: server.url, name: "contract", inboxPrefix: "_INBOX_d_contract" });
      all.push(bus);
      await until(() => bus.status === "connected", "the connection");
      return bus;
    },
    kill: () => server.kill(),
    start: () => server.start(),
    async [Symbol.asyncDispose]() {
      for (const bus of all) await bus.close();
      await server[Symbol.asyncDispose]();
    },
  };
});
