// Searching members in an organization with more members than a scan reads: some matches are among the
// first of the list, others so late that only an index finds them.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addPersonIn } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addUser } from "#test/features/users/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const crowd = 5_200;
/** In the order in which they joined; the crowd joins between the early and the late names. */
const [early, late] = [
  ["Rare Ann", "100% Rare", "rare_under", "RARE\\Slash", "Rareness"],
  ["Rare Newcomer", "Uq", "Жук 漢字"], // addresses have the digits of a UUID: neither "u" nor "r"
] as const;
let client: Client;
let organizationId: string;

beforeAll(async () => {
  const admin = await world.insert((rows) => {
    ({ id: organizationId } = addOrganization(rows));
    return addPersonIn(rows, { organizationId, role: "admin", joinedAt: "2020-01-01T00:00:00Z" }, named("Ada", "ada"));
  });
  client = app.as(admin.token);
  await addAll(early, "2021-01-01");
  const { id: nobody } = await world.insert((rows) => addUser(rows, named("Nobody", "nobody")));
  await app.database.pool.query(
    `with people as (insert into "User" (id, email, "displayName")
       select 'usr_' || md5($1 || n), 'crowd' || n || '@many.example.com', 'Crowd ' || n from generate_series(1, ${crowd}) n returning id)
     insert into "OrganizationMember" (id, "organizationId", "userId", role, "joinedAt")
       select 'mem_' || md5(id), $2, id, 'read', '2022-01-01' from people`,
    [nobody, organizationId],
  );
  await addAll(late, "2023-01-01");
});

const named = (displayName: string, at: string) => ({
  displayName,
  email: `${at}@${randomUUID()}.example.com`,
});

const addAll = (names: readonly string[], day: string) =>
  world.insert((rows) =>
    names.forEach((name, index) =>
      addPersonIn(
        rows,
        { organizationId, role: "read", joinedAt: `${day}T00:00:0${index}Z` },
        named(name, `mail${index}`),
      ),
    ),
  );

interface Page {
  readonly names: readonly string[];
  readonly start: string;
  readonly end: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

async function page(search: string, args: string): Promise<Page> {
  const { organization } = await client.query<{
    organization: {
      members: {
        nodes: { user: { displayName: string } }[];
        pageInfo: { startCursor: string; endCursor: string; hasPreviousPage: boolean; hasNextPage: boolean };
      };
    };
  }>(
    `query ($search: String!) { organization(id: "${organizationId}") { members(search: $search, ${args}) {
      nodes { user { displayName } } pageInfo { startCursor endCursor hasPreviousPage hasNextPage } } } }`,
    { search },
  );
  const { nodes, pageInfo } = organization.members;
  const { startCursor: start, endCursor: end, hasPreviousPage, hasNextPage } = pageInfo;
  const names = nodes.map(({ user }) => user.displayName);
  return { names, start, end, isFirst: !hasPreviousPage, isLast: !hasNextPage };
}

const newestFirst = ["Rare Newcomer", ...early.toReversed()];

test("member search finds matches before and after the crowd, page by page, from both ends", async () => {
  const first = await page("rare", "first: 2");
  expect(first).toMatchObject({ names: newestFirst.slice(0, 2), isFirst: true, isLast: false });
  const second = await page("rare", `first: 2, after: "${first.end}"`);
  expect(second).toMatchObject({ names: newestFirst.slice(2, 4), isFirst: false, isLast: false });
  const third = await page("rare", `first: 2, after: "${second.end}"`);
  expect(third).toMatchObject({ names: newestFirst.slice(4), isFirst: false, isLast: true });
  const last = await page("rare", "last: 5");
  expect(last).toMatchObject({ names: newestFirst.slice(1), isFirst: false, isLast: true });
  expect(await page("rare", `last: 3, before: "${last.start}"`)).toMatchObject({
    names: newestFirst.slice(0, 1),
    isFirst: true,
    isLast: false,
  });
  const oldest = "orderBy: { field: JOINED_AT, direction: ASC }";
  expect((await page("rare", `first: 5, ${oldest}`)).names).toEqual(early);
});

test.each([
  ["0% r", ["100% Rare"]],
  ["%", ["100% Rare"]],
  ["e_u", ["rare_under"]],
  ["re\\sl", ["RARE\\Slash"]],
  ["\\", ["RARE\\Slash"]],
  ["UQ", ["Uq"]],
  ["0%", ["100% Rare"]],
  ["% ", ["100% Rare"]],
  ["ук", ["Жук 漢字"]],
  ["Жук 漢", ["Жук 漢字"]],
  ["字", ["Жук 漢字"]],
  ["字漢", []],
  ["- -", []],
  ["mail4@", ["Rareness"]],
  ["crowd 5199", ["Crowd 5199"]],
  ["rare%", []],
  ["a_n", []],
  ["nobody", []],
])("member search finds %j literally in names and e-mail addresses", async (search, names) => {
  expect(await page(search, "first: 10")).toMatchObject({ names, isFirst: true, isLast: true });
});

test("member search with many matches fills the page and counts all", async () => {
  const { names, isLast } = await page("crowd", "first: 3");
  expect([names.length, isLast]).toEqual([3, false]);
  const count = async (search: string) =>
    client.query(
      `query ($search: String) { organization(id: "${organizationId}") { members(search: $search) { totalCount } } }`,
      { search },
    );
  expect(await count("crowd")).toEqual({ organization: { members: { totalCount: crowd } } });
  expect(await count("rare")).toEqual({ organization: { members: { totalCount: newestFirst.length } } });
});
