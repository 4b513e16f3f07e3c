// Change requests and comments across spaces, of an organization and of a user, with their contributors and mergers.
import { describe, expect, test } from "vitest";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addGrant, addMember } from "#test/features/members/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

/** Two spaces of one organization with change requests by several people, named by their subjects. */
async function inbox() {
  const made = await world.organization();
  const { organization, editor, reviewer, commenter, guest } = made;
  const organizationId = organization.id;
  const rest = await world.insert((rows) => {
    const [here, there] = [addSpace(rows, { organizationId }), addSpace(rows, { organizationId })];
    const propose = (space: typeof here, by: Person, subject: string, status: "draft" | "open" | "merged") =>
      addChangeRequest(rows, { space, createdById: by.id, subject, status });
    const draft = propose(here, editor, "draft", "draft");
    const open = propose(here, editor, "open", "open");
    const other = propose(there, reviewer, "other", "open");
    propose(there, editor, "merged", "merged");
    const review = addReview(rows, { changeRequest: other, reviewerId: commenter.id });
    addReview(rows, { changeRequest: open, reviewerId: commenter.id, status: "approved" });
    addGrant(rows, { organizationId, spaceId: there.id, userId: guest.id, role: "read" });
    return { here, there, draft, open, other, review };
  });
  return { ...made, ...rest };
}

const inOrganization = `query ($id: ID!, $status: [ChangeRequestStatus!], $authors: [ID!], $contributor: ID, $reviewer: ID, $spaces: [ID!], $first: Int,
  $after: String) { organization(id: $id) { changeRequests(statuses: $status, authorIds: $authors, contributorId: $contributor, reviewerId: $reviewer,
  spaceIds: $spaces, first: $first, after: $after) { totalCount pageInfo { endCursor hasNextPage } nodes { subject } } } }`;

interface InOrganization {
  organization: {
    changeRequests: {
      totalCount: number;
      pageInfo: { endCursor: string; hasNextPage: boolean };
      nodes: { subject: string }[];
    };
  };
}

describe("Organization.changeRequests", () => {
  test("lists change requests of all spaces that the viewer has a role on, newest first, with every filter", async () => {
    const { organization, reader, guest, editor, reviewer, commenter, here, there } = await inbox();
    const list = async (by: Person, given: Record<string, unknown> = {}) => {
      const answer = await app.as(by.token).query<InOrganization>(inOrganization, { id: organization.id, ...given });
      const { nodes, totalCount } = answer.organization.changeRequests;
      expect(totalCount).toBe(nodes.length);
      return nodes.map(({ subject }) => subject);
    };
    expect(await list(reader)).toEqual(["merged", "other", "open", "draft"]);
    expect(await list(guest)).toEqual(["merged", "other"]);
    expect(await list(reader, { status: "OPEN" })).toEqual(["other", "open"]);
    expect(await list(reader, { authors: [reviewer.id] })).toEqual(["other"]);
    expect(await list(reader, { authors: [] })).toEqual([]);
    expect(await list(reader, { spaces: [here.id] })).toEqual(["open", "draft"]);
    expect(await list(guest, { spaces: [here.id, there.id] })).toEqual(["merged", "other"]);
    expect(await list(reader, { contributor: editor.id })).toEqual(["merged", "open", "draft"]);
    expect(await list(reader, { reviewer: commenter.id })).toEqual(["other", "open"]);
    expect(await list(reader, { reviewer: commenter.id, status: "OPEN", authors: [editor.id] })).toEqual(["open"]);
  });

  test("is paginated", async () => {
    const { organization, reader } = await inbox();
    const page = async (given: object) =>
      (await app.as(reader.token).query<InOrganization>(inOrganization, { id: organization.id, ...given })).organization
        .changeRequests;
    const first = await page({ first: 3 });
    expect(first.nodes.map(({ subject }) => subject)).toEqual(["merged", "other", "open"]);
    const second = await page({ first: 3, after: first.pageInfo.endCursor });
    expect(second).toMatchObject({ totalCount: 4, nodes: [{ subject: "draft" }], pageInfo: { hasNextPage: false } });
  });

  test("and comments follow a transferred space, and omit a deleted one", async () => {
    const { organization, elsewhere, admin, here, there, editor, outsider } = await inbox();
    await world.insert((rows) => {
      addComment(rows, { spaceId: here.id, postedById: editor.id });
      addMember(rows, { organizationId: elsewhere.id, userId: admin.id, role: "admin" });
    });
    const counts = async (by: Person, { id }: { id: string }) => {
      const document = `{ organization(id: "${id}") { changeRequests { totalCount } comments { totalCount } } }`;
      const { data } = await app
        .as(by.token)
        .graphql<{ organization: Record<string, { totalCount: number }> }>(document);
      return Object.values(data?.organization ?? {}).map(({ totalCount }) => totalCount);
    };
    const transfer = `mutation ($input: TransferSpaceInput!) { transferSpace(input: $input) { space { id } } }`;
    expect([await counts(admin, organization), await counts(outsider, elsewhere)]).toEqual([
      [4, 1],
      [0, 0],
    ]);
    await app.as(admin.token).query(transfer, { input: { spaceId: here.id, organizationId: elsewhere.id } });
    expect([await counts(admin, organization), await counts(outsider, elsewhere)]).toEqual([
      [2, 0],
      [2, 1],
    ]);
    const remove = `mutation ($input: DeleteSpaceInput!) { deleteSpace(input: $input) { deletedId } }`;
    await app.as(admin.token).query(remove, { input: { spaceId: there.id } });
    expect(await counts(admin, organization)).toEqual([0, 0]);
  });
});

