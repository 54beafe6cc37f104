// Reads the body of a request up to a limit, whatever its headers say.

/** A request body: the largest paste plus an environment. */
export const BODY_BYTES_MAX = 4 << 20;

/** Undefined when it is longer. */
async function bytesWithin(body: ReadableStream<Uint8Array> | null): Promise<Buffer<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > BODY_BYTES_MAX) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The same request with its body in memory, so that it can be read twice. */
export async function whole(request: Request): Promise<Request | undefined> {
  const { method, url, headers, signal } = request;
  if (method !== "POST") return request;
  const body = await bytesWithin(request.body);
  return body && new Request(url, { method, headers, signal, body });
}
