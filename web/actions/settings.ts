// What can be set, for the palette: each entry changes one thing and says which.
import type { ActionsPage } from "../app/page-state.ts";
import { toggleNotifications } from "../settings/notifications.ts";
import { FONT_PX_RANGE, type Settings } from "../settings/settings.ts";
import type { Action } from "./actions.ts";

export function settingActions(page: ActionsPage): Action[] {
  const { settings } = page;
  return [
    {
      id: "view.settings",
      title: "Settings…",
      group: "Settings",
      words: "preferences options themes fonts",
      run: () => page.setOverlay("settings"),
    },
    ...themes(page),
    ...fonts(page),
    ...renderers(page),
    {
      id: "set.lines",
      title: settings.now.lines === "wrap" ? "Scroll long lines in cards" : "Wrap long lines in cards",
      group: "Settings",
      words: "word wrap break overflow",
      keys: [{ code: "KeyZ", alt: true }],
      run: () => settings.set({ lines: settings.now.lines === "wrap" ? "scroll" : "wrap" }),
    },
    {
      id: "set.screen_reader",
      title: settings.now.screen_reader === "on" ? "Screen reader mode off" : "Screen reader mode on",
      group: "Settings",
      words: "accessibility voice",
      run: () => settings.set({ screen_reader: settings.now.screen_reader === "on" ? "off" : "on" }),
    },
    {
      id: "set.secrets",
      title: settings.now.secrets === "masked" ? "Show secrets" : "Mask secrets on this page",
      group: "Settings",
      words: "hide password token screen sharing redact privacy",
      keys: [{ code: "KeyS", alt: true }],
      run: () => settings.set({ secrets: settings.now.secrets === "masked" ? "shown" : "masked" }),
    },
    {
      id: "set.notifications",
      title: settings.now.notifications === "on" ? "Notifications off" : "Notifications on",
      group: "Settings",
      run: () => void toggleNotifications(settings, page.toasts),
    },
  ];
}

function themes({ appearance }: ActionsPage): Action[] {
  const titles = { system: "System theme", light: "Light theme", dark: "Dark theme" } as const;
  return (["system", "light", "dark"] as const).map((choice) => ({
    id: `set.theme.${choice}`,
    title: titles[choice],
    group: "Settings",
    words: "appearance colour color",
    when: () => appearance.choice() !== choice,
    run: () => appearance.choose(choice),
  }));
}

function fonts({ settings }: ActionsPage): Action[] {
  const { min, max } = FONT_PX_RANGE;
  const step = (by: 1 | -1) => Math.min(max, Math.max(min, settings.now.font_px + by));
  return [
    {
      id: "set.font.larger",
      title: "Larger terminal font",
      group: "Settings",
      words: "font size zoom",
      when: () => settings.now.font_px < max,
      run: () => settings.set({ font_px: step(1) }),
    },
    {
      id: "set.font.smaller",
      title: "Smaller terminal font",
      group: "Settings",
      words: "font size zoom",
      when: () => settings.now.font_px > min,
      run: () => settings.set({ font_px: step(-1) }),
    },
  ];
}

function renderers({ settings }: ActionsPage): Action[] {
  const titles = { auto: "automatically", dom: "with DOM", webgl: "with WebGL" } as const;
  return (Object.keys(titles) as Settings["renderer"][]).map((renderer) => ({
    id: `set.renderer.${renderer}`,
    title: `Draw the terminal: ${titles[renderer]}`,
    group: "Settings",
    words: `renderer ${renderer} gpu`,
    when: () => settings.now.renderer !== renderer,
    run: () => settings.set({ renderer }),
  }));
}
