// Batched operations in one request: each behaves as if sent alone. Batching is off by default.
import { beforeAll, expect, test, vi } from "vitest";
import { addTeam } from "#test/features/teams/factory.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { lockHolder, untilNobodyWaits } from "#test/support/locks.ts";

const { app, world } = await useApp({ takesBatches: true });
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});

interface Result {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function send(batch: unknown, headers: Record<string, string> = {}, url = app.url) {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(batch),
  });
  return { status: answer.status, body: (await answer.json()) as Result[] };
}

const title = { query: "query ($id: ID!) { space(id: $id) { id } }" };
const refused = (code: string) => ({ errors: [{ extensions: { code } }] });
const comment = (markdown: string) => ({
  query: "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { body { markdown } } } }",
  variables: { input: { contentOf: { spaceId }, text: { markdown } } },
});

test("a batch returns results in the order of its operations, and one failure does not affect the others", async () => {
  const { status, body } = await send([
    { ...title, variables: { id: spaceId } },
    { query: "{ nothing }" },
    { query: "{" },
    { ...title, variables: { id: "spc_01h000000000000000000000000" } },
    title,
    { query: "subscription { viewerEvents { __typename } }" },
    { query: 7 },
    "text",
    { query: "{ viewer { __typename ... @defer { id } } }" },
  ]);
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { data: { space: { id: spaceId } } },
    refused("GRAPHQL_VALIDATION_FAILED"),
    refused("GRAPHQL_PARSE_FAILED"),
    { data: { space: null }, ...refused("NOT_FOUND") },
    refused("INVALID_INPUT"),
    refused("INVALID_INPUT"),
    refused("INVALID_INPUT"),
    refused("INVALID_INPUT"),
    { data: { viewer: { __typename: "User", id: expect.any(String) as string } } },
  ]);
});

test("in a batch with a mutation each operation sees the effects of those before it", async () => {
  const read = {
    query: "query ($id: ID!) { space(id: $id) { comments(last: 1) { totalCount } } }",
    variables: { id: spaceId },
  };
  const { body } = await send([read, comment("One"), read, { query: "{ nothing }" }, comment("Two"), read]);
  const [before = 0, ...after] = [...JSON.stringify(body).matchAll(/"totalCount":(\d+)/g)].map(([, count]) =>
    Number(count),
  );
  expect(after).toEqual([before + 1, before + 2]);
});

test("each mutation of a batch has its own idempotency key, and one key for the batch is refused", async () => {
  const once = { ...comment("Once"), extensions: { idempotencyKey: "a-key-of-one-mutation" } };
  const { body } = await send([once, once]);
  expect(body[1]).toEqual({ ...body[0], extensions: { idempotency: { replayed: true } } });
  const { status } = await send([comment("Never")], { "idempotency-key": "a-key-of-all-mutations" });
  expect(status).toBe(400);
});

test("each operation of a batch has its own budget", async () => {
  // 51 lists of 1,000 rows: two of these have more than the 100,000 rows that one operation may have.
  const { admin, organization } = await world.organization();
  await world.insert((rows) => {
    for (let number = 0; number < 1000; number++) addTeam(rows, { organizationId: organization.id });
    return {};
  });
  const lists = (count: number) => {
    const fields = Array.from({ length: count }, (_, index) => `a${index}: teams(first: 1000) { nodes { id } }`);
    return { query: `{ organization(id: "${organization.id}") { ${fields.join(" ")} } }` };
  };
  const authorization = `Bearer ${admin.token}`;
  const [one, other, tooMuch] = (await send([lists(51), lists(51), lists(101)], { authorization })).body;
  expect([one?.errors, other?.errors]).toEqual([undefined, undefined]);
  expect(tooMuch).toMatchObject(refused("INVALID_INPUT"));
});

test.each([
  ["none", []],
  ["eleven", Array.from({ length: 11 }, () => ({ query: "{ __typename }" }))],
])("refuses %s as a batch", async (_name, batch) => {
  expect(await send(batch)).toMatchObject({ status: 400, body: refused("INVALID_INPUT") });
});

const lockTeams = 'lock table "Team" in access exclusive mode';

/** Sends a batch that waits for the teams, and disconnects when `count` of its statements wait in the database. */
async function leaveWhile(waiting: number, batch: readonly object[]): Promise<void> {
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold(lockTeams);
  const leaving = new AbortController();
  const sent = fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(batch),
    signal: leaving.signal,
  }).catch(() => "gone");
  await locks.waiters(waiting);
  leaving.abort();
  expect(await sent).toBe("gone");
  await untilNobodyWaits(app);
  await locks.release();
}

test("a disconnect cancels all operations of a batch and their statements", async () => {
  const teams = (name: string) => ({ query: `{ organizations { nodes { ${name}: teams { nodes { id } } } } }` });
  await leaveWhile(3, [teams("a"), teams("b"), teams("c")]);
});

test("on disconnect, runs only the queued operations that have an idempotency key", async () => {
  const marks = ["Never", "Ever"].map((word) => `${word} ${crypto.randomUUID()}`);
  const [never = "", ever = ""] = marks;
  const teams = { query: "{ organizations { nodes { teams { nodes { id } } } } }" };
  const keyed = { ...comment(ever), extensions: { idempotencyKey: crypto.randomUUID() } };
  await leaveWhile(1, [teams, comment(never), keyed]);
  const written = () => app.database.prisma.comment.findMany({ where: { markdown: { in: marks } } });
  await vi.waitFor(async () => expect((await written()).map(({ markdown }) => markdown)).toEqual([ever]), 20_000);
});

test("refuses a batch without a token", async () => {
  const answer = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([{ query: "{ __typename }" }]),
  });
  expect([answer.status, await answer.json()]).toMatchObject([401, refused("UNAUTHENTICATED")]);
});

test("batches are off by default, and the error says how to enable them", async () => {
  await using plain = await testApp({ beside: app });
  const { status, body } = await send([title], {}, plain.url);
  expect([status, body]).toMatchObject([400, refused("INVALID_INPUT")]);
  expect(JSON.stringify(body)).toContain("BATCHING=on");
});
