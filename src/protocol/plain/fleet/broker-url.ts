// Where a fleet's broker is, as people write it. No imports: the CLI loads it.

/** A name, an address, or an IPv6 address in brackets; and a port. Logins are keys, so none is in it. */
const FORM = /^(?:nats|tls):\/\/(?:\[[0-9a-fA-F:.]{2,45}\]|[\w.-]{1,253})(?::(\d{1,5}))?$/;

/** Undefined: it will do. Otherwise why not. */
export function wrongBrokerUrl(text: string): string | undefined {
  const [whole, port = "4222"] = FORM.exec(text) ?? [];
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  return whole === undefined || !isPort ? "must be a broker's, such as nats://HOST:4222 or tls://HOST:4222" : undefined;
}
