// `import "duetty/element"`: from then on a page has <duetty-terminal>.
import { defineDuettyTerminal } from "./element.ts";

export { DuettyTerminal, type DuettyTerminalEvents, defineDuettyTerminal } from "./element.ts";

defineDuettyTerminal();
