// The requests of queries.md: each costs as many SQL statements as its table says, however many rows it returns.
import { beforeAll, describe, expect, test } from "vitest";
import { meterStatements, StatementCounter } from "#src/db/connection/database.ts";
import type { Rows } from "#src/demo/rows.ts";
import { schema } from "#src/schema.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addComment, addReaction, addReply } from "#test/features/comments/factory.ts";
import { giveTree } from "#test/features/content/factory.ts";
import { addGrant, addPersonIn } from "#test/features/members/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";
import { codeOf, readPage } from "#test/support/documentation.ts";
import { merged, piecesOf, takenApart } from "#test/support/in-parts.ts";
import { contextsOf, prepareReady } from "#test/support/query-executions.ts";
import { type Person, times } from "#test/support/world.ts";

const { app, world } = await useApp();
const page = readPage("src/docs/queries.md");

/** By their names: the documents that the page prints, and the statements that its table says. */
const documents = new Map(
  codeOf(page, "graphql").map((document) => [/^query (\w+)/.exec(document)?.[1] ?? "", document]),
);
const costs = [...page.text.matchAll(/^\| `(\w+)` .*?\| +(\d+) +\|$/gm)].map(
  ([, name = "", count = ""]) => [name, Number(count)] as const,
);

interface Asked {
  readonly admin: Person;
  readonly variables: Readonly<Record<string, string>>;
}

/** Fills an organization with `count` of everything below everything, and returns the variables. */
async function fill(count: number): Promise<Asked> {
  const made = await world.space();
  const { admin, editor, organization, collection, space } = made;
  const organizationId = organization.id;
  const changeRequest = await world.insert((rows) => {
    for (let index = 0; index < count; index++) {
      const person = addPersonIn(rows, { organizationId, role: "read" });
      const team = addTeam(rows, { organizationId });
      addTeamMember(rows, team, person);
      addGrant(rows, { organizationId, spaceId: space.id, teamId: team.id, role: "comment" });
      const parent = addCollection(rows, { organizationId, parent: collection });
      const within = addCollection(rows, { organizationId, parent });
      addSpace(rows, { organizationId, parent: within });
      addDiscussed(rows, { space: addSpace(rows, { organizationId, parent }), admin, editor }, count);
    }
    return addDiscussed(rows, { space, admin, editor }, count);
  });
  const pageIds = await giveTree(app.database, space.revisionId, 10 * count);
  await world.insert((rows) => {
    for (const pageId of pageIds.slice(0, 1))
      times(count, () => addComment(rows, { spaceId: space.id, postedById: editor.id, pageId }));
  });
  const post = `mutation ($spaceId: ID!) { createComment(input: { contentOf: { spaceId: $spaceId }, text: { markdown: "A question." } }) { comment { id } } }`;
  for (let index = 0; index < count; index++) await app.as(admin.token).query(post, { spaceId: space.id });
  const variables = { organizationId, spaceId: space.id, changeRequestId: changeRequest.id, path: "page-0/page-1" };
  return { admin, variables };
}

/** Change requests of a space which the admin is asked to review, with a discussion of each; answers the last one. */
function addDiscussed(
  rows: Rows,
  { space, admin, editor }: { space: { id: string; revisionId: string }; admin: Person; editor: Person },
  count: number,
) {
  const changeRequests = times(count, () => addChangeRequest(rows, { space, createdById: editor.id }));
  for (const changeRequest of changeRequests) {
    addReview(rows, { changeRequest, reviewerId: admin.id });
    const place = { spaceId: space.id, changeRequestId: changeRequest.id, postedById: editor.id };
    for (const { id: commentId } of times(count, () => addComment(rows, place))) {
      addReply(rows, { commentId, postedById: admin.id });
      addReaction(rows, { commentId, userId: admin.id });
    }
  }
  const [last] = changeRequests.slice(-1);
  if (!last) throw new Error("The response has no change request.");
  return last;
}

let small: Asked;
let large: Asked;

beforeAll(async () => {
  small = await fill(2);
  large = await fill(5);
});

test("queries.md lists the statements of ten requests", () => {
  expect(costs).toHaveLength(10);
});

describe.each(costs)("%s", (name, count) => {
  test("costs the number of statements in queries.md, for few rows and for many", async () => {
    const document = documents.get(name) ?? "";
    const counted: number[] = [];
    for (const { admin, variables } of [small, large])
      counted.push(await app.as(admin.token).statements(document, variables));
    expect(counted).toEqual([count, count]);
  });

  test("costs the same with incremental delivery", async () => {
    const { admin, variables } = large;
    const whole = await app.as(admin.token).statements(documents.get(name) ?? "", variables);
    // Whatever can come later does: 0.1 defers each fragment and field, and cuts each list before its first item.
    const apart = prepareReady(takenApart(schema, documents.get(name) ?? "", () => 0.1));
    const context = (await contextsOf(app, admin.token))();
    const meter = new StatementCounter();
    const pieces = await meterStatements(meter, () => piecesOf(apart, context, variables));
    expect(merged(pieces)).toMatchObject({ errors: [] });
    expect([pieces.length > 1, meter.statements]).toEqual([true, whole]);
  });

  test("returns rows", async () => {
    const { admin, variables } = large;
    const data = await app.as(admin.token).query(documents.get(name) ?? "", variables);
    expect(JSON.stringify(data).length).toBeGreaterThan(300);
  });
});
