// Starts the page behind a link to one session.
import { render } from "solid-js/web";
import "../style/tokens.css";
import "../style/base.css";
import "../style/frame.css";
import "../style/terminal.css";
import "../style/topbar.css";
import "../style/dock.css";
import "./guest.css";
import "@xterm/xterm/css/xterm.css";
import { createAppearance } from "../settings/appearance.ts";
import { exposeForTests } from "../test-hook.ts";
import { GuestPage } from "./guest-page.tsx";
import { createVisit } from "./visit.ts";

const root = document.getElementById("app");
if (!root) throw new Error("guest.html has no #app");
render(() => {
  const [visit, appearance] = [createVisit(), createAppearance()];
  exposeForTests(() => visit.seat()?.live);
  return <GuestPage visit={visit} appearance={appearance} />;
}, root);
