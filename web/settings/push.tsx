// Whether this paired device is notified while its page is closed. The browser is asked only when a person switches it on.
import { createSignal, onMount, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { call, isFault } from "../wire/api.ts";
import { Toggle } from "./parts.tsx";

export function PushSettings(props: { page: PageState }) {
  const { toasts } = props.page;
  const [now, setNow] = createSignal<{ readonly key: string | null; readonly on: boolean }>({ key: null, on: false });

  async function tell(change: Parameters<typeof call<"push">>[1]): Promise<void> {
    const answer = await call("push", change);
    if (isFault(answer)) toasts.fault(answer);
    else setNow(answer);
  }
  async function toggle(key: string): Promise<void> {
    if (now().on) {
      await (await subscriptionOf())?.unsubscribe();
      return tell({ subscription: null });
    }
    const subscription = await subscribed(key).catch(() => undefined);
    if (subscription) return tell({ subscription });
    toasts.notify("The browser does not allow notifications for this page.");
  }
  onMount(() => tell({}));
  return (
    <Show when={now().key}>
      {(key) => (
        <Show
          when={"PushManager" in window}
          fallback={<p class="mut">Notifications while the page is closed need an address with https.</p>}
        >
          <Toggle
            title="Tell this device, also while the page is closed"
            means="A question, a password, or long work that is over. It goes through your browser's push service, sealed."
            isOn={now().on}
            onToggle={() => void toggle(key())}
          />
        </Show>
      )}
    </Show>
  );
}

async function subscribed(key: string) {
  if ((await Notification.requestPermission()) !== "granted") return undefined;
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = "", keys } = made.toJSON();
  return { endpoint, keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } };
}

async function subscriptionOf(): Promise<PushSubscription | null | undefined> {
  return (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
}
