// The addresses under which a tunnel or a proxy shows us to others. Exactly these count, letter by letter. No imports.

/** More tunnels than one person has. */
export const PUBLIC_ORIGINS_MAX = 16;
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const ANY: readonly string[] = ["0.0.0.0", "[::]"];
const HOST = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:]+\])$/;

/** Why this is no address of ours; undefined: it is one. */
export function wrongOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    return `"${text}" is no address. Write https://HOST or https://HOST:PORT.`;
  if (ANY.includes(url.hostname)) return `"${text}" is no address that a browser can open. Name a host.`;
  if (!HOST.test(url.hostname)) return `"${text}" must name one host. Write each address out.`;
  if (url.origin !== text) return `"${text}" must be exactly what a browser calls it: "${url.origin}".`;
  if (url.protocol === "http:" && !LOOPBACK.includes(url.hostname))
    return `"${text}" has no TLS. Only loopback goes without: write https.`;
  return undefined;
}

/** The one of them that this Host belongs to. */
export function originOf(host: string, origins: readonly string[]): string | undefined {
  return origins.find((origin) => new URL(origin).host === host);
}
