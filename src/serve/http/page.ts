// The built web page, the guest's page, the docs page and their assets, with a content policy that allows only their own files.
import fs from "node:fs";
import { extname, join, normalize } from "node:path";
import type { Context, Handler } from "hono";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".png": "image/png",
  ".md": "text/plain; charset=utf-8",
  ".cast": "application/x-asciicast",
};

/** The docs need no session; every other address is the page's own business. */
const PAGES: Readonly<Record<string, string>> = { "/docs": "docs.html", "/docs/": "docs.html", "/pair": "pair.html" };

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // xterm's DOM renderer writes its theme into its own style elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Behind a link to one session. */
const GUEST_PATH = "/s/";

export function page(root: string): Handler {
  return (c: Context) => {
    const path = normalize(c.req.path);
    const asset = path.startsWith("/assets/") || extname(path) !== "";
    const file = join(root, asset ? path : pageAt(path));
    if (!file.startsWith(root) || !isFile(file)) {
      return c.text(asset ? "not found\n" : "The page is not built yet. Run: npm run build\n", 404);
    }
    c.header("content-type", TYPES[extname(file)] ?? "application/octet-stream");
    c.header("content-security-policy", POLICY);
    c.header("referrer-policy", "no-referrer");
    // Assets carry a hash in their names.
    c.header("cache-control", path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    return c.body(fs.readFileSync(file));
  };
}

/** False also for what cannot be a path: with a NUL in it, or too long. */
function isFile(path: string): boolean {
  try {
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}

function pageAt(path: string): string {
  return path.startsWith(GUEST_PATH) ? "guest.html" : (PAGES[path] ?? "index.html");
}
