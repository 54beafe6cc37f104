// Where a session is: calls of operations, and its socket. Owns: the token. Refuses: to show anything.
import { terminalAddress } from "../../client/address.ts";
import { type Client, clientOver } from "../../client/client.ts";
import type { StreamPhase } from "../../client/connection.ts";
import { fetchTransport } from "../../client/fetch.ts";
import { sendable } from "../../client/token.ts";

export interface Wrong {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** What is known of a session by its socket. */
export interface LinkFacts {
  readonly phase: StreamPhase;
  readonly state: string | undefined;
  readonly hold: string | undefined;
  readonly end: { readonly exit_code: number | null; readonly signal: string | null } | undefined;
}

export class Source {
  readonly client: Client;
  #url: string;
  #token: string;

  constructor(url: string, given: string) {
    const token = sendable(given);
    [this.#url, this.#token] = [url, token];
    const headers = { ...(token !== "" && { authorization: `Bearer ${token}` }), "x-duetty-surface": "page" };
    this.client = clientOver(fetchTransport(`${url}/v1/`, () => headers));
  }

  /** A socket takes no other header of a page than the names of protocols. A token in the address would be in logs. */
  open(session: string, query: URLSearchParams): WebSocket {
    const protocols = this.#token === "" ? [] : ["duetty", `bearer.${this.#token}`];
    return new WebSocket(terminalAddress(this.#url, session, query), protocols);
  }
}
