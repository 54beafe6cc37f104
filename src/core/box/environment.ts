// Which variables a box has. Everything inside can read them, and the first process's stay readable in /proc/1/environ.

/** A name that says that its value is a secret. */
const SECRET =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|COOKIE|(?:^|_)(?:KEY|KEYS|PASS|PWD|AUTH|PAT|DSN)(?:$|_)|APIKEY|ACCESS_?KEY|_URI$|DATABASE_URL|^(?:MYSQL|PG|REDIS|MONGO)/i;
/** Not secret though it looks so. */
const HARMLESS = /^(?:PWD|OLDPWD|KEYTIMEOUT|XMODIFIERS)$/;
/** Ways to a program outside: agents that hold keys, the desktop, our own daemon, a container engine. */
const DOOR =
  /^(?:SSH_.*|GPG_.*|DBUS_.*|DISPLAY|WAYLAND_.*|XAUTHORITY|XDG_RUNTIME_DIR|ICEAUTHORITY|SESSION_MANAGER|DUETTY_.*|DOCKER_.*|CONTAINER_HOST|PODMAN_.*|KUBECONFIG|VSCODE_.*|TMUX.*|STY|INVOCATION_ID|JOURNAL_STREAM|NOTIFY_SOCKET|LISTEN_.*|.*_SOCK|.*_SOCKET)$/;
/** Programs that others start by themselves, by a path outside. */
const STARTER = /^(?:GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|BROWSER|LD_PRELOAD|LD_AUDIT)$/;

/** They follow from HOME. */
const HOME_FOLDERS = /^XDG_(?:CONFIG|DATA|STATE)_HOME$/;

type Env = Readonly<Record<string, string>>;

/** Whether a variable of this name stays outside. */
function isKeptOut(name: string): boolean {
  if (HARMLESS.test(name)) return false;
  return SECRET.test(name) || DOOR.test(name) || STARTER.test(name) || HOME_FOLDERS.test(name);
}

/** The same for a shell that compares names in capitals: extended regular expressions, `keptOut` but not `harmless`. */
export const NAME_PATTERNS = {
  keptOut: [SECRET, DOOR, STARTER, HOME_FOLDERS].map(extended).join("|"),
  harmless: extended(HARMLESS),
};

function extended({ source }: RegExp): string {
  return source.replaceAll("(?:", "(");
}

/** The environment of a program in the box: nothing secret, and a home and caches that it can write. */
export function boxEnvironment(env: Env, ownDir: string): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !isKeptOut(name));
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
