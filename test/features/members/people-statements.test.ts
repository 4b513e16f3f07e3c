// SQL statements of edges to and from users: a fixed number for any number of rows and users.
import { beforeAll, expect, it } from "vitest";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { addGrant, addPersonIn } from "#test/features/members/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();
let client: Client;
let id: string;

/** 25 users who each have a space, a team with a grant on it, a change request with reviews, and comments on it. */
beforeAll(async () => {
  const { organization, admin } = await world.organization();
  const organizationId = organization.id;
  client = app.as(admin.token);
  id = organizationId;
  await world.insert((rows) => {
    const people = times(25, () => addPersonIn(rows, { organizationId, role: "edit" }));
    for (const [index, person] of people.entries()) {
      const next = people[(index + 1) % people.length] ?? person;
      const space = addSpace(rows, { organizationId });
      const team = addTeam(rows, { organizationId });
      for (const one of [person, next]) addTeamMember(rows, team, one);
      addGrant(rows, { organizationId, spaceId: space.id, teamId: team.id, role: "review" });
      const changeRequest = addChangeRequest(rows, { space, createdById: person.id });
      const review = addReview(rows, { changeRequest, reviewerId: next.id });
      const on = { spaceId: space.id, changeRequestId: changeRequest.id };
      times(2, () => addComment(rows, { ...on, postedById: person.id }));
      addComment(rows, { ...on, postedById: next.id, reviewId: review.id });
    }
  });
});

it.each([
  // organization, comments, users; then their selections
  ["teams of commenters", 4, "comments(first: $n) { nodes { postedBy { teams { nodes { title } } } } }"],
  ["memberships of commenters", 4, "comments(first: $n) { nodes { postedBy { memberships { nodes { role } } } } }"],
  [
    "change requests of commenters, with rights and users",
    8, // change requests; contributors, spaces for the flags of both, reviews, comments of these
    `comments(first: $n) { nodes { postedBy { changeRequests(first: $n) { nodes { subject permissions { merge }
      contributors { nodes { displayName } } reviews { nodes { permissions { dismiss } comments { nodes { id } } } } } } } } }`,
  ],
  [
    "comments of commenters",
    5,
    "comments(first: $n) { nodes { postedBy { comments(first: $n) { totalCount nodes { id } } } } }",
  ],
  [
    "review requests of commenters",
    4,
    "comments(first: $n) { nodes { postedBy { reviewRequests { nodes { id } } } } }",
  ],
  [
    "change requests of an organization",
    5,
    "changeRequests(first: $n) { totalCount nodes { mergedAt createdBy { displayName } space { title } } }",
  ],
  [
    "members of spaces",
    5,
    "spaces(first: $n) { nodes { members(first: 50) { nodes { role user { id } sources { kind team { title } } } } } }",
  ],
  [
    "spaces, collections and grants of teams",
    7,
    "teams(first: $n) { nodes { spaces { nodes { id } } collections { nodes { id } } grants { nodes { permissions { remove } space { title } } } } }",
  ],
  ["grants of an organization", 4, "grants(first: $n) { nodes { role team { title } space { title } } }"],
  ["sites of spaces", 4, "spaces(first: $n) { nodes { sites { nodes { title } } siteSpaces { nodes { id } } } }"],
])("%s: %i statements for 2, 10 and 20 rows", async (_what, expected, selection) => {
  const document = `query ($id: ID!, $n: Int!) { organization(id: $id) { ${selection} } }`;
  const counts = [];
  for (const n of [2, 10, 20]) counts.push(await client.statements(document, { id, n }));
  expect(counts).toEqual([expected, expected, expected]);
});
