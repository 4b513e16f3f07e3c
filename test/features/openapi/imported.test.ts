// Importing an OpenAPI document from a URL: as ordinary pages, or as one computed page.
import { expect, test } from "vitest";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { outline, readPages, type Tree } from "#test/features/content/edits.ts";
import { importDocument } from "#test/features/imports/importing.ts";
import { smallDocument } from "#test/features/openapi/factory.ts";
import { documentWith, fixtureMaker } from "#test/features/openapi/scene.ts";
import { compute } from "#test/features/openapi/specs.ts";
import { useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";

const served: Readonly<Record<string, string>> = {
  "/harbour.json": JSON.stringify(smallDocument),
  "/text.json": "Hello",
};
const port = await serveOnLoopback(({ url = "" }, response) => {
  response.writeHead(served[url] === undefined ? 404 : 200).end(served[url]);
});
const at = (path: string) => `http://127.0.0.1:${port}${path}`;

const { app, world } = await useApp({ fetch: createSafeFetch({ allowedHosts: ["127.0.0.1"] }) });
const makeFixture = fixtureMaker({ app, world });

test("importing an OpenAPI document creates editable pages with links between them", async () => {
  const { as, space, edit } = await makeFixture();
  const { status, body } = await as.rest<{ revision: string }>("POST", `/v1/spaces/${space.id}/content/import`, {
    body: { url: at("/harbour.json"), source: "openapi" },
  });
  expect([status, body]).toEqual([
    201,
    { revision: expect.any(String) as unknown, importedResources: 5, totalResources: 5 },
  ]);
  const [page] = await readPages(as, body.revision);
  expect(page && outline([page])).toEqual(["harbour", "  ships", "    listships", "  models", "    ship"]);
  const find = (path: string) =>
    path.split("/").reduce<Tree | undefined>((around, slug) => around?.pages.find((one) => one.slug === slug), page);
  const [operation, model] = [find("ships/listships"), find("models/ship")];
  expect(operation?.markdown).toContain(`[Ship](page:${model?.pageId})`);
  await edit({ updatePage: { pageId: operation?.pageId, markdown: "By hand." } });
  const { content } = (
    await as.query<{ space: { content: { allPages: object[] } } }>(
      `query ($id: ID!) { space(id: $id) { content { allPages { type } } } }`,
      {
        id: space.id,
      },
    )
  ).space;
  expect(new Set(content.allPages.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"type":"DOCUMENT"}']));
});

test("importing the URL of a visible specification creates a page that is computed from it", async () => {
  const { as, space, spec, read } = await makeFixture(documentWith("As it is here."));
  await app.database.prisma.openApiSpec.update({
    where: { id: spec.id },
    data: { sourceUrl: at("/harbour.json"), sourceBlob: null, title: "Harbour" },
  });
  const input = {
    contentOf: { spaceId: space.id },
    from: { address: { url: at("/harbour.json"), source: "OPENAPI" } },
  };
  const { importContent } = await as.query<{ importContent: { revision: { id: string } } }>(importDocument, { input });
  expect(outline(await readPages(as, importContent.revision.id))).toEqual([
    "harbour",
    "  ships",
    "    listships",
    "  models",
    "    ship",
  ]);
  expect(await read("harbour")).toMatchObject({
    type: "COMPUTED",
    markdown: expect.stringContaining("As it is here.") as unknown,
  });
  await spec.version(documentWith("As it is now."));
  await compute(app, { spaceIds: [space.id] });
  expect((await read("harbour")).markdown).toContain("As it is now.");
});

test.each([
  ["/text.json", /OpenAPI|object/],
  ["/none.json", /the server returned 404/],
])("importing an OpenAPI document from %s is refused and changes nothing", async (path, message) => {
  const { as, space } = await makeFixture();
  const { errors } = await as.graphql(importDocument, {
    input: { contentOf: { spaceId: space.id }, from: { address: { url: at(path), source: "OPENAPI" } } },
  });
  expect(errors?.[0]).toMatchObject({
    message: expect.stringMatching(message) as unknown,
    extensions: { code: "INVALID_INPUT" },
  });
  expect((await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } })).revisionId).toBe(
    space.revisionId,
  );
});
