// Asks before a link is opened whose text does not say where it leads. The address is shown as the browser understands it, with
// the host apart: that is what counts.
import { toClipboard } from "../widgets/clipboard.ts";
import { focusBack } from "../widgets/keys.ts";

export function asksToOpen(href: string): void {
  const { host, protocol } = new URL(href);
  const before = document.activeElement;
  const dialog = document.createElement("dialog");
  dialog.className = "over leads";
  dialog.setAttribute("aria-label", "Where this link leads");
  const title = element("h2", "This link leads to");
  const to = element("p", protocol === "mailto:" ? "a mail to" : "");
  to.append(element("b", protocol === "mailto:" ? href.slice("mailto:".length) : host));
  const buttons = element("p", "");
  buttons.className = "buttons";
  const [open, copy, leave] = [element("button", "Open"), element("button", "Copy"), element("button", "Cancel")];
  open.className = "pri";
  buttons.append(open, copy, leave);
  dialog.append(title, to, element("code", href), buttons);
  open.addEventListener("click", () => {
    window.open(href, "_blank", "noopener,noreferrer");
    dialog.close();
  });
  copy.addEventListener("click", () => {
    void toClipboard(href);
    dialog.close();
  });
  leave.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    focusBack(before);
  });
  document.body.append(dialog);
  dialog.showModal();
  leave.focus();
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  if (made instanceof HTMLButtonElement) made.type = "button";
  return made;
}
