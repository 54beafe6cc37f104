// How `duetty app` chooses a browser, and what it says where there is none.
import { describe, expect, it } from "vitest";
import { type Desktop, launchOf } from "../../../src/cli/app/browsers.ts";

const URL = "http://127.0.0.1:1/login?code=c&session=s_1";
const OWN = { profile: "own", profileDir: "/home/ann/duetty/app-profile" } as const;

function desktop(programs: readonly string[], more: Partial<Desktop> = {}): Desktop {
  const env = { DISPLAY: ":0", PATH: "/usr/local/bin::/usr/bin" };
  return {
    platform: "linux",
    env,
    uid: 1000,
    isProgram: (path) => programs.includes(path),
    real: (path) => path,
    ...more,
  };
}

describe("the window of duetty app", () => {
  it.each([
    ["Chromium before Chrome", ["/usr/bin/google-chrome", "/usr/bin/chromium"], "Chromium", "/usr/bin/chromium"],
    ["Chrome", ["/usr/bin/google-chrome"], "Chrome", "/usr/bin/google-chrome"],
    ["Edge", ["/usr/bin/microsoft-edge"], "Edge", "/usr/bin/microsoft-edge"],
    ["Brave", ["/usr/local/bin/brave-browser"], "Brave", "/usr/local/bin/brave-browser"],
  ])("takes %s", (_, programs, name, program) => {
    expect(launchOf(URL, OWN, desktop(programs))).toEqual({
      can: true,
      name,
      program,
      args: [`--app=${URL}`, "--class=duetty", `--user-data-dir=${OWN.profileDir}`, ...FRESH],
      notes: [],
    });
  });

  it("leaves the person's own profile as it is", () => {
    const launch = launchOf(URL, { ...OWN, profile: "user" }, desktop(["/usr/bin/chromium"]));
    expect(launch).toMatchObject({ can: true, args: [`--app=${URL}`, "--class=duetty"] });
  });

  it("gives a browser from a snap no folder that it may not open, and says so", () => {
    const real = () => "/snap/chromium/1/chromium";
    const launch = launchOf(URL, OWN, desktop(["/usr/bin/chromium"], { real }));
    expect(launch).toMatchObject({ args: [`--app=${URL}`, "--class=duetty"], notes: [expect.stringMatching(/snap/)] });
  });

  it("says to root why it may fail, and never takes the sandbox away", () => {
    const launch = launchOf(URL, OWN, desktop(["/usr/bin/chromium"], { uid: 0 }));
    expect(launch).toMatchObject({ can: true, notes: [expect.stringMatching(/root.*--no-sandbox/)] });
    expect(launch.can && launch.args).not.toContain("--no-sandbox");
  });

  it("takes the browser that is named, by name or path, and no other", () => {
    const here = desktop(["/usr/bin/chromium", "/usr/bin/thorium", "/opt/b"]);
    expect(launchOf(URL, { ...OWN, browser: "thorium" }, here)).toMatchObject({ program: "/usr/bin/thorium" });
    expect(launchOf(URL, { ...OWN, browser: "/opt/b" }, here)).toMatchObject({ program: "/opt/b" });
    expect(launchOf(URL, { ...OWN, browser: "opera" }, here)).toEqual({ can: false, why: 'there is no "opera"' });
  });

  it("finds them on a Mac, which has no DISPLAY", () => {
    const path = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    const mac = desktop([path], { platform: "darwin", env: {} });
    expect(launchOf(URL, OWN, mac)).toMatchObject({ name: "Chrome", program: path });
  });

  it("says what is missing: a desktop, or a browser", () => {
    const bare = desktop(["/usr/bin/chromium"], { env: { PATH: "/usr/bin" } });
    expect(launchOf(URL, OWN, bare)).toMatchObject({ can: false, why: expect.stringMatching(/no desktop/) });
    expect(launchOf(URL, OWN, desktop([]))).toMatchObject({ can: false, why: expect.stringMatching(/not installed/) });
  });
});

const FRESH = ["--no-first-run", "--no-default-browser-check", "--password-store=basic"];
