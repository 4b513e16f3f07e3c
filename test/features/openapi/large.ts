// Generates OpenAPI documents of any size.
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

/** A document with this number of operations and tags, and models that refer to each other. */
export function largeDocument(of: { operations: number; models: number; tags: number; title?: string }): SpecDocument {
  const refTo = (index: number) => ({ $ref: `#/components/schemas/Model${index % Math.max(1, of.models)}` });
  const field = (index: number) => ({ type: "string", description: `What field ${index} is for.`, maxLength: 100 });
  const models = Array.from({ length: of.models }, (_, index) => {
    const fields = Array.from({ length: 8 }, (_one, place) => [
      `field${place}`,
      place % 4 === 0 ? refTo(index * 7 + place) : field(place),
    ]);
    return [`Model${index}`, { type: "object", required: ["field1"], properties: Object.fromEntries(fields) }];
  });
  const paths = Array.from({ length: of.operations }, (_, index) => {
    const content = { "application/json": { schema: refTo(index) } };
    const get = {
      operationId: `operation${index}`,
      summary: of.title ?? `Operation ${index}`,
      description: `Does thing ${index}. Read [more](https://example.com/${index}).\n\n- one\n- two`,
      tags: [`tag ${index % of.tags}`],
      parameters: [{ name: "limit", in: "query", description: "How many.", schema: { type: "integer", minimum: 1 } }],
      requestBody: { content },
      responses: { "200": { description: "It is done.", content } },
    };
    return [`/things/${index}`, { get }];
  });
  const info = { title: "Large", version: "1" };
  return {
    openapi: "3.1.0",
    info,
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(models) },
  } as SpecDocument;
}
