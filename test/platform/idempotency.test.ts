// Idempotency-Key: a retried mutation does not run again, whatever happened to the response, on every transport.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { sql } from "#src/db/connection/database.ts";
import { forgetIdempotencyKeys } from "#src/domain/idempotency.ts";
import { type Person } from "#test/features/members/factory.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";

const { app, world } = await useApp();
let editor: Person;
let other: Person;
let spaceId: string;

beforeAll(async () => {
  const scene = await world.space();
  [editor, other, spaceId] = [scene.editor, scene.admin, scene.space.id];
});

interface Answer {
  readonly status: number;
  readonly replayed: string | null;
  readonly body: {
    readonly data?: Record<string, Record<string, unknown> | null> | null;
    readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
    readonly error?: { readonly type: string; readonly message: string };
    readonly extensions?: object;
    readonly id?: string;
  };
}

interface Sent {
  readonly token?: string;
  readonly key?: string | undefined;
  readonly extensions?: object;
}

async function send(path: string, body: object, { token = editor.token, key }: Sent = {}): Promise<Answer> {
  const answer = await fetch(`${app.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
  const replayed = answer.headers.get("idempotency-replayed");
  return { status: answer.status, replayed, body: (await answer.json()) as Answer["body"] };
}

const document =
  "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id body { markdown } } } }";
const asked = (markdown: string) => ({
  query: document,
  variables: { input: { contentOf: { spaceId }, text: { markdown } } },
});
const post = (markdown: string, { extensions, ...sent }: Sent) =>
  send("/graphql", { ...asked(markdown), ...(extensions && { extensions }) }, sent);
const codeOf = ({ body }: Answer) => body.errors?.[0]?.extensions.code;

/** The number of comments with this text. */
async function count(markdown: string): Promise<number> {
  const query = "query ($id: ID!) { space(id: $id) { comments(first: 100) { nodes { body { markdown } } } } }";
  const { space } = await app
    .as(other.token)
    .query<{ space: { comments: { nodes: { body: { markdown: string } }[] } } }>(query, { id: spaceId });
  return space.comments.nodes.filter(({ body }) => body.markdown === markdown).length;
}

test("a mutation retried with its key runs once and returns the same response, marked as a replay", async () => {
  const key = randomUUID();
  const first = await post("Once", { key });
  expect([first.status, first.replayed, first.body.extensions]).toEqual([200, null, undefined]);
  for (const again of [key, `"${key}"`]) {
    const { status, replayed, body } = await post("Once", { key: again });
    expect([status, replayed]).toEqual([200, "true"]);
    expect(body).toEqual({ ...first.body, extensions: { idempotency: { replayed: true } } });
  }
  const byExtension = await post("Once", { extensions: { idempotencyKey: key } });
  expect([byExtension.replayed, byExtension.body.data]).toEqual(["true", first.body.data]);
  expect(await count("Once")).toBe(1);
});

test("a /v1 request retried with its key runs once and returns the same status and body", async () => {
  const key = randomUUID();
  const path = `/v1/spaces/${spaceId}/comments`;
  const body = { body: { markdown: "Once by REST" } };
  const [first, again] = [await send(path, body, { key }), await send(path, body, { key })];
  expect(again).toEqual({ ...first, replayed: "true" });
  expect(await count("Once by REST")).toBe(1);
  const remove = () =>
    fetch(`${app.url}${path}/${first.body.id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${editor.token}`, "idempotency-key": `${key}-removal` },
    });
  const removals = [await remove(), await remove()];
  expect(removals.map(({ status, headers }) => [status, headers.get("idempotency-replayed")])).toEqual([
    [removals[0]?.status, null],
    [removals[0]?.status, "true"],
  ]);
});

test("a mutation retried with its key on a socket runs once", async () => {
  const raw = await openKnown(app.url, editor.token);
  const key = randomUUID();
  const ask = async (id: string) => {
    raw.send({ id, type: "subscribe", payload: { ...asked("Once by socket"), extensions: { idempotencyKey: key } } });
    const { payload } = await raw.receive();
    expect(await raw.receive()).toMatchObject({ id, type: "complete" });
    return payload as Answer["body"];
  };
  const [first, again] = [await ask("1"), await ask("2")];
  expect(again).toEqual({ ...first, extensions: { idempotency: { replayed: true } } });
  raw.send({ id: "3", type: "subscribe", payload: { ...asked("Once"), extensions: { idempotencyKey: "short" } } });
  expect(await raw.receive()).toMatchObject({ type: "error", payload: [{ extensions: { code: "INVALID_INPUT" } }] });
  raw.socket.terminate();
  expect(await count("Once by socket")).toBe(1);
});

test("a key is bound to one request and one token", async () => {
  const key = randomUUID();
  await post("Mine", { key });
  const reused = await post("Something else", { key });
  expect(codeOf(reused)).toBe("IDEMPOTENCY_KEY_REUSED");
  const path = `/v1/spaces/${spaceId}/comments`;
  const byRest = await send(path, { body: { markdown: "Something else" } }, { key });
  expect([byRest.status, byRest.body.error?.type]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  expect(await count("Something else")).toBe(0);
  const theirs = await post("Mine", { key, token: other.token });
  expect([theirs.replayed, codeOf(theirs)]).toEqual([null, undefined]);
  expect(await count("Mine")).toBe(2);
});

test("of concurrent requests with one key one runs, and the others get CONFLICT or its response", async () => {
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 12 }, () => post("At once", { key })));
  expect(answers.filter(({ replayed, body }) => replayed === null && body.data?.["createComment"])).toHaveLength(1);
  for (const answer of answers) expect([undefined, "CONFLICT"]).toContain(codeOf(answer));
  expect(await count("At once")).toBe(1);
});

test("a refused mutation leaves its key unused", async () => {
  const key = randomUUID();
  expect(codeOf(await post("", { key }))).toBe("INVALID_INPUT");
  const again = await post("Right now", { key });
  expect([again.replayed, codeOf(again)]).toEqual([null, undefined]);
  const invalid = await send("/graphql", { query: "mutation { nothing }" }, { key: `${key}-2` });
  expect(codeOf(invalid)).toBe("GRAPHQL_VALIDATION_FAILED");
});

/** The state left by a gateway that ends during a run. */
const breakOff = (effect: "as it is" | "none" | "unknown") =>
  app.database.query(sql`update "IdempotencyKey" set answer = null, "leaseUntil" = now() - interval '1 second',
    "hasEffect" = ${effect !== "none"}, done = case when ${effect === "as it is"} then done end`);

test("after a crash a retry runs the mutation, or returns its result if it was committed", async () => {
  const key = randomUUID();
  await app.database.query(sql`delete from "IdempotencyKey"`);
  const first = await post("Broken off", { key });
  await breakOff("as it is");
  const again = await post("Broken off", { key });
  expect([again.replayed, again.body.data]).toEqual(["true", first.body.data]);
  expect(await post("Broken off", { key })).toEqual(again); // by its own answer now
  await breakOff("unknown"); // as the previous release left it
  const lost = await post("Broken off", { key });
  expect([codeOf(lost), lost.body.errors?.[0]?.message]).toEqual(["CONFLICT", expect.stringContaining("was executed")]);
  expect(await count("Broken off")).toBe(1);
  await breakOff("none");
  const anew = await post("Broken off", { key });
  expect([anew.replayed, codeOf(anew)]).toEqual([null, undefined]);
  expect(await count("Broken off")).toBe(2);
});

test("a payload that failed to be read is read again on retry", async () => {
  const key = randomUUID();
  const query =
    "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id reactions { emoji } } } }";
  const body = { query, variables: { input: { contentOf: { spaceId }, text: { markdown: "Read again" } } } };
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "Reaction" in access exclusive mode');
  const sending = send("/graphql", body, { key });
  await locks.waiters(1, '%"Reaction"%');
  await app.database.vital.query(sql`select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  expect(codeOf(await sending)).toBe("TIMEOUT");
  await locks.release();
  const again = await send("/graphql", body, { key });
  expect([again.status, again.replayed, codeOf(again)]).toEqual([200, "true", undefined]);
  expect(again.body.data?.["createComment"]?.["comment"]).toMatchObject({ reactions: [] });
  expect(await count("Read again")).toBe(1);
});

test("a retried document of several mutations resumes after the last committed one", async () => {
  const key = randomUUID();
  const create = "createComment(input: $input) { comment { id } }";
  const body = {
    query: `mutation ($input: CreateCommentInput!, $last: CreateCommentInput!) { one: ${create} two: ${create} three: createComment(input: $last) { comment { id } } }`,
    variables: {
      input: { contentOf: { spaceId }, text: { markdown: "Several" } },
      last: { contentOf: { spaceId }, text: { markdown: "" } },
    },
  };
  await app.database.query(sql`delete from "IdempotencyKey"`);
  const refused = await send("/graphql", body, { key });
  expect([codeOf(refused), refused.body.data]).toEqual(["INVALID_INPUT", null]); // the last of them is
  await breakOff("as it is");
  const again = await send("/graphql", body, { key });
  expect([codeOf(again), again.replayed]).toEqual(["INVALID_INPUT", "true"]);
  expect(await count("Several")).toBe(2);
});

test("a response too long to store is read again on retry", async () => {
  const key = randomUUID();
  const markdown = "Long ".repeat(1_900);
  const fields = Array.from({ length: 120 }, (_, index) => `a${index}: body { markdown }`).join(" ");
  const query = `mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id ${fields} } } }`;
  const body = { query, variables: { input: { contentOf: { spaceId }, text: { markdown } } } };
  await app.database.query(sql`delete from "IdempotencyKey"`);
  const first = await send("/graphql", body, { key });
  const early = await send("/graphql", body, { key });
  expect([first.status, codeOf(early)]).toEqual([200, undefined]);
  expect([early.replayed, early.body.data]).toEqual(["true", first.body.data]);
  expect(await count(markdown)).toBe(1);
});

test("a run whose key was taken over by another does not write", async () => {
  const key = randomUUID();
  await app.database.query(sql`delete from "IdempotencyKey"`);
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "Comment" in access exclusive mode');
  const slow = post("Overtaken", { key });
  await locks.waiters(1, '%"Comment"%');
  await app.database.vital.query(sql`update "IdempotencyKey" set lease = 'another'`);
  await locks.release();
  expect(codeOf(await slow)).toBe("CONFLICT");
  expect(await count("Overtaken")).toBe(0);
});

test("neither secrets of a response nor keys are stored in the database", async () => {
  const key = randomUUID();
  const query = 'mutation { createApiToken(input: { name: "Once" }) { token } }';
  const [first, again] = [await send("/graphql", { query }, { key }), await send("/graphql", { query }, { key })];
  const token = String(first.body.data?.["createApiToken"]?.["token"]);
  expect(token).toMatch(/^dg_/);
  expect(again.body.data).toEqual(first.body.data);
  const rows = await app.database.query<{ text: string }>(
    sql`select k::text || encode(coalesce(k.answer, ''), 'escape') as text from "IdempotencyKey" k`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { text } of rows) for (const secret of [token, key]) expect(text).not.toContain(secret);
});

test("files are compared by content", async () => {
  const key = randomUUID();
  const query = "mutation ($input: UploadFileInput!) { uploadFile(input: $input) { file { id } } }";
  const upload = async (text: string) => {
    const form = new FormData();
    form.set("operations", JSON.stringify({ query, variables: { input: { contentOf: { spaceId }, file: null } } }));
    form.set("map", JSON.stringify({ 0: ["variables.input.file"] }));
    form.set("0", new Blob([text]), "notes.txt");
    const headers = { authorization: `Bearer ${editor.token}`, "idempotency-key": key };
    return (await (
      await fetch(`${app.url}/graphql`, { method: "POST", headers, body: form })
    ).json()) as Answer["body"];
  };
  const [first, same, changed] = [await upload("One"), await upload("One"), await upload("Two")];
  expect(first.errors).toBeUndefined();
  expect(same.data).toEqual(first.data);
  expect(changed.errors?.[0]?.extensions.code).toBe("IDEMPOTENCY_KEY_REUSED");
});

test.each(["", "short", "x".repeat(256), "with a blank in the middle", "über-sechzehn-zeichen"])(
  "refuses an invalid key without running the mutation: %j",
  async (key) => {
    const answer = await post("Never", { extensions: { idempotencyKey: key } });
    expect(codeOf(answer)).toBe("INVALID_INPUT");
    expect(await count("Never")).toBe(0);
  },
);

test("a query ignores the key and runs again", async () => {
  const key = randomUUID();
  for (let times = 0; times < 2; times++) {
    const answer = await send("/graphql", { query: "{ viewer { id } }" }, { key });
    expect([answer.replayed, answer.body.data?.["viewer"]]).toEqual([null, { id: editor.id }]);
  }
});

test("keys expire after a day", async () => {
  const [old, fresh] = [randomUUID(), randomUUID()];
  await app.database.query(sql`delete from "IdempotencyKey"`);
  await post("Old", { key: old });
  await app.database.query(sql`update "IdempotencyKey" set "createdAt" = now() - interval '25 hours'`);
  await post("Fresh", { key: fresh });
  const { database } = app;
  const clock = { now: () => new Date() };
  await forgetIdempotencyKeys.run({ database, clock } as Parameters<typeof forgetIdempotencyKeys.run>[0]);
  expect((await post("Fresh", { key: fresh })).replayed).toBe("true");
  expect((await post("Old", { key: old })).replayed).toBeNull();
  expect(await count("Old")).toBe(2);
});
