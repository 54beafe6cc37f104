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

type Env = Readonly<Record<string, string>>;

/** Whether a variable of this name stays outside. */
function isKeptOut(name: string): boolean {
  if (HARMLESS.test(name)) return false;
  return SECRET.test(name) || DOOR.test(name) || STARTER.test(name);
}

/** The environment of a program in the box: nothing secret, and a home and caches that it can write. */
export function boxEnvironment(env: Env, ownDir: string): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !isKeptOut(name) && !HOME_FOLDERS.test(name));
  return { ...Object.fromEntries(kept), ...ownFolders(ownDir), TMPDIR: "/tmp" };
}

/** They follow from HOME. */
const HOME_FOLDERS = /^XDG_(?:CONFIG|DATA|STATE)_HOME$/;

/** The person's home is read-only, and a cache that their own builds run from must not be shared. */
function ownFolders(dir: string): Record<string, string> {
  const cache = `${dir}/cache`;
  return {
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
