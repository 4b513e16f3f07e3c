// List orders: every sortable list is read by an index, in each order and both directions, below a parent with 100,000
// rows. The cases are generated from the schema, so that new orders are included. At the small size there are fewer
// rows, and each order is in one of the directions.
import { getNamedType, isEnumType, isInputObjectType } from "graphql";
import { beforeAll, expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";
import { statementsOf, workOf } from "#test/support/plans.ts";
import { inTurn, sized } from "#test/support/runs.ts";
import { allFields, coordinateOf } from "#test/support/schema-paths.ts";
import type { Person } from "#test/support/world.ts";

// On its own database: looks at plans over tables of a known size.
const { app, world } = await useApp({ own: true });
let admin: Person;
/** The ids of parents of lists, which documents and rows reference as `$Space` and so on. */
let ids: Readonly<Record<string, string>>;

/** Rows below each parent for which the plans are made. */
const believed = 100_000;
/** Rows that exist when plans are run: many times a page; all of them at full size. */
const many = sized(4_000, believed);
const size = 20;

const filled = (text: string) => text.replaceAll(/\$([a-z]+)\b/gi, (_match, name: string) => ids[name] ?? "");

/** SQL of an id that sorts by number. */
const id = (prefix: string, number = "n") => `'${prefix}_0' || lpad((${number})::text, 25, '0')`;
/** SQL of instants and texts in another order than the ids. */
const instant = (factor: number) => `timestamptz '2026-01-01' + (n * ${factor} % ${many}) * interval '1 second'`;
const text = "md5(n::text)";
const numbers = `generate_series(1, ${many}) n`;
const place = `'$Organization', case when n % 2 = 0 then '$Collection' end, case when n % 2 = 0 then array['$Collection'] else '{}' end`;

const rows = [
  `insert into "Collection" (id, "organizationId", "parentId", ancestors, title, position, "createdAt", "updatedAt")
    select ${id("col")}, ${place}, ${text}, ${text}, ${instant(7)}, ${instant(11)} from ${numbers}`,
  `insert into "Space" (id, "organizationId", "parentId", ancestors, title, emoji, position, "openToMembers", visibility, "revisionId", "createdAt", "updatedAt", "deletedAt")
    select ${id("spc")}, ${place}, ${text}, '', ${text}, true, 'private', '$Revision', ${instant(7)}, ${instant(11)}, case when n % 10 = 0 then now() - n * interval '1 second' end from ${numbers}`,
  `insert into "User" (id, email, "displayName") select ${id("usr")}, n || '@example.com', ${text} from ${numbers}`,
  `insert into "OrganizationMember" (id, "organizationId", "userId", role, "joinedAt", "lastSeenAt", "sortName")
    select ${id("mem")}, '$Organization', ${id("usr")}, 'read', ${instant(7)}, ${instant(11)}, ${text} from ${numbers}`,
  `insert into "Team" (id, "organizationId", title, "createdAt") select ${id("tem")}, '$Organization', ${text}, ${instant(7)} from ${numbers}`,
  `insert into "TeamMember" (id, "teamId", "organizationId", "userId", "createdAt", "sortName")
    select ${id("tmm")}, '$Team', '$Organization', ${id("usr")}, ${instant(7)}, ${text} from ${numbers}`,
  `insert into "Site" (id, "organizationId", title, "createdAt") select ${id("sit")}, '$Organization', ${text}, ${instant(7)} from ${numbers}`,
  `insert into "Revision" (id, "spaceId", type, "changeRequestId", "createdAt")
    select ${id("rev")}, '$Space', 'edits', case when n % 2 = 0 then '$ChangeRequest' end, ${instant(7)} from ${numbers}`,
  `insert into "ChangeRequest" (id, "organizationId", "spaceId", number, subject, "createdById", "revisionId", "revisionInitialId", "createdAt", "updatedAt")
    select ${id("chr")}, '$Organization', '$Space', n + 1, '', '$User', '$Revision', '$Revision', ${instant(7)}, ${instant(11)} from ${numbers}`,
  `insert into "Comment" (id, "organizationId", "spaceId", "changeRequestId", "postedById", markdown, "postedAt", "lastReplyAt")
    select ${id("cmt")}, '$Organization', '$Space', case when n % 2 = 0 then '$ChangeRequest' end, '$User', '', ${instant(7)}, case when n % 3 = 0 then now() + n * interval '1 second' end
    from ${numbers}`,
];

beforeAll(async () => {
  const made = await world.changeRequest();
  ({ admin } = made);
  ids = {
    Organization: made.organization.id,
    OrganizationMember: made.editor.memberId,
    Team: made.team.id,
    User: made.editor.id,
    Collection: made.collection.id,
    Space: made.space.id,
    ChangeRequest: made.changeRequest.id,
    Revision: made.space.revisionId,
  };
  const client = await app.database.pool.connect();
  try {
    await client.query("set session_replication_role = replica"); // referenced rows of other tables do not exist
    for (const statement of rows) await client.query(filled(statement));
    await client.query("analyze");
    // The planner uses statistics, so these are set as for all rows and indexes: for fewer pages, reading and sorting
    // everything would look cheaper than it is.
    await client.query(
      `select pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text, 'reltuples', (reltuples * $1)::real,
        'relpages', relpages) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
      [believed / many],
    );
  } finally {
    await client.query("reset session_replication_role");
    client.release();
  }
}, 120_000);

/** The fields that a list can be sorted by, in GraphQL. */
function ordersOf(field: (typeof lists)[number]["field"]): readonly string[] {
  const input = getNamedType(field.args.find(({ name }) => name === "orderBy")?.type);
  const names = isInputObjectType(input) && getNamedType(input.getFields()["field"]?.type);
  return isEnumType(names) ? names.getValues().map(({ name }) => name) : [];
}

const lists = allFields(schema).filter(({ field }) => field.args.some(({ name }) => name === "orderBy"));
/** The viewer is in few organizations; comments on a page are read from the indexes of those on a space. */
const known = lists.filter(({ type }) => type !== schema.getQueryType() && type.name !== "Page");
/** Orders that these lists refuse: numbers count within one space. */
const refused = ["Organization.changeRequests", "User.changeRequests"].map((list) => [list, "NUMBER"] as const);
const sorted = known.flatMap((list) =>
  ordersOf(list.field)
    .filter((order) => !refused.some(([of, name]) => of === coordinateOf(list) && name === order))
    .flatMap((order, index) =>
      inTurn(["ASC", "DESC"], index % 2).map((direction) => [
        coordinateOf(list),
        `orderBy: { field: ${order}, direction: ${direction} }`,
      ]),
    ),
);
/** Lists in default order, and other lists. */
const others = [
  ...known.map((list) => [coordinateOf(list), ""]),
  ["Organization.spaces", "nested: false"],
  ["Organization.spaces", 'parentId: "$Collection"'],
  ["Organization.spaces", 'parentId: "$Collection", orderBy: { field: TITLE }'],
  ["Organization.collections", "nested: false"],
  ["Organization.collections", 'parentId: "$Collection"'],
  ["Organization.content", ""],
  ["Organization.content", 'parentId: "$Collection"'],
  ["Collection.content", ""],
  ["Organization.deletedSpaces", ""],
] as const;

test.each<readonly (string | undefined)[]>([...sorted, ...others])("%s(%s)", async (list = "", given = "") => {
  const [type = "", field = ""] = list.split(".");
  const ask = (page: string) =>
    filled(`{ node(id: "$${type}") { ... on ${type} { ${field}(${given} ${page}) { pageInfo { endCursor } } } } }`);
  const first = ask(`first: ${size}`);
  const cursor = /"endCursor":"(.*?)"/.exec(JSON.stringify(await app.as(admin.token).query(ask("first: 200"))))?.[1];
  for (const document of [first, ask(`last: ${size}, after: "${cursor}"`)]) {
    const { rows: read, sorted: put } = await workOf(app, admin, document, statementsOf.lists);
    // Ties are sorted by id; numbers have none.
    expect(put, document).toBeLessThanOrEqual(given.includes("NUMBER") ? 0 : 2 * size - 1);
    expect(read, document).toBeLessThan(10 * size);
  }
});

test("the planner statistics match the number of rows", async () => {
  const { rows: plans } = await app.database.pool.query<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    `explain (format json) select from "Comment" where "spaceId" = '${ids["Space"]}'`,
  );
  expect(plans[0]?.["QUERY PLAN"][0].Plan["Plan Rows"]).toBeGreaterThan(0.9 * believed);
});

test.each(refused)("%s refuses the order %s", async (list, order) => {
  const [type = "", field = ""] = list.split(".");
  const document = `{ node(id: "$${type}") { ... on ${type} { ${field}(orderBy: { field: ${order} }) { totalCount } } } }`;
  expect(await app.as(admin.token).refusal(filled(document))).toBe("INVALID_INPUT");
});
