// Reviews in GraphQL: their summary, order, the viewer's pending reviews, and the SQL statements of lists.
import { describe, expect, test } from "vitest";
import type { ReviewStatus } from "#src/generated/prisma/enums.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { done, placeOf, readReviewed, requestReviews, submitReview } from "#test/features/reviews/reviewing.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { type Person, times } from "#test/support/world.ts";

const { app, world } = await useApp();

test.each<[ReviewStatus[], string]>([
  [[], "NONE"],
  [["requested"], "PENDING"],
  [["approved"], "APPROVED"],
  [["approved", "approved"], "APPROVED"],
  [["approved", "requested"], "PENDING"],
  [["changes_requested", "approved", "requested"], "CHANGES_REQUESTED"],
])("reviews with the statuses %j have the summary %s", async (statuses, summary) => {
  const made = await world.changeRequest();
  const { changeRequest, admin, reviewer, commenter } = made;
  const people = [admin, reviewer, commenter];
  await world.insert((rows) => {
    for (const [index, status] of statuses.entries())
      addReview(rows, { changeRequest, reviewerId: people[index]?.id ?? "", status });
  });
  expect((await readReviewed(app, made.reader, made)).reviewStatus).toBe(summary);
});

test("reviews are paginated in order of creation, with all their fields", async () => {
  const made = await world.changeRequest();
  const { editor, reader, reviewer, commenter, admin, changeRequest } = made;
  const reviewerIds = [commenter.id, admin.id];
  await done(app, editor, requestReviews, { ...placeOf(made), reviewerIds });
  await done(app, reviewer, submitReview, { ...placeOf(made), verdict: "APPROVED" });
  await done(app, commenter, submitReview, { ...placeOf(made), verdict: "APPROVED" });
  const document = `query ($id: ID!, $after: String) { changeRequest(id: $id) { reviews(first: 2, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { reviewer { id } requestedBy { id } revision { id } changeRequest { number space { id } } } } } }`;
  interface Answer {
    changeRequest: { reviews: { totalCount: number; pageInfo: { endCursor: string }; nodes: object[] } };
  }
  const page = async (after: string | null) =>
    (await app.as(reader.token).query<Answer>(document, { id: changeRequest.id, after })).changeRequest.reviews;
  const about = { changeRequest: { number: changeRequest.number, space: { id: made.space.id } } };
  const asked = { ...about, requestedBy: { id: editor.id }, revision: null };
  const given = { revision: { id: changeRequest.revisionId } };
  const first = await page(null);
  expect(first).toMatchObject({
    totalCount: 3,
    pageInfo: { hasNextPage: true },
    nodes: [
      { ...asked, ...given, reviewer: { id: commenter.id } },
      { ...asked, reviewer: { id: admin.id } },
    ],
  });
  expect(await page(first.pageInfo.endCursor)).toMatchObject({
    pageInfo: { hasNextPage: false },
    nodes: [{ ...about, ...given, reviewer: { id: reviewer.id }, requestedBy: null }],
  });
});

describe("reviewRequests", () => {
  const waiting = async (person: Person) => {
    const document = "{ reviewRequests { totalCount nodes { status changeRequest { id } } } }";
    const { reviewRequests } = await app
      .as(person.token)
      .query<{ reviewRequests: { totalCount: number; nodes: { status: string; changeRequest: { id: string } }[] } }>(
        document,
      );
    expect(reviewRequests.totalCount).toBe(reviewRequests.nodes.length);
    return reviewRequests.nodes.map(({ changeRequest }) => changeRequest.id);
  };

  test("lists the viewer's pending requests, latest first", async () => {
    const { space, editor, reviewer, commenter } = await world.space();
    const { open, draft } = await world.insert((rows) => {
      const reviewed = (status: "open" | "draft" | "archived" | "merged", of = reviewer, given?: ReviewStatus) => {
        const changeRequest = addChangeRequest(rows, { space, createdById: editor.id, status });
        addReview(rows, { changeRequest, reviewerId: of.id, status: given ?? "requested" });
        return changeRequest.id;
      };
      for (const status of ["archived", "merged"] as const) reviewed(status);
      for (const status of ["approved", "changes_requested"] as const) reviewed("open", reviewer, status);
      reviewed("open", commenter);
      return { open: reviewed("open"), draft: reviewed("draft") };
    });
    expect(await waiting(reviewer)).toEqual([draft, open]);
    expect(await waiting(commenter)).toHaveLength(1);
    expect(await waiting(editor)).toEqual([]);
    const place = { space, changeRequest: { id: draft } };
    await done(app, reviewer, submitReview, { ...placeOf(place), verdict: "APPROVED" });
    expect(await waiting(reviewer)).toEqual([open]);
    await done(app, editor, requestReviews, { ...placeOf(place), reviewerIds: [reviewer.id] });
    expect(await waiting(reviewer)).toEqual([draft, open]);
    await app.database.prisma.space.update({ where: { id: space.id }, data: { deletedAt: new Date() } });
    expect(await waiting(reviewer)).toEqual([]);
  });

  test("omits requests of users who lost access, and lists them again when it returns", async () => {
    const made = await world.changeRequest();
    const { organization, space, changeRequest, invitedGuest, editor } = made;
    await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: invitedGuest.id }));
    expect(await waiting(invitedGuest)).toEqual([changeRequest.id]);
    await app.database.prisma.grant.deleteMany({ where: { userId: invitedGuest.id } });
    expect(await waiting(invitedGuest)).toEqual([]);
    expect((await readReviewed(app, editor, made)).reviewStatus).toBe("PENDING");
    await world.insert((rows) =>
      addGrant(rows, { organizationId: organization.id, spaceId: space.id, userId: invitedGuest.id, role: "comment" }),
    );
    expect(await waiting(invitedGuest)).toEqual([changeRequest.id]);
  });
});

