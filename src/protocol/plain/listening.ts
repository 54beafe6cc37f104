// Where other machines reach the daemon, as `duetty serve` is told. Loopback is always served, without TLS. Anything else has TLS,
// and every caller has a token. No imports: the CLI loads it.

/** Where a page on another machine finds us, if nobody says otherwise. */
const PORT = 8737;

interface Told {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly "tls-cert"?: string | undefined;
  readonly "tls-key"?: string | undefined;
  readonly "self-signed"?: boolean | undefined;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string } | "self-signed";
}

/** Undefined: loopback alone. A text: why that will not do. */
export function listeningOf(told: Told): Listening | string | undefined {
  const { host, port = String(PORT), "tls-cert": cert, "tls-key": key, "self-signed": selfSigned = false } = told;
  const isGiven = cert !== undefined || key !== undefined;
  const others = isGiven || selfSigned || told.port !== undefined;
  if (host === undefined) return others ? "--port and TLS are for --host" : undefined;
  // Node would take it for all addresses.
  if (host === "") return "--host needs an address; 0.0.0.0 is all of them";
  if (host === "127.0.0.1" || host === "localhost") return others ? "loopback has no TLS, and its own port" : undefined;
  if (isGiven && selfSigned) return "--self-signed makes what --tls-cert and --tls-key name: give one of the two";
  const number = Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) return `"${port}" is not a port`;
  if (selfSigned) return { host, port: number, tls: "self-signed" };
  if (cert !== undefined && key !== undefined) return { host, port: number, tls: { cert, key } };
  return `other machines reach ${host} only with TLS: add --tls-cert FILE --tls-key FILE, or --self-signed`;
}
