// What a person does with a session as a whole: looks at it, ends it, removes it.
import { call, isFault } from "../wire/api.ts";
import type { PageState } from "./page-state.ts";

type Ground = Pick<
  PageState,
  "route" | "layout" | "sessions" | "toasts" | "setDrawer" | "setOverlay" | "setReplaying" | "focus"
>;

export function createChoosing(page: Ground): Pick<PageState, "select" | "end" | "remove"> {
  const { route, layout, sessions, toasts } = page;
  return {
    select(id) {
      const isShown = layout.visible().length > 1 && layout.visible().includes(id);
      route.select(id);
      page.setDrawer("shut");
      page.setOverlay("none");
      page.setReplaying(false);
      // Its view is not new, so it does not take the keyboard by itself.
      if (isShown) page.focus();
    },
    async end(id) {
      const answer = await call("pty_close", { session_id: id });
      if (isFault(answer)) toasts.fault(answer);
      else sessions.put(answer);
    },
    async remove(id) {
      const answer = await call("remove", { session_id: id });
      if (isFault(answer)) return toasts.fault(answer);
      if (layout.leaves().length > 1) layout.close(id);
      else if (route.selected() === id) route.select(sessions.running()[0]?.session_id);
      await sessions.refresh();
    },
  };
}
