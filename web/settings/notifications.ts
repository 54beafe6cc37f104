// Whether a hidden page may notify the person. We ask the browser only when a person switches it on.
import type { Toasts } from "../widgets/toasts.ts";
import type { SettingsStore } from "./settings.ts";

export async function toggleNotifications(settings: SettingsStore, toasts: Toasts): Promise<void> {
  if (settings.now.notifications === "on") return settings.set({ notifications: "off" });
  const isGranted = "Notification" in window && (await Notification.requestPermission()) === "granted";
  settings.set({ notifications: isGranted ? "on" : "off" });
  if (!isGranted) toasts.notify("The browser does not allow notifications for this page.");
}
