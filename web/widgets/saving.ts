// Gives a person a file, as a browser does it: by a link that is clicked for them.

/** A browser has begun to save it by then. */
const SAVED_MS = 10_000;

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
}
