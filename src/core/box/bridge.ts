// How a program in a box finds the daemon's proxy: a folder with its socket is bound into the box, a bridge takes
// connections on loopback there, and variables name it. The bridge is started before the program and ends with the box.

/** In the box. The folder is bound and not the socket: after a restart the daemon makes a new one, in the same folder. */
export const PROXY_FOLDER = "/run/duetty";
export const PROXY_SOCKET = "proxy";

/** The usual port of proxies. Loopback in a box is its own, so nothing else has it. */
const PORT = 3128;
const SOCKET = `${PROXY_FOLDER}/${PROXY_SOCKET}`;
const START = `"$0" "$1" ${PORT} ${SOCKET} "$2"; shift 2; exec "$@"`;

/** Our own maker is perl, and so is the bridge: it goes on as one. */
export const BRIDGE_OPTION: readonly string[] = ["--bridge", String(PORT), SOCKET];

/** What to put before a program's words inside another's box. The bridge is an interpreter and its script. */
export function bridgeWords([interpreter, script]: readonly [string, string], arch: string): string[] {
  return ["/bin/sh", "-c", START, interpreter, script, arch];
}

export function proxyVariables(loopback: "own" | "outside" = "own"): Record<string, string> {
  const proxy = `http://127.0.0.1:${PORT}`;
  const direct = loopback === "own" ? "localhost,127.0.0.1,::1" : "";
  return {
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    no_proxy: direct,
    NO_PROXY: direct,
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    npm_config_noproxy: direct,
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
    // Node 24 and later read the variables above when this is set.
    NODE_USE_ENV_PROXY: "1",
  };
}
