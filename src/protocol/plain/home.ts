// Where everything lies on disk: $DUETTY_HOME, else $XDG_STATE_HOME/duetty, else ~/.local/state/duetty.
// No imports: the CLI loads it.

export interface Home {
  readonly dir: string;
  readonly sessions: string;
  readonly run: string;
  /** Shadow repositories, one for each workspace. */
  readonly restore: string;
  /** Notes about the worktrees of sessions, one for each. */
  readonly worktrees: string;
  readonly daemonSocket: string;
  readonly holderSocket: string;
  /** When holders were told to end by a signal. */
  readonly holderEnds: string;
  readonly httpFile: string;
  readonly config: string;
  readonly personToken: string;
  readonly agentToken: string;
  /** What the browser's cookie is made of. */
  readonly cookieSecret: string;
  /** The clients that a person set up, with a token for each. */
  readonly clients: string;
  /** Links to sessions and paired devices, by the hashes of their secrets. */
  readonly passes: string;
  /** Our key for push services, and which devices are notified. */
  readonly push: string;
  /** Other machines that are reached over ssh. */
  readonly hosts: string;
  /** Our keys and certificates in a fleet, and what it may do here. */
  readonly fleet: string;
  /** What needed a person when this was written. */
  readonly needs: string;
  /** A certificate that we made for other machines, and its key. */
  readonly tlsCert: string;
  readonly tlsKey: string;
}

export function homeOf(env: Readonly<Record<string, string | undefined>>): Home {
  const state = env.XDG_STATE_HOME || `${env.HOME ?? ""}/.local/state`;
  const dir = env.DUETTY_HOME || `${state}/duetty`;
  const run = `${dir}/run`;
  return {
    dir,
    sessions: `${dir}/sessions`,
    run,
    restore: `${dir}/restore`,
    worktrees: `${dir}/worktrees`,
    daemonSocket: `${run}/daemon.sock`,
    holderSocket: `${run}/holder.sock`,
    holderEnds: `${run}/holder-ends.json`,
    httpFile: `${run}/http.json`,
    config: `${dir}/config.json`,
    personToken: `${dir}/person.token`,
    agentToken: `${dir}/agent.token`,
    cookieSecret: `${dir}/cookie.secret`,
    clients: `${dir}/clients.json`,
    passes: `${dir}/passes.json`,
    push: `${dir}/push.json`,
    hosts: `${dir}/hosts.json`,
    fleet: `${dir}/fleet`,
    needs: `${dir}/needs.json`,
    tlsCert: `${dir}/tls.cert`,
    tlsKey: `${dir}/tls.key`,
  };
}
