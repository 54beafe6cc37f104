// HTTP, the same on the unix socket and on 127.0.0.1. Operations are answered by posted.ts, all else by app.ts, which is
// loaded with the first request that needs it: most daemons only see operations.
import type { IncomingMessage, RequestListener } from "node:http";
import type { AppParts } from "./app.ts";
import { checkPlace, identify, pageOf } from "./door.ts";
import { MAY_CALL, pageMayRead } from "./embedding.ts";
import { answerPosted, failed, postedOp, refuse } from "./posted.ts";

/** A request from another site is not even parsed. */
export function requestListener(parts: AppParts): RequestListener {
  let others: Promise<RequestListener> | undefined;
  const app = () => (others ??= import("./app.ts").then(({ appListener }) => appListener(parts)));
  const posted = { ...parts, identify: (request: IncomingMessage) => identify(parts, request) };
  return (request, response) => {
    const wrong = checkPlace(parts, request);
    if (wrong) {
      response.setHeader("connection", "close");
      return refuse(response, wrong);
    }
    const { method, headers } = request;
    if (pageOf(parts, request) === "embed") {
      for (const [name, value] of Object.entries(pageMayRead(headers.origin ?? ""))) response.setHeader(name, value);
      if (method === "OPTIONS") return void response.writeHead(204, MAY_CALL).end();
    }
    const op = postedOp(request);
    if (op) return void answerPosted(op, request, response, posted);
    app().then(
      (listener) => listener(request, response),
      (error: unknown) => {
        others = undefined;
        refuse(response, failed(error, parts.log));
      },
    );
  };
}
