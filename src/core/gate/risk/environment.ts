// Environment variables in front of a command, and shell variables: those that choose what runs, those that are known to
// be harmless, and the unknown rest.
import { type Finding, type PartRisk, riskyUnboxed, safe, unknown } from "./risk.ts";

/** Names separated by spaces. "*" matches any letters. */
function names(list: string): RegExp {
  return new RegExp(`^(?:${list.trim().split(/\s+/).join("|").replaceAll("*", "\\w*")})$`);
}

/** They choose programs, libraries, code to load, or where a shell looks. */
const DANGEROUS = names(`
  PATH LD_* DYLD_* NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_* NODE_REPL_* BASH_ENV BASH_FUNC_* BASHOPTS
  SHELLOPTS ENV ZDOTDIR SHELL GIT_* SSH_* RSYNC_* PAGER MANPAGER *_PAGER EDITOR VISUAL *_EDITOR BROWSER LESS
  LESSOPEN LESSCLOSE IFS PS0 PS1 PS2 PS3 PS4 PROMPT PROMPT_COMMAND PYTHONPATH PYTHONHOME PYTHONSTARTUP
  PYTHONINSPECT PYTHONBREAKPOINT PYTHONWARNINGS PYTHONUSERBASE PERL5OPT PERL5LIB PERLLIB PERL5DB RUBYOPT RUBYLIB
  GEM_HOME GEM_PATH BUNDLE_* JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS JAVA_HOME MAVEN_OPTS
  MAVEN_ARGS GRADLE_OPTS GRADLE_USER_HOME CLASSPATH RUSTC RUSTC_* RUSTFLAGS RUSTDOCFLAGS CARGO_* GOFLAGS GOROOT
  GOPATH GOBIN GOPROXY GOTOOLCHAIN GONOSUMDB CC CXX LD AR CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MAKEFILES
  MFLAGS CMAKE_* npm_config_* NPM_CONFIG_* YARN_* PNPM_* COREPACK_* PIP_* UV_* POETRY_* PIPENV_* CONDA_*
  COMPOSER_* PHPRC PHP_INI_* DOCKER_* KUBECONFIG AWS_* GOOGLE_* AZURE_* VAULT_* HOME USER LOGNAME HISTFILE
  HISTCONTROL HISTIGNORE FCEDIT INPUTRC TERMINFO TERMCAP TMPDIR CDPATH FPATH GLOBIGNORE FIGNORE MAILCHECK MAILPATH
  EXECIGNORE DEBUGINFOD_URLS OPENSSL_CONF OPENSSL_MODULES SSL_CERT_* CURL_HOME WGETRC NETRC *_proxy *_PROXY
  GCONV_PATH LOCPATH NLSPATH HOSTALIASES RES_OPTIONS MALLOC_* GLIBC_TUNABLES ELECTRON_RUN_AS_NODE DENO_* BUN_*
  MIX_HOME HEX_* ERL_* ELIXIR_ERL_OPTIONS DOTNET_STARTUP_HOOKS DOTNET_*PROFIL* COR*_PROFILER* NUGET_*
  RIPGREP_CONFIG_PATH ACK_* FZF_* JEST_*CONFIG* ESLINT_* VITEST_*CONFIG* PYTEST_ADDOPTS PYTEST_PLUGINS MYPYPATH
  COVERAGE_PROCESS_START TF_CLI_* TF_PLUGIN_* ANSIBLE_* histchars path fpath cdpath prompt module_path manpath
  precmd preexec chpwd *_functions`);

