// Reads what the SDK throws by its shape, because the packages with its classes may be missing. Pure. Judging is in troubles.ts.

/** Errors wrap each other. A longer chain is a circle. */
const CAUSES_MAX = 8;

interface Cause {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly statusCode?: unknown;
  readonly responseHeaders?: unknown;
  readonly responseBody?: unknown;
  readonly cause?: unknown;
}

export interface Failure {
  readonly chain: readonly object[];
  readonly names: readonly string[];
  readonly codes: readonly string[];
  /** The HTTP status, or the equivalent of an error type inside a stream. */
  readonly status: number | undefined;
  /** The provider's or the SDK's message. */
  readonly outer: string;
  /** What happened on the wire. */
  readonly inner: string;
  readonly body: string;
  header(name: string): string;
}

export function failureOf(error: unknown): Failure {
  const chain = causesOf(error);
  const texts = chain.map(textOf).filter((text) => text !== "");
  const [outer = chain.length > 0 ? "no reason given" : String(error)] = texts;
  const headers = chain.map(({ responseHeaders }) => responseHeaders).find(isRecord);
  return {
    chain,
    names: chain.map(({ name }) => String(name ?? "")),
    codes: chain.map(({ code }) => String(code ?? "")),
    status: chain.map(statusOf).find((status) => status !== undefined),
    outer,
    inner: texts.at(-1) ?? outer,
    body: chain.map(({ responseBody }) => responseBody).find((body) => typeof body === "string") ?? "",
    header: (name) => String(headers?.[name] ?? ""),
  };
}

function causesOf(error: unknown): Cause[] {
  const chain: Cause[] = [];
  for (let at = error; isRecord(at) && chain.length < CAUSES_MAX; at = at.cause) chain.push(at);
  return chain;
}

/** Not every server puts its message where the SDK looks. When all addresses of a host fail, there is only a code. */
function textOf({ message, code, responseBody }: Cause): string {
  const words = typeof responseBody === "string" ? wordsIn(responseBody) : undefined;
  return words ?? (typeof message === "string" && message !== "" ? message : String(code ?? ""));
}

/** {"error": {"message": …}}, {"error": …}, {"message": …} and {"detail": …} are all in use. */
function wordsIn(body: string): string | undefined {
  const json = parsed(body);
  if (!isRecord(json)) return undefined;
  const error = isRecord(json.error) ? json.error.message : json.error;
  const words = [error, json.message, json.detail].find((text) => typeof text === "string" && text !== "");
  return typeof words === "string" ? words : undefined;
}

const STREAM_STATUS: readonly (readonly [RegExp, number])[] = [
  [/rate_limit|quota/, 429],
  [/auth|permission|api_key/, 401],
  [/invalid_request|not_found|context_length/, 400],
];

function statusOf({ name, statusCode, type, code }: Cause): number | undefined {
  if (typeof statusCode === "number") return statusCode;
  if (name !== "AI_StreamProviderError") return undefined;
  return STREAM_STATUS.find(([words]) => words.test(`${type} ${code}`))?.[1];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's HTML page.
    return undefined;
  }
}
