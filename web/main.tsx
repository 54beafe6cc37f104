// Starts the page.
import { render } from "solid-js/web";
import "./style/tokens.css";
import "./style/base.css";
import "./style/frame.css";
import "./style/sessions.css";
import "./style/replay.css";
import "./style/terminal.css";
import "./style/ink.css";
import "./style/transcript.css";
import "./style/reading.css";
import "./style/topbar.css";
import "./style/dock.css";
import "./style/composer.css";
import "./style/agent.css";
import "./style/markdown.css";
import "./style/overlay.css";
import "./style/themes.css";
import "./style/restart.css";
import "./style/board.css";
import "./style/review.css";
import "./style/splits.css";
import "@xterm/xterm/css/xterm.css";
import { App } from "./app/app.tsx";
import { createPage } from "./app/page.ts";
import { exposeForTests } from "./test-hook.ts";

const root = document.getElementById("app");
if (!root) throw new Error("index.html has no #app");
// Removes what index.html showed until now.
root.replaceChildren();
render(() => {
  const page = createPage();
  exposeForTests(() => page.shown()?.live);
  return <App page={page} />;
}, root);