/** They change how much is printed, in which language and colour, or how tests are chosen and ordered. */
const HARMLESS = names(`
  FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLOR COLORTERM TERM LANG LANGUAGE LC_* TZ
  RUST_BACKTRACE RUST_LIB_BACKTRACE RUST_LOG RUST_TEST_THREADS RUST_MIN_STACK PROPTEST_CASES CARGO_TERM_COLOR
  CARGO_INCREMENTAL CARGO_NET_OFFLINE CARGO_BUILD_JOBS DEBUG VERBOSE QUIET SILENT LOG_LEVEL LOGLEVEL
  PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONHASHSEED PYTHONUTF8 PYTHONIOENCODING PYTHONFAULTHANDLER
  PYTEST_DISABLE_PLUGIN_AUTOLOAD CGO_ENABLED GOOS GOARCH GOMAXPROCS GOTRACEBACK NPM_CONFIG_LOGLEVEL
  NPM_CONFIG_COLOR npm_config_loglevel TURBO_TELEMETRY_DISABLED NEXT_TELEMETRY_DISABLED DO_NOT_TRACK
  VITEST HEADLESS SEED FC_SEED RANDOM_SEED JOBS NX_DAEMON NX_SKIP_NX_CACHE TURBO_FORCE
  DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO`);
/** A level, a number, a list of names, a locale or a time zone. */
const PLAIN_VALUE = /^[\w.,:+*=@%-]*(?:\/[\w-]+)?$/;

const SWITCH = /^(?:0|1|true|false|)$/;
const TESTS = /^(?:test|testing|development|dev|local|ci)$/;
/** Names that are harmless only with these values: a pager that is `cat` only prints, tests never run as production. */
const ONLY_VALUES: Readonly<Record<string, RegExp>> = {
  PAGER: /^(?:cat)?$/,
  MANPAGER: /^(?:cat)?$/,
  GIT_PAGER: /^(?:cat)?$/,
  GIT_OPTIONAL_LOCKS: /^0$/,
  GIT_TERMINAL_PROMPT: /^0$/,
  // zsh evaluates them as numbers.
  COLUMNS: /^\d+$/,
  LINES: /^\d+$/,
  CI: SWITCH,
  HUSKY: /^0$/,
  NODE_ENV: /^(?:test|development|production)$/,
  BABEL_ENV: /^(?:test|development|production)$/,
  RAILS_ENV: TESTS,
  RACK_ENV: TESTS,
  APP_ENV: TESTS,
  MIX_ENV: TESTS,
  XDEBUG_MODE: /^(?:off|coverage)$/,
};

const SECRET =
  /TOKEN|SECRET|PASSW|PRIVATE|CREDENTIAL|API_?KEY|ACCESS_KEY|_KEY$|_PAT$|_PWD$|_AUTH$|^(?:AWS|GITHUB|NPM)_\w*(?:KEY|AUTH)/i;

/** A variable given to one command. `value` is null when it is not literal. */
export function prefixVerdict(name: string, value: string | null): PartRisk {
  const only = ONLY_VALUES[name];
  if (only && value !== null && only.test(value)) return safe("env.harmless");
  if (HARMLESS.test(name) && value !== null && PLAIN_VALUE.test(value)) return safe("env.harmless");
  if (DANGEROUS.test(name)) return dangerous(name);
  return unknown("env.unknown", `what ${name} changes is not known`);
}

/** A variable that the shell itself keeps. */
export function settingVerdict(name: string): PartRisk {
  return DANGEROUS.test(name) ? dangerous(name) : unknown("shell.assignment", `the shell keeps ${name}`);
}

/** The variable of a loop, or of `read`. */
export function loopVerdict(name: string): PartRisk {
  if (DANGEROUS.test(name)) return dangerous(name);
  return /^(?:[a-z_][a-z0-9_]*|[A-Z])$/.test(name)
    ? safe("shell.loop")
    : unknown("shell.loop", `the shell keeps ${name}`);
}

/** A variable whose value would be shown. */
export function secretFinding(name: string, part: string): Finding | null {
  if (!SECRET.test(name)) return null;
  return { ...unknown("secret.variable", `${name} looks like a secret`), part };
}

function dangerous(name: string): PartRisk {
  return riskyUnboxed("env.dangerous", "privilege", `${name} can change what runs`);
}
