// What a person chose for this browser: how things look, which view, which panes. Remembered here, never on the daemon.
import { createStore } from "solid-js/store";

const KEY = "duetty.settings";

export interface Settings {
  /** cards: one card per command. plain: the terminal alone. */
  readonly view: "cards" | "plain";
  readonly font_px: number;
  /** Empty means the page's own choice. */
  readonly font_family: string;
  readonly line_height: number;
  /** In cards of commands that have ended. */
  readonly ligatures: "on" | "off";
  /** Long lines in cards go on in the next row, or out of sight to the right. */
  readonly lines: "wrap" | "scroll";
  readonly renderer: "auto" | "dom" | "webgl";
  /** The agent's pane at the right, where there is room for it. */
  readonly pane: "open" | "shut" | "auto";
  /** With "auto": whether there was something in it when it was last seen, so that nothing moves while we ask. */
  readonly pane_had: "something" | "nothing";
  readonly notifications: "on" | "off";
  readonly screen_reader: "on" | "off";
  /** Whether secrets are masked here, for a person who shows their screen. The daemon masks them. */
  readonly secrets: "shown" | "masked";
  /** The agent to ask. Empty means the daemon's default. */
  readonly agent: string;
}

/** Smaller letters cannot be read. Larger ones leave no room for 80 columns. */
export const FONT_PX_RANGE = { min: 10, max: 20 } as const;

/** Below, letters of one line touch those of the next. */
export const LINE_HEIGHT_RANGE = { min: 1, max: 1.8 } as const;
/** No quotes, so that it stays one name in a style sheet. As in theme.js. */
const FONT_FAMILY = /^[\p{L}\p{N} ._+-]{0,60}$/u;

const FIRST: Settings = {
  view: "cards",
  font_px: 13,
  font_family: "",
  line_height: 1.2,
  ligatures: "off",
  lines: "wrap",
  renderer: "auto",
  pane: "auto",
  pane_had: "nothing",
  notifications: "off",
  screen_reader: "off",
  secrets: "shown",
  agent: "",
};

/** The allowed values of each choice. Anything else was not written by this page. */
const CHOICES: Readonly<Partial<Record<keyof Settings, readonly string[]>>> = {
  view: ["cards", "plain"],
  lines: ["wrap", "scroll"],
  renderer: ["auto", "dom", "webgl"],
  pane: ["open", "shut", "auto"],
  pane_had: ["something", "nothing"],
  notifications: ["on", "off"],
  screen_reader: ["on", "off"],
  ligatures: ["on", "off"],
  secrets: ["shown", "masked"],
};

export interface SettingsStore {
  readonly now: Settings;
  set(changes: Partial<Settings>): void;
}

export function createSettings(): SettingsStore {
  const [now, setNow] = createStore<Settings>({ ...FIRST, ...remembered() });
  document.documentElement.dataset.secrets = now.secrets;
  applyFont(now);
  // Another tab of this browser masked them, or shows them again.
  window.addEventListener("storage", () => {
    if ((remembered().secrets ?? FIRST.secrets) !== now.secrets) location.reload();
  });
  return {
    now,
    set(changes) {
      // Before anybody measures with it.
      applyFont({ ...now, ...changes });
      setNow(changes);
      localStorage.setItem(KEY, JSON.stringify({ ...now }));
      // Everything is asked for again, so that nothing stays on the page that was shown before.
      if (changes.secrets !== undefined) location.reload();
    },
  };
}

function applyFont({ font_family, ligatures }: Settings): void {
  const { style, dataset } = document.documentElement;
  dataset.ligatures = ligatures;
  if (font_family === "") style.removeProperty("--font");
  else style.setProperty("--font", `"${font_family}"`);
}

/** Takes only known values, because an older or newer page may have written it. */
function remembered(): Partial<Settings> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([name, value]) => isKnown(name, value)));
  } catch {
    return {};
  }
}

function isKnown(name: string, value: unknown): boolean {
  if (!(name in FIRST)) return false;
  const key = name as keyof Settings;
  const range = { font_px: FONT_PX_RANGE, line_height: LINE_HEIGHT_RANGE }[name];
  if (range) return typeof value === "number" && value >= range.min && value <= range.max;
  if (key === "font_family") return isFontName(value);
  return typeof value === "string" && (CHOICES[key]?.includes(value) ?? true);
}

export function isFontName(value: unknown): boolean {
  return typeof value === "string" && FONT_FAMILY.test(value);
}
