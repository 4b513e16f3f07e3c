// The cases of the test-suite of graphql-ws that can be seen on the wire, in words of ours: what a client sends, and
// what it hears until the end. Where its server does something else than ours, the case says why.
import { ask, subscribe } from "#test/live/messages.ts";
import type { NamedTest } from "#test/support/named-tests.ts";

/** What a client says, hears, or sees as the end; `nothing` is heard until the answer to a ping. */
export type Step =
  | { readonly say: object | string }
  | { readonly hear: object }
  | { readonly nothing: true }
  | { readonly closed: { readonly code: number; readonly reason?: string } };

export interface WireCase {
  readonly what: string;
  readonly steps: readonly Step[];
  /** Why this is not what the server of graphql-ws does. */
  readonly differs?: string;
}

/** A case that is held elsewhere, or that is none of ours. */
export interface OtherCase {
  readonly what: string;
  readonly test?: NamedTest;
  readonly reason?: string;
}

const init = (token: string): Step => ({ say: { type: "connection_init", payload: { token } } });
const acknowledged: Step = { hear: { type: "connection_ack" } };
const quiet: Step = { nothing: true };
const tooMany: Step = { closed: { code: 4429, reason: "Too many initialisation requests" } };
const badMessage: Step = { closed: { code: 4400, reason: "Invalid message received" } };

const query = "{ viewer { __typename } }";
const answer = (id: string): readonly Step[] => [
  { hear: { id, type: "next", payload: { data: { viewer: { __typename: "User" } } } } },
  { hear: { id, type: "complete" } },
];

const errorOf = (id: string, code: string): Step => ({
  hear: { id, type: "error", payload: [{ extensions: { code } }] },
});

/** Messages that are none, by what is wrong with them: sent behind the acknowledgement. */
const noMessages: readonly unknown[] = [
  {},
  "",
  [],
  0,
  9,
  null,
  { type: "" },
  { type: null },
  { type: 0 },
  { type: "nuxt" },
  { type: "ping", payload: 0 },
  { type: "ping", payload: "" },
  { type: "pong", payload: [] },
  { type: "subscribe" },
  { type: "subscribe", id: 0 },
  { type: "subscribe", id: "" },
  { type: "subscribe", id: "id" },
  { type: "subscribe", id: "id", payload: [] },
  { type: "subscribe", id: "id", payload: "" },
  { type: "subscribe", id: "id", payload: null },
  { type: "subscribe", id: "id", payload: {} },
  { type: "subscribe", id: "id", payload: { query: 0 } },
  { type: "subscribe", id: "id", payload: { query: {} } },
  { type: "subscribe", id: "id", payload: { query, operationName: 0 } },
  { type: "subscribe", id: "id", payload: { query, operationName: {} } },
  { type: "subscribe", id: "id", payload: { query, variables: "" } },
  { type: "subscribe", id: "id", payload: { query, variables: [] } },
  { type: "subscribe", id: "id", payload: { query, extensions: "" } },
  { type: "subscribe", id: "id", payload: { query, extensions: 0 } },
  { type: "connection_ack", payload: "" },
  { type: "next" },
  { type: "next", id: "" },
  { type: "next", id: "id" },
  { type: "next", id: "id", payload: "" },
  { type: "error" },
  { type: "error", id: "" },
  { type: "error", id: "id" },
  { type: "error", id: "id", payload: {} },
  { type: "error", id: "id", payload: [] },
  { type: "error", id: "id", payload: [{ iam: "invalid" }] },
  { type: "complete" },
  { type: "complete", id: "" },
  { type: "complete", id: 0 },
];

const ofServer = "graphql-ws closes with 4500 what only a server may say; here it is a bad message like any other";

/** Messages that only a server may say. */
const serverMessages: readonly object[] = [
  { type: "connection_ack" },
  { type: "connection_ack", payload: {} },
  { type: "next", id: "id", payload: { data: {} } },
  { type: "error", id: "id", payload: [{ message: "no" }] },
];

