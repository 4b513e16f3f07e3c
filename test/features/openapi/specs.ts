// OpenAPI specifications with versions in tests, and the pages that are computed from them.
import { pino } from "pino";
import { systemClock } from "#src/base/time.ts";
import { refreshComputedPages, type RefreshScope } from "#src/features/content/commands/refresh-computed.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { addOpenApiSpec, addOpenApiSpecVersion, keepDocument } from "#test/features/openapi/factory.ts";
import type { TestApp } from "#test/support/app.ts";
import type { createWorld } from "#test/support/world.ts";

/** Adds a specification; `version` adds another version to it and returns its id. */
export async function giveSpec(
  { app, world }: { app: TestApp; world: ReturnType<typeof createWorld> },
  given: { organizationId: string } & Partial<Prisma.OpenApiSpecCreateManyInput>,
  ...documents: readonly SpecDocument[]
) {
  const spec = await world.insert((rows) => addOpenApiSpec(rows, given));
  let number = 0;
  const version = async (document: SpecDocument): Promise<string> => {
    const blob = await keepDocument(app.files, document);
    number++;
    const { id } = await world.insert((rows) =>
      addOpenApiSpecVersion(rows, { specId: spec.id, document: blob, number }),
    );
    await app.database.prisma.openApiSpec.update({ where: { id: spec.id }, data: { lastVersionId: id } });
    return id;
  };
  for (const document of documents) await version(document);
  return { ...spec, version };
}

/** Recomputes the pages that are due, as a gateway does soon after an event. */
export const compute = ({ database, files }: TestApp, of?: RefreshScope): Promise<number> =>
  refreshComputedPages({ database, files, clock: systemClock, log: pino({ level: "silent" }) }, of);

/** A computation from a specification, as input of edits. */
export const from = (spec: string, doc?: string) => ({
  type: "COMPUTED",
  computed: { type: "BUILTIN_OPENAPI", spec, ...(doc !== undefined && { doc }) },
});
