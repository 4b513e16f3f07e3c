// Creates processed OpenAPI specifications and their versions for tests.
import { createHash, randomBytes } from "node:crypto";
import { newId } from "#src/base/ids.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** A document with one operation and one model. */
export const smallDocument: SpecDocument = {
  openapi: "3.1.0",
  info: { title: "Harbour", version: "1.0.0" },
  paths: {
    "/ships": {
      get: {
        operationId: "listShips",
        tags: ["ships"],
        responses: {
          "200": {
            description: "All ships.",
            content: {
              "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Ship" } } },
            },
          },
        },
      },
    },
  },
  components: { schemas: { Ship: { type: "object", properties: { name: { type: "string" } } } } },
};

const smallSize = Buffer.byteLength(JSON.stringify(smallDocument));

/** A specification that is processed and not due again. */
export function addOpenApiSpec(
  rows: Rows,
  given: { organizationId: string } & Partial<Prisma.OpenApiSpecCreateManyInput>,
) {
  return rows.add("OpenApiSpec", {
    id: newId("OpenApiSpec"),
    slug: `spec-${nextNumber()}`,
    createdAt: nextInstant(),
    sourceBlob: hashOf("{}"),
    state: "complete",
    addressKey: Buffer.from(randomBytes(32).toString("base64url")), // like a key from before encryption
    ...given,
  });
}

/** A specification with one version, that of {@link smallDocument}. */
export function addProcessedSpec(rows: Rows, given: Parameters<typeof addOpenApiSpec>[1]) {
  const id = newId("OpenApiSpecVersion");
  const spec = addOpenApiSpec(rows, { title: smallDocument.info.title, lastVersionId: id, ...given });
  return { spec, version: addOpenApiSpecVersion(rows, { id, specId: spec.id }) };
}

/** A version whose bytes are not in a store unless {@link keepDocument} stores them. */
export function addOpenApiSpecVersion(
  rows: Rows,
  given: { specId: string; document?: string } & Partial<Prisma.OpenApiSpecVersionCreateManyInput>,
) {
  const document = given.document ?? hashOf(JSON.stringify(smallDocument));
  return rows.add("OpenApiSpecVersion", {
    id: newId("OpenApiSpecVersion"),
    number: 1,
    createdAt: nextInstant(),
    hash: hashOf(document),
    files: [{ path: "openapi.json", blob: document, size: smallSize }],
    filesystem: document,
    document,
    documentSize: smallSize,
    blobs: [document],
    openapi: "3.1.0",
    title: "Harbour",
    apiVersion: "1.0.0",
    pathCount: 1,
    operationCount: 1,
    modelCount: 1,
    ...given,
  });
}

/** Stores a document and returns its name in the store. */
export async function keepDocument(files: FileStore, document: SpecDocument): Promise<string> {
  const blob = await files.receive([Buffer.from(JSON.stringify(document))], 20_000_000);
  await blob.keep();
  return blob.hash;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
