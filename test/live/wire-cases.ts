// The cases of the graphql-ws test suite that are visible on the wire: the messages that a client sends and receives.
// A case says why our server differs, if it does.
import { ask, subscribe } from "#test/live/messages.ts";
import type { NamedTest } from "#test/support/named-tests.ts";

/** A message sent or received, or the close; `nothing` expects no message before the pong of a ping. */
export type Step =
  | { readonly send: object | string }
  | { readonly receive: object }
  | { readonly nothing: true }
  | { readonly closed: { readonly code: number; readonly reason?: string } };

export interface WireCase {
  readonly what: string;
  readonly steps: readonly Step[];
  /** Why this differs from the server of graphql-ws. */
  readonly differs?: string;
}

/** A case that is tested elsewhere or not applicable. */
export interface OtherCase {
  readonly what: string;
  readonly test?: NamedTest;
  readonly reason?: string;
}

const init = (token: string): Step => ({ send: { type: "connection_init", payload: { token } } });
const acknowledged: Step = { receive: { type: "connection_ack" } };
const quiet: Step = { nothing: true };
const tooMany: Step = { closed: { code: 4429, reason: "Too many initialisation requests" } };
const badMessage: Step = { closed: { code: 4400, reason: "Invalid message received" } };

const query = "{ viewer { __typename } }";
const answer = (id: string): readonly Step[] => [
  { receive: { id, type: "next", payload: { data: { viewer: { __typename: "User" } } } } },
  { receive: { id, type: "complete" } },
];

const errorOf = (id: string, code: string): Step => ({
  receive: { id, type: "error", payload: [{ extensions: { code } }] },
});

/** Invalid messages, sent after the acknowledgement. */
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

const ofServer = "graphql-ws closes with 4500 for a server message; here it is an invalid message like any other";

/** Messages that only a server may send. */
const serverMessages: readonly object[] = [
  { type: "connection_ack" },
  { type: "connection_ack", payload: {} },
  { type: "next", id: "id", payload: { data: {} } },
  { type: "error", id: "id", payload: [{ message: "no" }] },
];

/** Accepted messages, after which the socket stays open. */
const taken = (spaceId: string): readonly WireCase[] =>
  (
    [
      [{ type: "ping" }, { receive: { type: "pong" } }],
      [{ type: "ping", payload: {} }, { receive: { type: "pong", payload: {} } }],
      [{ type: "ping", payload: null }, { receive: { type: "pong" } }],
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
    steps: [{ send: message }, ...steps, quiet],
  }));

/** Cases of a new socket. */
export const greetings = (token: string): readonly WireCase[] => [
  { what: "a token is acknowledged", steps: [init(token), acknowledged, quiet] },
  {
    what: "no payload of the greeting, null or an empty one",
    steps: [
      { send: { type: "connection_init", payload: null } },
      { closed: { code: 4403, reason: "A valid API token is required: send it as 'Authorization: Bearer <token>'." } },
    ],
    differs: "graphql-ws has no tokens, and says only Forbidden",
  },
  ...["", 0, [], true].map((payload) => ({
    what: `a payload of the greeting that is ${JSON.stringify(payload)}`,
    steps: [{ send: { type: "connection_init", payload } }, badMessage],
  })),
  {
    what: "a second greeting while the first one is looked at",
    steps: [init(token), init(token), tooMany],
  },
  {
    what: "a second connection_init after the acknowledgement",
    steps: [init(token), acknowledged, init(token), tooMany],
  },
  { what: "a ping before connection_init", steps: [{ send: { type: "ping" } }, { receive: { type: "pong" } }] },
  {
    what: "a ping with a payload before connection_init",
    steps: [
      { send: { type: "ping", payload: { i: "come back" } } },
      { receive: { type: "pong", payload: { i: "come back" } } },
    ],
  },
  { what: "an unsolicited pong", steps: [{ send: { type: "pong" } }, quiet, init(token), acknowledged] },
  {
    what: "an operation before connection_init",
    steps: [
      { send: ask("1", "subscription NoAck {}", { operationName: "NoAck", variables: {} }) },
      {
        closed: { code: 4401, reason: "Unauthorized" },
      },
    ],
  },
  {
    what: "complete for an unknown id before connection_init",
    steps: [{ send: { type: "complete", id: "1" } }, quiet, init(token), acknowledged],
  },
];

