// The page on which a person types the code that pairs this browser. It shows nothing of the machine.
import "../style/tokens.css";
import "../style/base.css";
import "./pair.css";

/** What a person would call it. They may write something else. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android.*Mobile/, "Android phone"],
  [/Android/, "Android tablet"],
  [/Macintosh/, "Mac"],
  [/Windows/, "Windows computer"],
  [/Linux/, "Linux computer"],
];

const form = document.querySelector<HTMLFormElement>("#pair");
const said = document.querySelector<HTMLElement>("#said");
if (!form || !said) throw new Error("pair.html has no form");
const { name, code } = form.elements as unknown as Record<"name" | "code", HTMLInputElement>;
name.value = KINDS.find(([kind]) => kind.test(navigator.userAgent))?.[1] ?? "device";
code.focus();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void pair(said);
});

async function pair(said: HTMLElement): Promise<void> {
  said.textContent = "Pairing…";
  const body = JSON.stringify({ name: name.value.trim(), code: code.value });
  const request = { method: "POST", headers: { "content-type": "application/json" }, body };
  const answer = await fetch("/pair", request).catch(() => undefined);
  if (answer?.ok) return location.replace("/");
  const error = (await answer?.json().catch(() => undefined))?.error;
  said.textContent = error ? `${error.message} ${error.hint}` : "The machine does not answer.";
  code.select();
}