/** Messages that are taken, whatever comes of them: the socket stays. */
const taken = (spaceId: string): readonly WireCase[] =>
  (
    [
      [{ type: "ping" }, { hear: { type: "pong" } }],
      [{ type: "ping", payload: {} }, { hear: { type: "pong", payload: {} } }],
      [{ type: "ping", payload: null }, { hear: { type: "pong" } }],
      [{ type: "pong" }, quiet],
      [{ type: "pong", payload: {} }, quiet],
      [{ type: "pong", payload: null }, quiet],
      [{ type: "complete", id: "unknown" }, quiet],
      [ask("1", ""), errorOf("1", "GRAPHQL_PARSE_FAILED")],
      [ask("1", query, { operationName: null, variables: null, extensions: null }), ...answer("1")],
      [ask("1", query, { variables: {}, extensions: {} }), ...answer("1")],
      [ask("1", query, { unknown: [spaceId] }), ...answer("1")],
    ] satisfies (readonly [object, ...Step[]])[]
  ).map(([message, ...steps]) => ({
    what: `a message that is taken: ${JSON.stringify(message)}`,
    steps: [{ say: message }, ...steps, quiet],
  }));

/** Cases of a socket that has said nothing yet. */
export const greetings = (token: string): readonly WireCase[] => [
  { what: "a token is acknowledged", steps: [init(token), acknowledged, quiet] },
  {
    what: "no payload of the greeting, null or an empty one",
    steps: [
      { say: { type: "connection_init", payload: null } },
      { closed: { code: 4403, reason: "A valid API token is required: send it as 'Authorization: Bearer <token>'." } },
    ],
    differs: "graphql-ws has no tokens, and says only Forbidden",
  },
  ...["", 0, [], true].map((payload) => ({
    what: `a payload of the greeting that is ${JSON.stringify(payload)}`,
    steps: [{ say: { type: "connection_init", payload } }, badMessage],
  })),
  {
    what: "a second greeting while the first one is looked at",
    steps: [init(token), init(token), tooMany],
  },
  { what: "a second greeting behind the acknowledgement", steps: [init(token), acknowledged, init(token), tooMany] },
  { what: "a ping before the greeting", steps: [{ say: { type: "ping" } }, { hear: { type: "pong" } }] },
  {
    what: "a ping before the greeting, with a payload",
    steps: [
      { say: { type: "ping", payload: { i: "come back" } } },
      { hear: { type: "pong", payload: { i: "come back" } } },
    ],
  },
  { what: "a pong that nobody asked for", steps: [{ say: { type: "pong" } }, quiet, init(token), acknowledged] },
  {
    what: "an operation before the greeting",
    steps: [
      { say: ask("1", "subscription NoAck {}", { operationName: "NoAck", variables: {} }) },
      {
        closed: { code: 4401, reason: "Unauthorized" },
      },
    ],
  },
  {
    what: "complete before the greeting, of what nobody asked",
    steps: [{ say: { type: "complete", id: "1" } }, quiet, init(token), acknowledged],
  },
];

