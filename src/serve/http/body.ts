// The body of a request, read to the end but never beyond a limit, whatever its headers promised.

/** A request body: the largest paste plus an environment. */
export const BODY_BYTES_MAX = 4 << 20;

/** Undefined when it is longer. */
export async function bytesWithin(body: ReadableStream<Uint8Array> | null): Promise<Buffer<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > BODY_BYTES_MAX) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The same request with its body at hand, for whoever reads it twice. */
export async function whole(request: Request): Promise<Request | undefined> {
  const { method, url, headers, signal } = request;
  if (method !== "POST") return request;
  const body = await bytesWithin(request.body);
  return body && new Request(url, { method, headers, signal, body });
}
