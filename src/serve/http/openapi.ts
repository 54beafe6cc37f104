// The OpenAPI document, derived from the table of operations.
import * as z from "zod";
import { ops } from "../../protocol/ops.ts";
import { VERSION } from "../../protocol/plain/version.ts";
import { FaultBody } from "../../protocol/words/fault.ts";

export function openapi(): object {
  const json = (schema: z.ZodType, io: "input" | "output") => ({
    content: { "application/json": { schema: z.toJSONSchema(schema, { io }) } },
  });
  const paths = ops.map((op) => {
    const post = {
      operationId: op.name,
      summary: op.summary,
      requestBody: { required: true, ...json(op.input, "input") },
      responses: {
        "200": { description: "done", ...json(op.output, "output") },
        default: { description: "an expected failure, with a hint", ...json(FaultBody, "output") },
      },
    };
    return [`/v1/${op.name}`, { post }];
  });
  return {
    openapi: "3.1.0",
    info: { title: "duetty", version: VERSION },
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
  };
}
