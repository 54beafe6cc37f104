// A machine whose disk is full takes nothing from a code, and begins no half fleet.
import fs from "node:fs";
import { expect, test } from "vitest";
import { FleetStage } from "../fixtures/fleet/stage.ts";
import { smallDisk } from "../fixtures/stand/small-disk.ts";

const DISK_BYTES = 8 << 20;

test("a full disk: nobody joins or begins, the code is still good, and all works once there is room", async () => {
  await using stage = await FleetStage.begin();
  await using disk = await smallDisk(DISK_BYTES);
  const code = await stage.code("desk");
  disk.fill(0);
  await expect(disk.person.fleet_join({ code })).rejects.toMatchObject({ code: "disk.full" });
  await expect(disk.person.fleet_init({ url: stage.broker.url, name: "own" })).rejects.toMatchObject({
    code: "disk.full",
  });
  disk.free();
  expect((await disk.person.fleet_join({ code })).name).toBe("desk");
  const { device = "" } = (await disk.person.fleet_devices()).devices.find(({ me }) => !me) ?? {};
  await disk.person.fleet_allow({ device, level: "watch" });
  const before = fs.readFileSync(disk.file("fleet", "fleet.json"), "utf8");
  disk.fill(0);
  await expect(disk.person.fleet_allow({ device, level: "drive" })).rejects.toMatchObject({ code: "disk.full" });
  expect(fs.readFileSync(disk.file("fleet", "fleet.json"), "utf8")).toBe(before);
  disk.free();
  await disk.person.fleet_allow({ device, level: "drive" });
});
