// Documents of versions of specifications, as other features read them.
import { expect, test } from "vitest";
import { readSpecDocument } from "#src/features/openapi/reads/specs.ts";
import { addOpenApiSpec, addOpenApiSpecVersion, keepDocument, smallDocument } from "#test/features/openapi/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("the document of a version is read from the file storage, and is null for an unknown id", async () => {
  const { organization } = await world.organization();
  const document = await keepDocument(app.files, smallDocument);
  const { version } = await world.insert((rows) => {
    const spec = addOpenApiSpec(rows, { organizationId: organization.id });
    return { version: addOpenApiSpecVersion(rows, { specId: spec.id, document }) };
  });
  expect(await readSpecDocument(app, version.id)).toEqual(smallDocument);
  expect(await readSpecDocument(app, organization.id)).toBeNull();
});
