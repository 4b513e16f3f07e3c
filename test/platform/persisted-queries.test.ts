// Automatic persisted queries, as in Apollo Client, urql and others, for every kind of operation.
import { hash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { openEventStream } from "#test/live/event-stream.ts";
import { useApp } from "#test/support/app.ts";

// On its own database: checks which documents the application has stored.
const { app, world } = await useApp({ own: true });
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});

interface Answer {
  readonly status: number;
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

const read = async (answer: Response): Promise<Answer> => ({
  status: answer.status,
  ...((await answer.json()) as Omit<Answer, "status">),
});
const headers = () => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
const post = async (body: object, given = headers()) =>
  read(await fetch(`${app.url}/graphql`, { method: "POST", headers: given, body: JSON.stringify(body) }));
const get = async (parameters: Record<string, string>) =>
  read(await fetch(`${app.url}/graphql?${new URLSearchParams(parameters)}`, { headers: headers() }));
const persisted = (query: string) => ({ persistedQuery: { version: 1, sha256Hash: hash("sha256", query) } });

const notFound = {
  status: 200,
  errors: [{ message: "PersistedQueryNotFound", extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } }],
};

test("an unknown hash is accepted after it was sent once with its document", async () => {
  const query = "query Own($id: ID!) { space(id: $id) { id } }";
  const [extensions, variables] = [persisted(query), { id: spaceId }];
  const data = { space: { id: spaceId } };
  expect(await post({ extensions, variables })).toEqual(notFound);
  expect(await get({ extensions: JSON.stringify(extensions), variables: JSON.stringify(variables) })).toEqual(notFound);
  expect(await post({ query, extensions, variables })).toEqual({ status: 200, data });
  expect(await post({ extensions, variables })).toEqual({ status: 200, data });
  expect(await post({ extensions, variables, operationName: "Own" })).toEqual({ status: 200, data });
  expect(await get({ extensions: JSON.stringify(extensions), variables: JSON.stringify(variables) })).toEqual({
    status: 200,
    data,
  });
  const { errors } = await post({ extensions, variables: { id: 7.5 } });
  expect(errors).toHaveLength(1); // not PERSISTED_QUERY_NOT_FOUND
});

test("stores a document sent by GET, and runs any of its operations", async () => {
  const query = "query One { viewer { id } } query Two { __typename }";
  const extensions = JSON.stringify(persisted(query));
  const two = { status: 200, data: { __typename: "Query" } };
  expect(await get({ query, extensions, operationName: "Two" })).toEqual(two);
  expect(await get({ extensions, operationName: "Two" })).toEqual(two);
});

test("runs a mutation by its hash only for POST", async () => {
  const query = `mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { body { markdown } } } }`;
  const variables = { input: { contentOf: { spaceId }, text: { markdown: "By its hash" } } };
  const data = { createComment: { comment: { body: { markdown: "By its hash" } } } };
  for (const sent of [{ query }, {}])
    expect(await post({ ...sent, extensions: persisted(query), variables })).toEqual({ status: 200, data });
  const parameters = { extensions: JSON.stringify(persisted(query)), variables: JSON.stringify(variables) };
  expect(await get(parameters)).toMatchObject({ status: 405 });
});

test("starts a subscription by its hash", async () => {
  const query = `subscription { commentEvents(of: { spaceId: "${spaceId}" }) { __typename } }`;
  for (const sent of [{ query }, {}]) {
    const stream = await openEventStream(`${app.url}/graphql`, {
      method: "POST",
      headers: { ...headers(), accept: "text/event-stream" },
      body: JSON.stringify({ ...sent, extensions: persisted(query) }),
    });
    expect((await stream.next())?.data).toContain("Ready");
    await stream.close();
  }
});

test("refuses and does not store a document with a wrong hash", async () => {
  const [query, other] = ["{ viewer { email } }", "{ viewer { displayName } }"];
  const { errors } = await post({ query, extensions: persisted(other) });
  expect(errors).toEqual([
    { message: expect.stringContaining("SHA-256") as string, extensions: { code: "BAD_REQUEST" } },
  ]);
  for (const text of [query, other]) expect(await post({ extensions: persisted(text) })).toEqual(notFound);
});

test("does not store an invalid document", async () => {
  const query = "{ nothing }";
  const { errors } = await post({ query, extensions: persisted(query) });
  expect(errors?.[0]?.extensions.code).toBe("GRAPHQL_VALIDATION_FAILED");
  expect(await post({ extensions: persisted(query) })).toEqual(notFound);
});

test.each([
  ["another version", { version: 2, sha256Hash: "0".repeat(64) }],
  ["no version", { sha256Hash: "0".repeat(64) }],
  ["no hash", { version: 1 }],
  ["a hash that is not a string", { version: 1, sha256Hash: 7 }],
  ["a text", "hash"],
  ["a list", ["hash"]],
])("%s makes clients send the document as usual", async (_name, persistedQuery) => {
  for (const sent of [{}, { query: "{ __typename }" }]) {
    const { errors } = await post({ ...sent, extensions: { persistedQuery } });
    expect(errors).toEqual([
      { message: "PersistedQueryNotSupported", extensions: { code: "PERSISTED_QUERY_NOT_SUPPORTED" } },
    ]);
  }
});

test.each(["", "0", "f".repeat(63), "F".repeat(64), "../../etc/passwd", "\u0000", "x".repeat(100_000)])(
  "an unknown hash is not found: %j",
  async (sha256Hash) => {
    expect(await post({ extensions: { persistedQuery: { version: 1, sha256Hash } } })).toEqual(notFound);
  },
);

test("a hash without a token has the rights of its document without a token", async () => {
  const query = "{ viewer { id displayName } }";
  await post({ query, extensions: persisted(query) });
  const given = { "content-type": "application/json" } as ReturnType<typeof headers>;
  expect(await post({ extensions: persisted(query) }, given)).toMatchObject({
    status: 401,
    errors: [{ extensions: { code: "UNAUTHENTICATED" } }],
  });
});

test("a request without document and hash says that one is required", async () => {
  for (const body of [{}, { extensions: {} }, { extensions: { persistedQuery: null } }]) {
    const { errors } = await post(body);
    expect(errors?.[0]?.extensions.code).toBe("BAD_REQUEST");
  }
});
