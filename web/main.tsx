// Starts the page.
import { render } from "solid-js/web";
import "./style/tokens.css";
import "./style/base.css";
import "./style/frame.css";
import "./style/sessions.css";
import "./style/terminal.css";
import { App } from "./view/app.tsx";

const root = document.getElementById("app");
if (!root) throw new Error("index.html has no #app");
render(() => <App />, root);