test("a user's change requests, comments and review requests are listed for spaces that the viewer sees", async () => {
  const { editor, commenter, reader, guest, here, there, open, review } = await inbox();
  const comments = await world.insert((rows) => {
    const post = (spaceId: string, given: object = {}) =>
      addComment(rows, { spaceId, postedById: editor.id, ...given });
    return [post(here.id), post(here.id, { changeRequestId: open.id }), post(there.id, { status: "resolved" })];
  });
  const ids = comments.map(({ id }) => id);
  const document = `query ($status: [ChangeRequestStatus!], $spaces: [ID!], $order: SortOrder! = DESC, $open: CommentStatusFilter! = ALL) {
    node(id: "${editor.id}") { ... on User { changeRequests(statuses: $status, spaceIds: $spaces) { totalCount nodes { subject } }
      comments(orderBy: { field: POSTED_AT, direction: $order }, status: $open, spaceIds: $spaces) { nodes { id } } } }
    asked: node(id: "${commenter.id}") { ... on User { reviewRequests { totalCount nodes { id changeRequest { subject } } } } } }`;
  const listed = async (by: Person, given: Record<string, unknown> = {}) => {
    const { node, asked } = await app.as(by.token).query<{
      node: { changeRequests: { nodes: { subject: string }[] }; comments: { nodes: { id: string }[] } };
      asked: { reviewRequests: { nodes: { id: string }[] } };
    }>(document, given);
    return [
      node.changeRequests.nodes.map(({ subject }) => subject),
      node.comments.nodes.map(({ id }) => ids.indexOf(id)),
      asked.reviewRequests.nodes.map(({ id }) => id),
    ];
  };
  expect(await listed(reader)).toEqual([["merged", "open", "draft"], [2, 1, 0], [review.id]]);
  expect(await listed(guest)).toEqual([["merged"], [2], [review.id]]);
  expect(await listed(reader, { order: "ASC", open: "OPEN", status: "DRAFT" })).toEqual([
    ["draft"],
    [0, 1],
    [review.id],
  ]);
  expect(await listed(reader, { spaces: [there.id] })).toEqual([["merged"], [2], [review.id]]);
  const own = `{ viewer { reviewRequests { nodes { id } } } reviewRequests { nodes { id } } }`;
  const waiting = { nodes: [{ id: review.id }] };
  expect(await app.as(commenter.token).query(own)).toEqual({
    viewer: { reviewRequests: waiting },
    reviewRequests: waiting,
  });
});