/** Cases of a socket that has been acknowledged. */
export const operations = (token: string, spaceId: string): readonly WireCase[] => [
  { what: "a query is answered by next and complete", steps: [{ say: ask("1", query) }, ...answer("1"), quiet] },
  {
    what: "a document has several operations, and one is named",
    steps: [
      { say: ask("1", `query A ${query} query B { nothing: __typename }`, { operationName: "A" }) },
      ...answer("1"),
    ],
  },
  {
    what: "a document has several operations, and none is named",
    steps: [
      { say: ask("1", `query A ${query} query B ${query}`) },
      errorOf("1", "OPERATION_RESOLUTION_FAILURE"),
      quiet,
    ],
  },
  {
    what: "the operation that is named is not there",
    steps: [
      { say: ask("1", `query A ${query}`, { operationName: "C" }) },
      errorOf("1", "OPERATION_RESOLUTION_FAILURE"),
      quiet,
    ],
  },
  {
    what: "fields that are not there are told each, and the socket stays",
    steps: [
      { say: ask("1", "{\n  testNumber\n  testBoolean\n}") },
      {
        hear: {
          id: "1",
          type: "error",
          payload: [
            { message: 'Cannot query field "testNumber" on type "Query".', locations: [{ line: 2, column: 3 }] },
            { message: 'Cannot query field "testBoolean" on type "Query".', locations: [{ line: 3, column: 3 }] },
          ],
        },
      },
      quiet,
    ],
  },
  {
    what: "an id is free again behind complete, and behind an error",
    steps: [
      { say: ask("1", query) },
      ...answer("1"),
      { say: ask("1", "{") },
      errorOf("1", "GRAPHQL_PARSE_FAILED"),
      { say: ask("1", query) },
      ...answer("1"),
    ],
  },
  {
    what: "the id of a stream that is open",
    steps: [
      { say: subscribe("not-unique", spaceId) },
      { hear: { id: "not-unique", type: "next" } },
      { say: ask("not-unique", query) },
      { closed: { code: 4409, reason: "Subscriber for not-unique already exists" } },
    ],
  },
  {
    what: "the id of an operation that is being prepared",
    steps: [
      { say: ask("not-unique", query) },
      { say: ask("not-unique", query) },
      { closed: { code: 4409, reason: "Subscriber for not-unique already exists" } },
    ],
  },
  {
    what: "complete by the client is not answered",
    steps: [
      { say: subscribe("1", spaceId) },
      { hear: { id: "1", type: "next" } },
      { say: { id: "1", type: "complete" } },
      quiet,
    ],
  },
  {
    what: "complete twice, and behind the answer",
    steps: [
      { say: ask("1", query) },
      ...answer("1"),
      { say: { id: "1", type: "complete" } },
      { say: { id: "1", type: "complete" } },
      quiet,
    ],
  },
  { what: "a greeting once more", steps: [init(token), tooMany] },
  ...taken(spaceId),
  ...noMessages.map((message) => ({
    what: `what is no message: ${JSON.stringify(message)}`,
    steps: [{ say: JSON.stringify(message) }, badMessage],
  })),
  ...serverMessages.map((message) => ({
    what: `what only a server says: ${JSON.stringify(message)}`,
    steps: [{ say: message }, badMessage],
    differs: ofServer,
  })),
];

const ofLibrary = "an option of the library for those who embed it, which nothing on the wire shows";

/** The other cases of graphql-ws. */
export const others: readonly OtherCase[] = [
  { what: "silence is closed with 4408", test: ["live/wire.test.ts", "silence is closed with 4408"] },
  { what: "subprotocols that are none", test: ["live/wire.test.ts", "is closed with 4406 for the protocol"] },
  { what: "sockets go with the server", test: ["live/wire.test.ts", "of the gateway closes with 1001"] },
  {
    what: "pings are sent, and who answers none is ended",
    test: ["live/wire.test.ts", "a client that answers no ping"],
  },
  { what: "nothing is sent after complete", test: ["live/wire-operations.test.ts", "nothing is sent after complete"] },
  { what: "a socket vanishes", test: ["live/wire.test.ts", "of sockets that vanish leaves nothing behind"] },
  {
    what: "queries by an id",
    test: ["live/persisted-queries.test.ts", "on a WebSocket"],
  },
  {
    what: "errors of callbacks, of the server and of the socket close with 4500 and their text",
    test: ["live/unread-answers.test.ts", "an operation that cannot even be read is an error of its own"],
    reason: "an error of ours ends its operation, not the socket, and its text is told to nobody",
  },
  { what: "limits of the text of such an error", reason: "it is told to nobody" },
  { what: "an acknowledgement with a payload", reason: "there is nothing to tell: it has none" },
  { what: "schema, context, roots, validate and execute of one's own", reason: ofLibrary },
  { what: "what onSubscribe, onNext, onError, onOperation and onComplete answer", reason: ofLibrary },
  { what: "other ways to write and read JSON", reason: ofLibrary },
  { what: "a live query", reason: "there are none: subscriptions tell of changes" },
  { what: "pings that are switched off", reason: "they cannot be: a socket whose client is gone would stay" },
  { what: "request and socket handed to callbacks", reason: ofLibrary },
];
