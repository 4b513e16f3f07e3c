// The present pages of spaces always equal the pages of the active revision, whatever changes it, at a cost
// proportional to the change.
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { type Edit, editAs, editDocument, newPage, restoreDocument } from "#test/features/content/edits.ts";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";
import { type Client, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
let as: Client;
let spaceId: string;
beforeAll(async () => {
  const { admin, space } = await world.space();
  as = app.as(admin.token);
  spaceId = space.id;
});

interface Page {
  readonly pageId: string;
  readonly parentId: string | null;
  readonly path: string;
  readonly type: string;
  readonly title: string;
  readonly markdown: string | null;
  readonly description: string | null;
}

const byId = (pages: readonly Page[]) => pages.toSorted((one, other) => (one.pageId < other.pageId ? -1 : 1));

/** The pages in the table. */
async function presentPages(id: string): Promise<Page[]> {
  const { rows } = await app.database.pool.query<Page>(
    `select p."pageId", p."parentId", p.path, p.type::text, p.title, p.fields->>'description' as description,
      case when p.type = 'document' then coalesce(d.markdown, '') end as markdown
    from "PresentPage" p left join "ContentDocument" d on d.hash = p.hash where p."spaceId" = $1`,
    [id],
  );
  return byId(rows);
}

/** The pages of the active revision. */
async function activePages(id: string): Promise<Page[]> {
  interface Answer {
    space: { content: { allPages: (Omit<Page, "parentId"> & { parent: { pageId: string } | null })[] } };
  }
  const { space } = await as.query<Answer>(
    `query ($id: ID!) { space(id: $id) { content { allPages { pageId parent { pageId } path type title markdown description } } } }`,
    { id },
  );
  const pages = space.content.allPages.map(({ parent, ...page }) => ({
    ...page,
    type: page.type.toLowerCase(),
    parentId: parent?.pageId ?? null,
  }));
  return byId(pages);
}

test("present pages follow any edits: created, renamed, moved and deleted pages with their descendants", async () => {
  const ids: string[] = [];
  const anyPage = fc.nat({ max: 1000 });
  const step = fc.record({
    kind: fc.constantFrom("create", "create", "rename", "slug", "text", "move", "delete", "group"),
    page: anyPage,
    parent: fc.option(anyPage),
    text: fc.constantFrom("", "one", "two", "three"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 8 }),
      async (all) => {
        for (const steps of all) {
          const live = new Set((await presentPages(spaceId)).map(({ pageId }) => pageId));
          const pick = (of: number | null) => (of === null ? null : ([...live][of % Math.max(1, live.size)] ?? null));
          for (const { kind, page, parent, text } of steps) {
            const [pageId, parentId] = [pick(page), pick(parent)];
            let edit: Edit;
            if (kind === "create" || kind === "group" || pageId === null) {
              const type = kind === "group" ? { type: "GROUP" as const } : { markdown: text };
              const made = newPage(`Page ${ids.length}`, { parentId, ...type });
              ids.push(made.pageId);
              edit = made.edit;
            } else if (kind === "rename")
              edit = { updatePage: { pageId, title: `${text} renamed`, description: text } };
            else if (kind === "slug") edit = { updatePage: { pageId, slug: `slug-${ids.length}-${page}` } };
            else if (kind === "text") edit = { updatePage: { pageId, markdown: text } };
            else if (kind === "move") edit = { movePage: { pageId, parentId } };
            else edit = { deletePage: { pageId } };
            // Invalid steps are refused.
            await as.graphql(editDocument, { input: { contentOf: { spaceId }, edits: [edit] } });
          }
          expect(await presentPages(spaceId)).toEqual(await activePages(spaceId));
        }
      },
    ),
    { numRuns: 3, seed: 13 },
  );
});

const duplicateDocument = `mutation ($input: DuplicateSpaceInput!) { duplicateSpace(input: $input) { space { id } } }`;
const openDocument = `mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { changeRequest { id } } }`;
const mergeDocument = `mutation ($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { revision { id } } }`;

test("present pages follow restored revisions, merges and copies, and are deleted with their space", async () => {
  const { revisionId } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: spaceId } });
  const guide = newPage("Guide", { markdown: "Old" });
  await editAs(as, { spaceId }, guide.edit, newPage("Start", { parentId: guide.pageId, markdown: "Start" }).edit);
  const expectAll = async (id: string) => expect(await presentPages(id)).toEqual(await activePages(id));
  await as.query(restoreDocument, { input: { contentOf: { spaceId }, revisionId } });
  await expectAll(spaceId);
  await editAs(as, { spaceId }, guide.edit);
  const { createChangeRequest } = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(
    openDocument,
    { input: { spaceId, subject: "Words" } },
  );
  const changeRequestId = createChangeRequest.changeRequest.id;
  const before = await presentPages(spaceId);
  await editAs(as, { changeRequestId }, { updatePage: { pageId: guide.pageId, markdown: "New", slug: "manual" } });
  expect(await presentPages(spaceId)).toEqual(before);
  await as.query(mergeDocument, { input: { changeRequestId } });
  await expectAll(spaceId);
  expect(await presentPages(spaceId)).toContainEqual(expect.objectContaining({ path: "manual", markdown: "New" }));
  const { duplicateSpace } = await as.query<{ duplicateSpace: { space: { id: string } } }>(duplicateDocument, {
    input: { spaceId },
  });
  const copy = duplicateSpace.space.id;
  await expectAll(copy);
  expect(await presentPages(copy)).toEqual(await presentPages(spaceId));
  await app.database.prisma.space.update({ where: { id: copy }, data: { deletedAt: new Date(0) } });
  await purgeDeletedSpaces(app.database, { now: () => new Date() });
  expect(await presentPages(copy)).toEqual([]);
});
