// A fleet whose broker has TLS, with a certificate authority of its own: each machine names it once.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selfSigned } from "../../../src/host/certificate.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { until } from "../../fixtures/soon.ts";
import { stand } from "../../fixtures/stand/stand.ts";

test("tls: --ca FILE at init and at join; without it nobody connects, and the hint says what is missing", async () => {
  await using broker = await natsServer();
  const at = (name: string) => join(broker.folder, name);
  const { cert, key } = selfSigned(["127.0.0.1"], Date.now());
  writeFileSync(at("broker.crt"), cert);
  writeFileSync(at("broker.key"), key);
  const url = broker.url.replace("nats:", "tls:");
  await using first = await stand();
  await using second = await stand();
  const fleet = (...words: string[]) => first.duetty.cli("fleet", ...words);
  expect((await fleet("init", url, "--name", "laptop", "--ca", at("nothing.crt"))).code).toBe(2);
  expect((await fleet("init", url, "--name", "laptop", "--ca", at("broker.crt"))).code).toBe(0);
  const [code = ""] = (await fleet("invite", "desk")).stdout.split("\n");
  const printed = (await fleet("nats-config")).stdout;
  expect(printed).toContain('cert_file: "broker.crt"');
  await broker.reload(printed.replace(/"(broker\.\w+)"/g, (_, name) => JSON.stringify(at(name))));
  await until(async () => (await first.person.fleet_devices()).away === null, "the first machine's connection");
  const untrusted = await second.duetty.cli("fleet", "join", code);
  expect([untrusted.code, untrusted.stderr]).toEqual([1, expect.stringContaining("--ca FILE")]);
  const joined = await second.duetty.cli("fleet", "join", code, "--ca", at("broker.crt"));
  expect([joined.code, joined.stdout]).toEqual([0, expect.stringContaining("this machine is desk")]);
  expect((await second.duetty.cli("fleet", "renew")).code).toBe(0);
});
