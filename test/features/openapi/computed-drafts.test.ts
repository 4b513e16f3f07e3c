// Computed pages in change requests: they follow their specifications there too, and are not part of the proposal.
import { expect, test } from "vitest";
import { editAs, newPage, outline, readPages } from "#test/features/content/edits.ts";
import { documentWith } from "#test/features/openapi/scene.ts";
import { compute, from, giveSpec } from "#test/features/openapi/specs.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

/** A space with a computed page and another one, and a change request that renames the other. */
async function makeFixture() {
  const made = await world.space();
  const { organization, space, admin } = made;
  const spec = await giveSpec(
    { app, world },
    { organizationId: organization.id, slug: "harbour" },
    documentWith("One."),
  );
  const as = app.as(admin.token);
  const [api, guide] = [newPage("API", from("harbour")), newPage("Guide", { markdown: "Text.\n" })];
  await editAs(as, { spaceId: space.id }, api.edit, guide.edit);
  const { createChangeRequest } = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(
    `mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { changeRequest { id } } }`,
    { input: { spaceId: space.id, subject: "Draft" } },
  );
  const changeRequestId = createChangeRequest.changeRequest.id;
  await editAs(as, { changeRequestId }, { updatePage: { pageId: guide.pageId, title: "Better guide" } });
  const read = async () => {
    const { changeRequest } = await as.query<{ changeRequest: Draft }>(
      `query ($id: ID!) { changeRequest(id: $id) { revisionId conflicts { conflictId } changes { pages { nodes { kinds after { path } } } }
        content { pages { markdown } } } }`,
      { id: changeRequestId },
    );
    const { pages } = changeRequest.changes;
    return { ...changeRequest, changed: pages.nodes.map(({ after, kinds }) => `${after?.path} ${kinds.join(" ")}`) };
  };
  const merge = async () => {
    await as.query(
      `mutation ($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { changeRequest { id } } }`,
      {
        input: { changeRequestId },
      },
    );
    const { revisionId } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
    return readPages(as, revisionId);
  };
  return { ...made, spec, as, api, guide, changeRequestId, read, merge };
}

interface Draft {
  readonly revisionId: string;
  readonly conflicts: readonly object[];
  readonly changes: { pages: { nodes: { kinds: string[]; after: { path: string } | null }[] } };
  readonly content: { pages: { markdown: string }[] };
}

const made = ["  ships", "    listships", "  models", "    ship"];

test("another version of a specification updates computed pages in change requests, and not the proposals", async () => {
  const { spec, read, organization, as, space, guide } = await makeFixture();
  await editAs(as, { spaceId: space.id }, { updatePage: { pageId: guide.pageId, markdown: "Other.\n" } });
  await spec.version(documentWith("Two."));
  await compute(app, { organizationId: organization.id });
  expect(await compute(app, { organizationId: organization.id })).toBe(0);
  const { content, changed, conflicts } = await read();
  expect(content.pages[0]?.markdown).toContain("Two.");
  expect(changed).toEqual(["guide EDITED"]);
  expect(conflicts).toEqual([]);
});

test("sides with different versions of a computed page merge, each with changes around it", async () => {
  const { spec, as, space, api, guide, merge, changeRequestId } = await makeFixture();
  await editAs(as, { changeRequestId }, { updatePage: { pageId: api.pageId, emoji: "⚓" } });
  await editAs(
    as,
    { spaceId: space.id },
    { updatePage: { pageId: guide.pageId, markdown: "Other.\n" } },
    newPage("More").edit,
  );
  await spec.version(documentWith("Two."));
  await compute(app, { spaceIds: [space.id] }); // only the main content
  await editAs(as, { spaceId: space.id }, { updatePage: { pageId: api.pageId, title: "Interface" } });
  const pages = await merge();
  expect(outline(pages)).toEqual(["api", ...made, "guide", "more"]);
  expect(pages[0]).toMatchObject({ title: "Interface", markdown: expect.stringContaining("Two.") as unknown });
  expect(pages[1]).toMatchObject({ title: "Better guide", markdown: "Other.\n" });
  expect(await compute(app)).toBe(0);
});

test("a computed page that is created or moved in a change request is so after the merge", async () => {
  const { as, api, guide, space, merge, changeRequestId, read } = await makeFixture();
  const models = newPage("Models", { ...from("harbour", "models"), parentId: guide.pageId });
  await editAs(as, { changeRequestId }, models.edit, { movePage: { pageId: api.pageId, parentId: guide.pageId } });
  await editAs(as, { spaceId: space.id }, newPage("More").edit);
  expect((await read()).changed).toEqual(["guide EDITED", "guide/models CREATED", "guide/api MOVED"]);
  const indented = ["  api", ...made.map((line) => `  ${line}`)];
  expect(outline(await merge())).toEqual(["guide", "  models", "    ship", ...indented, "more"]);
});

test("a computed page that one side deleted is deleted by the merge, whatever version the other has", async () => {
  const { as, api, space, spec, merge, changeRequestId, guide } = await makeFixture();
  await editAs(as, { changeRequestId }, { deletePage: { pageId: api.pageId } });
  await editAs(as, { spaceId: space.id }, { updatePage: { pageId: guide.pageId, markdown: "Other.\n" } });
  await spec.version(documentWith("Two."));
  await compute(app);
  expect(outline(await merge())).toEqual(["guide"]);
});