describe("SQL statements of reviews", () => {
  const about =
    "id status outdated requestedAt reviewer { displayName } requestedBy { displayName } revision { createdAt }";

  test("of change requests are as many for two as for twenty, of one space as of twenty", async () => {
    const { organization, editor, admin, reader, collection } = await world.collection();
    const spaces = await world.insert((rows) =>
      times(20, () => {
        const space = addSpace(rows, { organizationId: organization.id, parent: collection });
        for (const changeRequest of times(20, () => addChangeRequest(rows, { space, createdById: editor.id }))) {
          addReview(rows, { changeRequest, reviewerId: admin.id, status: "approved" });
          addReview(rows, { changeRequest, reviewerId: reader.id });
        }
        return space;
      }),
    );
    const rest = `changeRequests(first: $first) { nodes { number reviewStatus reviews(first: $first) { totalCount nodes { ${about} } } } }`;
    const one = `query ($id: ID!, $first: Int!) { space(id: $id) { ${rest} } }`;
    const many = `query ($id: ID!, $first: Int!) { organization(id: $id) { spaces(first: 20) { nodes { ${rest} } } } }`;
    const as = app.as(reader.token);
    const [space] = spaces;
    // The space, its change requests with the summary of their reviews, their reviews, their count, people, and
    // revisions.
    expect(await as.statements(one, { id: space?.id, first: 2 })).toBe(6);
    expect(await as.statements(one, { id: space?.id, first: 20 })).toBe(6);
    expect(await as.statements(many, { id: organization.id, first: 2 })).toBe(7);
    expect(await as.statements(many, { id: organization.id, first: 20 })).toBe(7);
  });

  test("of pending requests are as many for two as for twenty", async () => {
    const { space, editor, reviewer } = await world.space();
    await world.insert((rows) =>
      times(20, () => {
        const changeRequest = addChangeRequest(rows, { space, createdById: editor.id });
        addReview(rows, { changeRequest, reviewerId: reviewer.id });
      }),
    );
    const list = `query ($first: Int!) { reviewRequests(first: $first) { totalCount nodes { ${about} changeRequest {
      subject reviewStatus space { title } } } } }`;
    const as = app.as(reviewer.token);
    // The reviews, their count, people, change requests, and spaces.
    expect([await as.statements(list, { first: 2 }), await as.statements(list, { first: 20 })]).toEqual([5, 5]);
  });

  test("of changes are a fixed number for any number of reviewers", async () => {
    const made = await world.changeRequest();
    const { editor, reviewer, commenter, invitedGuest } = made;
    const document = `mutation ($input: RequestReviewsInput!) { requestReviews(input: $input) { changeRequest { reviewStatus } } }`;
    const ask = (people: readonly Person[]) =>
      app.as(editor.token).statements(document, {
        input: { ...placeOf(made), reviewerIds: people.map(({ id }) => id) },
      });
    const [few, more] = [await ask([commenter]), await ask([reviewer, invitedGuest, made.teamGuest])];
    const input = { ...placeOf(made), verdict: "APPROVED" };
    const submit = await app.as(reviewer.token).statements(submitReview, { input });
    // Reading the present state, the transaction with its events, the viewer's rights, and the payload, which is larger
    // here.
    expect([few, more, submit]).toEqual([9, 9, 13]);
  });
});
