// Addresses of the docs and of the recording, as the build places them beside the page.
const FILES = import.meta.glob<string>(["../../*.md", "../../docs/*.md", "../../docs/story.cast"], {
  query: "?url",
  import: "default",
  eager: true,
});

/** `name` counts from the root of the repository. */
export function addressOf(name: string): string {
  const address = FILES[`../../${name}`];
  if (!address) throw new Error(`the build has no ${name}`);
  return address;
}
