// Every id has an edge to its object beside it: revisions, change requests, diffs, comment targets, and the default
// content of an organization.
import { expect, test } from "vitest";
import { setScene, update } from "#test/features/change-requests/scene.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const changeRequestDocument = `query ($id: ID!) { changeRequest(id: $id) { revisionInitial { id } revisionMergedAncestor { id } revisionMerged { id }
  changes { revisionBefore { id } revisionAfter { id } } content { changeRequest { id } parentRevisions { id } } } }`;
const revisionDocument = `query ($id: ID!) { node(id: $id) { ... on Revision { parents: parentRevisionIds parentRevisions { id } changeRequest { id } mergedFrom { id }
  mergedFromId changes { revisionBefore { id } revisionAfter { id } } } } }`;

test("a change request and its revisions link to each other, before and after the merge", async () => {
  const { as, main, mine, pull, merge, changeRequestId, ids, began, current } = await setScene(app, world);
  const ours = await mine(update(ids.faq, { title: "Questions" }));
  const read = () => as.query(changeRequestDocument, { id: changeRequestId });
  const at = (id: string | null) => id && { id };
  const shown = (ancestor: string | null, merged: string | null, content: string, parents: string[]) => ({
    changeRequest: {
      revisionInitial: at(began),
      revisionMergedAncestor: at(ancestor),
      revisionMerged: at(merged),
      changes: { revisionBefore: at(ancestor ?? began), revisionAfter: at(content) },
      content: { changeRequest: at(changeRequestId), parentRevisions: parents.map(at) },
    },
  });
  expect(await read()).toEqual(shown(null, null, ours, [began]));
  const theirs = await main(update(ids.guide, { title: "Handbook" }));
  const { data } = await pull();
  const updated = data?.pullChangeRequestUpdates.revision.id ?? "";
  expect(await read()).toEqual(shown(theirs, null, updated, [ours, theirs]));
  await merge();
  const merged = await current();
  expect(await read()).toEqual(shown(theirs, merged, updated, [ours, theirs]));
  expect(await as.query(revisionDocument, { id: merged })).toEqual({
    node: {
      parents: [theirs, updated],
      parentRevisions: [at(theirs), at(updated)],
      changeRequest: null,
      mergedFrom: at(changeRequestId),
      mergedFromId: changeRequestId,
      changes: { revisionBefore: at(theirs), revisionAfter: at(merged) },
    },
  });
});

test("a revision of a public space shows no change requests and earlier revisions to users without a role", async () => {
  const { outsider, merge, mine, ids, current } = await setScene(app, world, { space: { visibility: "public" } });
  await mine(update(ids.faq, { title: "Questions" }));
  await merge();
  const { node } = await app
    .as(outsider.token)
    .query<{ node: { parents: string[] } }>(revisionDocument, { id: await current() });
  expect(node).toMatchObject({ parentRevisions: [], changeRequest: null, mergedFrom: null, changes: null });
  expect(node.parents).toHaveLength(2);
});

const targetDocument = `query ($id: ID!) { comment(id: $id) { target { space { id } changeRequest { id } review { id } revision { id }
  page { pageId page { id } } } } }`;

test("a comment target links to its space, change request, review and revision", async () => {
  const { space, changeRequest, commenter, reader } = await world.changeRequest();
  const { onChange, onSpace } = await world.insert((rows) => {
    const here = { spaceId: space.id, postedById: commenter.id };
    const review = addReview(rows, { changeRequest, reviewerId: commenter.id });
    const { revisionId } = changeRequest;
    return {
      onChange: {
        ...addComment(rows, { ...here, changeRequestId: changeRequest.id, reviewId: review.id, revisionId }),
        review,
      },
      onSpace: addComment(rows, here),
    };
  });
  const read = (id: string) => app.as(reader.token).query(targetDocument, { id });
  expect(await read(onChange.id)).toEqual({
    comment: {
      target: {
        space: { id: space.id },
        changeRequest: { id: changeRequest.id },
        review: { id: onChange.review.id },
        revision: { id: changeRequest.revisionId },
        page: null,
      },
    },
  });
  expect(await read(onSpace.id)).toEqual({
    comment: { target: { space: { id: space.id }, changeRequest: null, review: null, revision: null, page: null } },
  });
});

test("an organization's default content is its site or space if the viewer sees it", async () => {
  const { organization, admin, guest, space, site } = await world.everything({
    space: { visibility: "private" },
    site: { published: false },
  });
  const document = `{ organization(id: "${organization.id}") { defaultContent { type siteId site { id } spaceId space { id } } } }`;
  const set = (data: object) => app.database.prisma.organization.update({ where: { id: organization.id }, data });
  const read = ({ token }: { token: string }) => app.as(token).query(document);
  const shown = (of: object) => ({
    organization: { defaultContent: { siteId: null, site: null, spaceId: null, space: null, ...of } },
  });
  await set({ defaultSpaceId: space.id });
  expect(await read(admin)).toEqual(shown({ type: "SPACE", spaceId: space.id, space: { id: space.id } }));
  expect(await read(guest)).toEqual(shown({ type: "SPACE", spaceId: space.id }));
  await set({ defaultSpaceId: null, defaultSiteId: site.id });
  expect(await read(admin)).toEqual(shown({ type: "SITE", siteId: site.id, site: { id: site.id } }));
});
