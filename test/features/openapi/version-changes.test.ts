// Changes between versions of specifications in GraphQL.
import { expect, test } from "vitest";
import { documentWith, fixtureMaker } from "#test/features/openapi/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const makeFixture = fixtureMaker({ app, world });

const document = /* GraphQL */ `
  query ($id: ID!, $since: ID, $isBreaking: Boolean, $first: Int, $after: String) {
    node(id: $id) {
      ... on OpenApiSpecVersion {
        changes(sinceVersionId: $since) {
          before {
            number
          }
          after {
            number
          }
          changeCount
          breakingCount
          isComplete
          changes(isBreaking: $isBreaking, first: $first, after: $after) {
            totalCount
            pageInfo {
              hasNextPage
              endCursor
            }
            nodes {
              kind
              rule
              isBreaking
              reason
              method
              path
              model
              place
              before
              after
            }
          }
        }
      }
    }
  }
`;

interface Changes {
  readonly changes: {
    readonly totalCount: number;
    readonly pageInfo: { hasNextPage: boolean; endCursor: string };
    readonly nodes: readonly { rule: string }[];
  };
}

const ship = (type: string) => ({ schemas: { Ship: { type: "object", properties: { name: { type } } } } });

/** Three versions: the second breaks a model, the third adds an operation. */
async function versions() {
  const made = await makeFixture();
  const second = await made.spec.version(documentWith("", { components: ship("integer") }));
  const paths = { "/planes": { get: { responses: {} } } };
  const third = await made.spec.version(documentWith("", { components: ship("integer"), paths }));
  const [first] = await app.database.prisma.openApiSpecVersion.findMany({ where: { specId: made.spec.id, number: 1 } });
  const changes = async (id: string, variables: object = {}, token = made.reader.token) =>
    (await app.as(token).query<{ node: { changes: Changes | null } }>(document, { id, ...variables })).node.changes;
  const refuse = async (id: string, since: string, token = made.reader.token) =>
    (await app.as(token).graphql(document, { id, since })).errors?.[0]?.extensions.code;
  return { ...made, first: first?.id ?? "", second, third, changes, refuse };
}

test("changes of a version are relative to the previous or any other version; the first version has none", async () => {
  const { first, second, third, changes } = await versions();
  expect(await changes(second)).toMatchObject({
    before: { number: 1 },
    after: { number: 2 },
    changeCount: 1,
    breakingCount: 1,
    isComplete: true,
    changes: {
      totalCount: 1,
      nodes: [
        {
          kind: "CHANGED",
          rule: "TYPE_CHANGED",
          isBreaking: true,
          reason: "Clients may receive unexpected values.",
          method: null,
          path: null,
          model: "Ship",
          place: "name",
          before: "string",
          after: "integer",
        },
      ],
    },
  });
  const since = await changes(third, { since: first });
  expect(since).toMatchObject({ before: { number: 1 }, after: { number: 3 } });
  expect(since?.changes.nodes.map(({ rule }) => rule)).toEqual([
    "OPERATION_ADDED",
    "OPERATION_REMOVED",
    "TYPE_CHANGED",
  ]);
  expect(since?.changes.nodes[0]).toMatchObject({ method: "GET", path: "/planes", model: null, place: null });
  expect(await changes(first)).toBeNull();
});

test("changes of a version can be filtered by whether they are breaking, and are paginated", async () => {
  const { first, third, changes } = await versions();
  const rules = async (variables: object) =>
    (await changes(third, { since: first, ...variables }))?.changes.nodes.map(({ rule }) => rule);
  expect(await rules({ isBreaking: false })).toEqual(["OPERATION_ADDED"]);
  expect(await rules({ isBreaking: true })).toEqual(["OPERATION_REMOVED", "TYPE_CHANGED"]);
  const page = await changes(third, { since: first, first: 2 });
  expect(page?.changes).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
  expect(await rules({ first: 2, after: page?.changes.pageInfo.endCursor })).toEqual(["TYPE_CHANGED"]);
});

test("changes of a version are visible to users who see both versions, which must be of one specification", async () => {
  const { second, refuse, invitedGuest } = await versions();
  const other = await versions();
  expect(await refuse(second, other.first)).toBe("NOT_FOUND");
  expect(await other.refuse(other.second, second)).toBe("NOT_FOUND");
  expect((await app.as(invitedGuest.token).graphql(document, { id: second })).data).toEqual({ node: null });
});

test("changes of a version take the same number of statements, however many there are", async () => {
  const { first, third, reader } = await versions();
  const count = (variables: object) =>
    app.as(reader.token).statements(document, { id: third, since: first, ...variables });
  await count({});
  expect(await count({ first: 20 })).toBe(await count({ first: 1 }));
});
