// The docs and the recording, as the build places them beside the page, and what their links mean here.
const FILES = import.meta.glob<string>(
  ["../../*.md", "../../docs/**/*.md", "../../skills/**/*.md", "../../docs/story.cast"],
  {
    query: "?url",
    import: "default",
    eager: true,
  },
);

/** `name` counts from the root of the repository. */
export function addressOf(name: string): string | undefined {
  return FILES[`../../${name}`];
}

export async function readFile(name: string): Promise<string> {
  const address = addressOf(name);
  const answer = address === undefined ? undefined : await fetch(address);
  if (!answer?.ok) throw new Error(`${name} is not there (HTTP ${answer?.status})`);
  return answer.text();
}

/** Links to other docs lead to this page; pictures are left out, and so are links to what was not built in. */
export function linked(text: string, name: string, page: string): string {
  return text
    .replace(/^!\[.*\]\(.*\)\n/gm, "")
    .replace(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g, (whole, link: string) => {
      const other = new URL(link, `http://docs/${name}`).pathname.slice(1);
      return addressOf(other) === undefined ? whole : `](${page}#${other})`;
    });
}
