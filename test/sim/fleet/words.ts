// A device's end whose words are taken as they come; of its bytes the watcher says so.
import type { SocketLike } from "../../../src/client/connection.ts";
import type { DeviceStream } from "../../../src/core/fleet/stream/device.ts";

export function takesWords(device: DeviceStream): SocketLike {
  return {
    binaryType: device.binaryType,
    get readyState() {
      return device.readyState;
    },
    onopen: null,
    get onmessage(): unknown {
      return device.onmessage;
    },
    set onmessage(run: ((event: { readonly data: unknown }) => void) | null) {
      device.onmessage = (event) => {
        if (typeof event.data === "string") device.taken(Buffer.byteLength(event.data));
        run?.(event);
      };
    },
    get onclose(): unknown {
      return device.onclose;
    },
    set onclose(run: ((event: { readonly code: number }) => void) | null) {
      device.onclose = run;
    },
    send: (data) => device.send(data),
    close: () => device.close(),
  };
}
