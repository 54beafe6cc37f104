// Starts the docs page. It needs no session and no sign-in: it reads nothing but its own files.
import { render } from "solid-js/web";
import "../style/tokens.css";
import "../style/base.css";
import "../style/markdown.css";
import "./docs.css";
import "@xterm/xterm/css/xterm.css";
import { createAppearance } from "../settings/appearance.ts";
import { DocsPage } from "./docs-page.tsx";

const root = document.getElementById("docs");
if (!root) throw new Error("docs.html has no #docs");
render(() => {
  createAppearance();
  return <DocsPage />;
}, root);
