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

/** The environment of a program in the box: nothing secret, and caches where it can write. */
export function boxEnvironment(env: Env, cacheDir: string): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !isKeptOut(name));
  return { ...Object.fromEntries(kept), ...cacheVariables(cacheDir), TMPDIR: "/tmp" };
}

/** The home folder is read-only, and a cache that the person's own builds run from must not be shared. */
function cacheVariables(dir: string): Record<string, string> {
  return {
    XDG_CACHE_HOME: dir,
    npm_config_cache: `${dir}/npm`,
    YARN_CACHE_FOLDER: `${dir}/yarn`,
    PIP_CACHE_DIR: `${dir}/pip`,
    UV_CACHE_DIR: `${dir}/uv`,
    GOCACHE: `${dir}/go-build`,
    GOMODCACHE: `${dir}/go-mod`,
    CARGO_HOME: `${dir}/cargo`,
    GRADLE_USER_HOME: `${dir}/gradle`,
    CCACHE_DIR: `${dir}/ccache`,
  };
}