test("comments of an organization can be filtered by author, status and space", async () => {
  const { organization, editor, reader, guest, here, there, open } = await inbox();
  const ids = await world.insert((rows) => {
    const post = (spaceId: string, postedById: string, given: object = {}) =>
      addComment(rows, { spaceId, postedById, ...given }).id;
    return [
      post(here.id, editor.id),
      post(here.id, reader.id, { changeRequestId: open.id }),
      post(there.id, editor.id, { status: "resolved" }),
    ];
  });
  const document = `query ($status: CommentStatusFilter! = ALL, $authors: [ID!], $spaces: [ID!], $order: SortOrder! = DESC) {
    organization(id: "${organization.id}") { comments(status: $status, authorIds: $authors, spaceIds: $spaces, orderBy: { field: POSTED_AT, direction: $order }) { totalCount nodes { id } } } }`;
  const list = async (by: Person, given: Record<string, unknown> = {}) => {
    const answer = await app
      .as(by.token)
      .query<{ organization: { comments: { nodes: { id: string }[] } } }>(document, given);
    return answer.organization.comments.nodes.map(({ id }) => ids.indexOf(id));
  };
  expect(await list(reader)).toEqual([2, 1, 0]);
  expect(await list(guest)).toEqual([2]);
  expect(await list(reader, { order: "ASC", status: "OPEN" })).toEqual([0, 1]);
  expect(await list(reader, { authors: [editor.id] })).toEqual([2, 0]);
  expect(await list(reader, { spaces: [here.id], authors: [reader.id] })).toEqual([1]);
});

describe("ChangeRequest", () => {
  test("lists its contributors and, after the merge, who merged it and when", async () => {
    const { changeRequest, editor, reviewer, admin } = await world.changeRequest();
    const document = `{ changeRequest(id: "${changeRequest.id}") { contributors { totalCount nodes { displayName } } mergedBy { id } mergedAt } }`;
    await editAs(app.as(reviewer.token), { changeRequestId: changeRequest.id }, newPage("Tides").edit);
    const contributors = { totalCount: 2, nodes: [editor, reviewer].map(({ displayName }) => ({ displayName })) };
    const as = app.as(admin.token);
    expect(await as.query(document)).toEqual({ changeRequest: { contributors, mergedBy: null, mergedAt: null } });
    const merge = `mutation ($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { revision { createdAt } } }`;
    const input = { changeRequestId: changeRequest.id };
    const { mergeChangeRequest } = await as.query<{ mergeChangeRequest: { revision: { createdAt: string } } }>(merge, {
      input,
    });
    const mergedAt = mergeChangeRequest.revision.createdAt;
    expect(await as.query(document)).toEqual({ changeRequest: { contributors, mergedBy: { id: admin.id }, mergedAt } });
  });

  test("has permission flags for every role", async () => {
    const { people, changeRequest, commenter } = await world.changeRequest();
    const flags = "view edit update comment requestReviews review merge";
    const document = `{ changeRequest(id: "${changeRequest.id}") { permissions { ${flags} } } }`;
    const allowed = async ({ token }: Person) => {
      const { permissions } = (
        await app.as(token).query<{ changeRequest: { permissions: Record<string, boolean> } }>(document)
      ).changeRequest;
      return Object.keys(permissions).filter((flag) => permissions[flag]);
    };
    const everything = flags.split(" ");
    expect(await allowed(people.admin)).toEqual(everything);
    expect(await allowed(people.reviewer)).toEqual(everything);
    expect(await allowed(people.editor)).toEqual(["view", "edit", "update", "comment", "requestReviews"]);
    expect(await allowed(people.commenter)).toEqual(["view", "comment"]);
    expect(await allowed(people.reader)).toEqual(["view"]);
    await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: commenter.id }));
    expect(await allowed(people.commenter)).toEqual(["view", "comment", "review"]);
  });
});