/** Cases of an acknowledged socket. */
export const operations = (token: string, spaceId: string): readonly WireCase[] => [
  { what: "a query is answered by next and complete", steps: [{ send: ask("1", query) }, ...answer("1"), quiet] },
  {
    what: "a document with several operations and an operationName",
    steps: [
      { send: ask("1", `query A ${query} query B { nothing: __typename }`, { operationName: "A" }) },
      ...answer("1"),
    ],
  },
  {
    what: "a document with several operations and no operationName",
    steps: [
      { send: ask("1", `query A ${query} query B ${query}`) },
      errorOf("1", "OPERATION_RESOLUTION_FAILURE"),
      quiet,
    ],
  },
  {
    what: "an unknown operationName",
    steps: [
      { send: ask("1", `query A ${query}`, { operationName: "C" }) },
      errorOf("1", "OPERATION_RESOLUTION_FAILURE"),
      quiet,
    ],
  },
  {
    what: "each unknown field is an error, and the socket stays open",
    steps: [
      { send: ask("1", "{\n  testNumber\n  testBoolean\n}") },
      {
        receive: {
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
    what: "an id is free again after complete and after an error",
    steps: [
      { send: ask("1", query) },
      ...answer("1"),
      { send: ask("1", "{") },
      errorOf("1", "GRAPHQL_PARSE_FAILED"),
      { send: ask("1", query) },
      ...answer("1"),
    ],
  },
  {
    what: "the id of an open stream",
    steps: [
      { send: subscribe("not-unique", spaceId) },
      { receive: { id: "not-unique", type: "next" } },
      { send: ask("not-unique", query) },
      { closed: { code: 4409, reason: "Subscriber for not-unique already exists" } },
    ],
  },
  {
    what: "the id of an operation that is being prepared",
    steps: [
      { send: ask("not-unique", query) },
      { send: ask("not-unique", query) },
      { closed: { code: 4409, reason: "Subscriber for not-unique already exists" } },
    ],
  },
  {
    what: "complete by the client is not answered",
    steps: [
      { send: subscribe("1", spaceId) },
      { receive: { id: "1", type: "next" } },
      { send: { id: "1", type: "complete" } },
      quiet,
    ],
  },
  {
    what: "complete twice and after the response",
    steps: [
      { send: ask("1", query) },
      ...answer("1"),
      { send: { id: "1", type: "complete" } },
      { send: { id: "1", type: "complete" } },
      quiet,
    ],
  },
  { what: "a second connection_init", steps: [init(token), tooMany] },
  ...taken(spaceId),
  ...noMessages.map((message) => ({
    what: `an invalid message: ${JSON.stringify(message)}`,
    steps: [{ send: JSON.stringify(message) }, badMessage],
  })),
  ...serverMessages.map((message) => ({
    what: `a server message from a client: ${JSON.stringify(message)}`,
    steps: [{ send: message }, badMessage],
    differs: ofServer,
  })),
];

const ofLibrary = "an option of the library for those who embed it, which nothing on the wire shows";

/** The other cases of graphql-ws. */
export const others: readonly OtherCase[] = [
  { what: "silence is closed with 4408", test: ["live/wire.test.ts", "a socket without a message closes with 4408"] },
  { what: "unsupported subprotocols", test: ["live/wire.test.ts", "closes with 4406 for the protocol %s alone"] },
  {
    what: "sockets close when the server stops",
    test: ["live/wire.test.ts", "by a stopping gateway uses 1001, also for silent sockets"],
  },
  {
    what: "pings are sent, and clients that do not answer are disconnected",
    test: ["live/wire.test.ts", "terminates a client that does not answer pings and keeps one that does"],
  },
  {
    what: "nothing is sent after complete",
    test: ["live/wire-operations.test.ts", "complete stops the messages of its operation only"],
  },
  {
    what: "a socket vanishes",
    test: ["live/wire.test.ts", "frees the slots of sockets that vanish: the full number can connect again"],
  },
  {
    what: "queries by an id",
    test: ["live/persisted-queries.test.ts", "persisted queries on a WebSocket"],
  },
  {
    what: "errors of callbacks, of the server and of the socket close with 4500 and their text",
    test: [
      "live/unread-answers.test.ts",
      "an operation that cannot be parsed gets its own error, and the socket stays open",
    ],
    reason: "an internal error ends its operation, not the socket, and its text is not sent",
  },
  { what: "limits of the text of such an error", reason: "the text is not sent" },
  { what: "an acknowledgement with a payload", reason: "docgraph sends no payload" },
  { what: "schema, context, roots, validate and execute of one's own", reason: ofLibrary },
  { what: "what onSubscribe, onNext, onError, onOperation and onComplete answer", reason: ofLibrary },
  { what: "other ways to write and read JSON", reason: ofLibrary },
  { what: "a live query", reason: "not supported: subscriptions deliver changes" },
  { what: "pings that are switched off", reason: "not possible: the socket of a vanished client would stay open" },
  { what: "request and socket handed to callbacks", reason: ofLibrary },
];
