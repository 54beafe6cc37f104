// Lines of files in an output, such as src/app.ts:12. A click, or Enter, puts the command that opens one into the prompt. Nothing
// runs by itself: the person sees it first.

export function opensPlaces(output: HTMLElement, cwd: () => string | null): void {
  const open = (event: Event) => {
    const place = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-place]") : null;
    const isChosen = event instanceof KeyboardEvent ? event.key === "Enter" : isPlainClick();
    if (!place || !isChosen) return;
    event.preventDefault();
    event.stopPropagation();
    write(editCommand(place.dataset.place ?? "", cwd()));
  };
  output.addEventListener("click", open);
  output.addEventListener("keydown", open);
}

/** Who selects text with the mouse wants the text. */
function isPlainClick(): boolean {
  return document.getSelection()?.isCollapsed ?? true;
}

/** What is written there stays: then nothing happens but that the prompt gets the focus. */
function write(command: string): void {
  const prompt = document.querySelector<HTMLTextAreaElement>("[data-prompt]");
  prompt?.focus();
  if (prompt?.value !== "") return;
  prompt.value = command;
  prompt.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** `place`: path:line, perhaps with a column. `cwd`: the folder that it was printed in. */
function editCommand(place: string, cwd: string | null): string {
  const [, path = place, line = "1"] = /^(.*?):(\d+)(?::\d+)?$/.exec(place) ?? [];
  const isWhole = path.startsWith("/") || path.startsWith("~") || cwd === null;
  // Every name that can be a place is safe in a shell, but for the folder.
  return `\${EDITOR:-vi} +${line} ${isWhole ? path : `${quoted(cwd)}/${path.replace(/^\.\//, "")}`}`;
}

function quoted(folder: string): string {
  return /^[\w@+./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
}
