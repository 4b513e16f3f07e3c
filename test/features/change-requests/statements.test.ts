// SQL statements of merges: constant for any number of changed pages and any size of the content. At the small
// size both grow together.
import { expect, test } from "vitest";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import {
  mergeDocument,
  resolveDocument,
  openChangeRequest,
  updateDocument,
} from "#test/features/change-requests/scene.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/** The texts of a scene: `name` makes them differ from other scenes' texts, which are derived already. */
const linesOf = (name: string) => (first: string, last: string) => `${first}\n2\n${name}\n4\n${last}\n`;

/** A content of chapters with ten pages each, in which both sides changed pages at either end. */
async function clashing({ chapters, changed }: { chapters: number; changed: number }) {
  const { admin, space } = await world.space();
  const as = app.as(admin.token);
  const lines = linesOf(space.id);
  const top = times(chapters, (index) => newPage(`Chapter ${index}`));
  const pages = top.flatMap(({ pageId: parentId }) =>
    times(10, (index) => newPage(`Page ${index}`, { parentId, markdown: lines("1", "5") })),
  );
  const all = [...top, ...pages].map(({ edit }) => edit);
  for (let from = 0; from < all.length; from += 1000)
    await editAs(as, { spaceId: space.id }, ...all.slice(from, from + 1000));
  const changeRequestId = await openChangeRequest(as, space.id);
  const rewrite = (markdown: string, to = changed) =>
    pages.slice(0, to).map(({ pageId }) => ({ updatePage: { pageId, markdown } }));
  await editAs(as, { spaceId: space.id }, ...rewrite(lines("one", "5")));
  await editAs(as, { changeRequestId }, ...rewrite(lines("1", "five")));
  const of = { spaceIds: [space.id], changeRequestIds: [changeRequestId], revisionIds: [] };
  await indexMissing(app.database, { of }); // so that no indexing runs beside the counted statements
  return { as, input: { changeRequestId }, rewrite, space, lines };
}

const sizes = [
  { chapters: 1, changed: 1 },
  ...sized(
    [{ chapters: 3, changed: 25 }],
    [
      { chapters: 1, changed: 10 },
      { chapters: 40, changed: 1 },
      { chapters: 40, changed: 300 },
    ],
  ),
];

// Two find the change request, two read the viewer's rights and the payload (three with a person's name). The
// transaction, from begin to commit: one locks, one reads the revisions, one the trees, one the texts; one stores
// texts, levels and pages with the values derived from the texts; one finds people mentioned on pages; one writes
// the revision with the space, and one each the change request and the events.
test.each(sizes)("a merge takes a constant number of statements for %o", async (size) => {
  const { as, input } = await clashing(size);
  expect(await as.statements(mergeDocument, { input })).toBe(16);
});

test.each(sizes)("a pull and the merge after it take a constant number of statements for %o", async (size) => {
  const { as, input } = await clashing(size);
  expect(await as.statements(updateDocument, { input })).toBe(14);
  // The content exists already, so it is neither read nor stored.
  expect(await as.statements(mergeDocument, { input })).toBe(13);
});

test.each(sizes)("resolving conflicts takes a constant number of statements for %o", async (size) => {
  const { as, input, rewrite, space, lines } = await clashing(size);
  await editAs(as, { spaceId: space.id }, ...rewrite(lines("one", "V")));
  const { changeRequest } = await as.query<{ changeRequest: { conflicts: { conflictId: string }[] } }>(
    `{ changeRequest(id: "${input.changeRequestId}") { conflicts { conflictId } } }`,
  );
  expect(changeRequest.conflicts).toHaveLength(size.changed);
  // The trees are cached by now.
  const resolutions = changeRequest.conflicts.map(({ conflictId }) => ({ conflictId, settlement: { choice: "OURS" } }));
  expect(await as.statements(resolveDocument, { input: { ...input, resolutions } })).toBe(13);
});
