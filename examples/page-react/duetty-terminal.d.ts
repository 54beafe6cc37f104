// The tag for JSX. React 19 sets what the element has as a property, and `on` before an event's name listens to it.
import type { DuettyTerminal, DuettyTerminalEvents } from "duetty/element";
import type { DetailedHTMLProps, HTMLAttributes } from "react";

type Html = DetailedHTMLProps<HTMLAttributes<DuettyTerminal>, DuettyTerminal>;
type Properties = Partial<Pick<DuettyTerminal, "session" | "token" | "url" | "view" | "access" | "theme">>;
type Listeners = { [Name in keyof DuettyTerminalEvents as `on${Name}`]?: (event: DuettyTerminalEvents[Name]) => void };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "duetty-terminal": Html & Properties & Listeners & { "font-size"?: number; label?: string };
    }
  }
}
