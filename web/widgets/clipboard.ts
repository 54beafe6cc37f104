// The way into the clipboard.

/** Whether it was copied. */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byCommand(text);
  }
}

/** Pages that were not loaded securely have no clipboard API. The old command still works there. */
function byCommand(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "aside-copy";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
