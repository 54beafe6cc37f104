// Which variables a box has. Everything inside can read them, and the first process's stay readable in /proc/1/environ.

/**
 * Names of variables that stay outside, as patterns in which `*` is anything. Each is held against the name in capitals with
 * a `_` on both sides, so `*_KEY_*` is the word KEY and `_PG*` begins with PG.
 */
export const KEPT_OUT: readonly string[] = [
  // The name says that the value is a secret.
  ..."*TOKEN* *SECRET* *PASSW* *PASSPHRASE* *CREDENTIAL* *PRIVATE* *COOKIE* *APIKEY* *ACCESSKEY* *ACCESS_KEY*".split(
    " ",
  ),
  ..."*_KEY_* *_KEYS_* *_PASS_* *_PWD_* *_AUTH_* *_PAT_* *_DSN_* *_URI_ *DATABASE_URL* _MYSQL* _PG* _REDIS* _MONGO*".split(
    " ",
  ),
  // Ways to a program outside: agents that hold keys, the desktop, our own daemon, a container engine.
  ..."_SSH_* _GPG_* _DBUS_* _DISPLAY_ _WAYLAND_* _XAUTHORITY_ _XDG_RUNTIME_DIR_ _ICEAUTHORITY_ _SESSION_MANAGER_".split(
    " ",
  ),
  ..."_DUETTY_* _DOCKER_* _CONTAINER_HOST_ _PODMAN_* _KUBECONFIG_ _VSCODE_* _TMUX* _STY_ _INVOCATION_ID_".split(" "),
  ..."_JOURNAL_STREAM_ _NOTIFY_SOCKET_ _LISTEN_* *_SOCK_ *_SOCKET_".split(" "),
  // Programs that others start by themselves, by a path outside.
  ..."_GIT_ASKPASS_ _SUDO_ASKPASS_ _BROWSER_ _LD_PRELOAD_ _LD_AUDIT_".split(" "),
  // They follow from HOME.
  ..."_XDG_CONFIG_HOME_ _XDG_DATA_HOME_ _XDG_STATE_HOME_".split(" "),
];
/** Not secret though they look so. */
export const HARMLESS: readonly string[] = "_PWD_ _OLDPWD_ _KEYTIMEOUT_ _XMODIFIERS_".split(" ");

type Env = Readonly<Record<string, string>>;

const isOut = matcher(KEPT_OUT);
const isHarmless = matcher(HARMLESS);

/** Whether a variable of this name stays outside. */
function isKeptOut(name: string): boolean {
  const held = `_${name.toUpperCase()}_`;
  return isOut.test(held) && !isHarmless.test(held);
}

function matcher(patterns: readonly string[]): RegExp {
  return new RegExp(expression(patterns));
}

/** As a regular expression, which perl reads as well. There, words of one kind side by side are found five times as fast. */
export function expression(patterns: readonly string[]): string {
  const kinds = [/^\*(.*)\*$/, /^([^*]*)\*$/, /^\*([^*]*)$/, /^([^*]*)$/];
  const groups = kinds.map((kind) => patterns.flatMap((pattern) => kind.exec(pattern)?.[1] ?? []));
  const [within = "", begins = "", ends = "", whole = ""] = groups.map((words) => `(?:${words.join("|")})`);
  return [within, `^${begins}`, `${ends}$`, `^${whole}$`].filter((_, at) => groups[at]?.length).join("|");
}

/** The environment of a program in the box: nothing secret, and a home and caches that it can write. */
export function boxEnvironment(env: Env, ownDir: string, wanted: readonly string[] = []): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => wanted.includes(name) || !isKeptOut(name));
  return { ...Object.fromEntries(kept), ...ownVariables(ownDir) };
}

/** The person's home is read-only, and a cache that their own builds run from must not be shared. */
export function ownVariables(dir: string): Record<string, string> {
  const cache = `${dir}/cache`;
  return {
    TMPDIR: "/tmp",
    HOME: `${dir}/home`,
    XDG_CACHE_HOME: cache,
    npm_config_cache: `${cache}/npm`,
    YARN_CACHE_FOLDER: `${cache}/yarn`,
    PIP_CACHE_DIR: `${cache}/pip`,
    UV_CACHE_DIR: `${cache}/uv`,
    GOCACHE: `${cache}/go-build`,
    GOMODCACHE: `${cache}/go-mod`,
    CARGO_HOME: `${cache}/cargo`,
    GRADLE_USER_HOME: `${cache}/gradle`,
    CCACHE_DIR: `${cache}/ccache`,
  };
}
