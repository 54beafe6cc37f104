// Which browser can show the page in a window of its own, and how it is called. Pure: what is on the disk comes in as a question.
import { delimiter, join } from "node:path";

interface Browser {
  readonly name: string;
  /** On PATH. */
  readonly programs: readonly string[];
  /** Of macOS. */
  readonly app: string;
}

/** Only these have windows without tabs for an address (`--app`). */
const BROWSERS: readonly Browser[] = [
  { name: "Chromium", programs: ["chromium", "chromium-browser"], app: "Chromium" },
  { name: "Chrome", programs: ["google-chrome-stable", "google-chrome"], app: "Google Chrome" },
  { name: "Edge", programs: ["microsoft-edge-stable", "microsoft-edge"], app: "Microsoft Edge" },
  { name: "Brave", programs: ["brave-browser-stable", "brave-browser", "brave"], app: "Brave Browser" },
];
export const BROWSER_NAMES = "Chromium, Chrome, Edge or Brave";

/** own: a profile in duetty's folder, without the extensions of the person's browser. user: the person's own profile. */
export type ProfileChoice = "own" | "user";

export interface Desktop {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number | undefined;
  isProgram(path: string): boolean;
  /** Where a path really leads. */
  real(path: string): string;
}

interface Wanted {
  /** A program on PATH, or its path. */
  readonly browser?: string | undefined;
  readonly profile: ProfileChoice;
  readonly profileDir: string;
}

export type Launch =
  | {
      readonly can: true;
      readonly name: string;
      readonly program: string;
      readonly args: readonly string[];
      /** What the person should know before. */
      readonly notes: readonly string[];
    }
  | { readonly can: false; readonly why: string };

export function launchOf(url: string, wanted: Wanted, desktop: Desktop): Launch {
  const { platform, env, uid } = desktop;
  if (platform !== "darwin" && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return { can: false, why: "there is no desktop here (neither DISPLAY nor WAYLAND_DISPLAY is set)" };
  const found = wanted.browser === undefined ? known(desktop) : given(wanted.browser, desktop);
  if (!found) {
    const why = wanted.browser === undefined ? `${BROWSER_NAMES} is not installed` : `there is no "${wanted.browser}"`;
    return { can: false, why };
  }
  const isSnap = desktop.real(found.program).startsWith("/snap/") || found.program.startsWith("/snap/");
  const isOwn = wanted.profile === "own" && !isSnap;
  const notes = [
    ...(uid === 0 ? [ROOT] : []),
    ...(isSnap && wanted.profile === "own"
      ? ["a browser from a snap may not use duetty's folder: it takes your profile"]
      : []),
  ];
  // Its own profile holds no passwords, so that the desktop's keyring need not be opened for it.
  const own = [
    `--user-data-dir=${wanted.profileDir}`,
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
  ];
  return { can: true, ...found, args: [`--app=${url}`, "--class=duetty", ...(isOwn ? own : [])], notes };
}

/** We do not pass --no-sandbox: the page shows what any program prints. */
const ROOT =
  "you are root: Chromium and its kin refuse to start as root without --no-sandbox, which duetty does not give; use the link in another user's browser if nothing opens";

function known(desktop: Desktop): { name: string; program: string } | undefined {
  for (const { name, programs, app } of BROWSERS) {
    const paths = [
      ...programs.flatMap((one) => onPath(one, desktop)),
      ...(desktop.platform === "darwin" ? [`/Applications/${app}.app/Contents/MacOS/${app}`] : []),
    ];
    const program = paths.find((path) => desktop.isProgram(path));
    if (program !== undefined) return { name, program };
  }
  return undefined;
}

function given(browser: string, desktop: Desktop): { name: string; program: string } | undefined {
  const paths = browser.includes("/") ? [browser] : onPath(browser, desktop);
  const program = paths.find((path) => desktop.isProgram(path));
  return program === undefined ? undefined : { name: browser, program };
}

function onPath(program: string, { env }: Desktop): string[] {
  return (env.PATH ?? "").split(delimiter).flatMap((folder) => (folder === "" ? [] : [join(folder, program)]));
}
