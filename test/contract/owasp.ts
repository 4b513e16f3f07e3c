// The advice of OWASP's cheat sheets on GraphQL and on WebSockets, each with the tests that cover it, or why it is not
// followed, in our own words: https://cheatsheetseries.owasp.org (GraphQL, WebSocket Security).
import type { NamedTest } from "#test/support/named-tests.ts";

export interface Advice {
  readonly sheet: "GraphQL" | "WebSocket";
  readonly advice: string;
  /** The tests that cover it, or the reason for having none. */
  readonly held: readonly NamedTest[] | string;
}

const graphql = (advice: string, ...held: [string] | NamedTest[]): Advice => of("GraphQL", advice, held);
const socket = (advice: string, ...held: [string] | NamedTest[]): Advice => of("WebSocket", advice, held);

function of(sheet: Advice["sheet"], advice: string, held: readonly (string | NamedTest)[]): Advice {
  const [first] = held;
  if (typeof first === "string") return { sheet, advice, held: first };
  return { sheet, advice, held: held.filter((one) => typeof one !== "string") };
}

export const owaspAdvice: readonly Advice[] = [
  graphql("inputs are typed and validated", [
    "platform/naughty-strings.test.ts",
    "every naughty string was sent, and nearly all were returned",
  ]),
  graphql("errors do not echo long input", [
    "platform/hostile-documents.test.ts",
    "error messages do not echo long input",
  ]),
  graphql("input is passed to SQL only as parameters", [
    "platform/naughty-strings.test.ts",
    "every naughty string was sent, and nearly all were returned",
  ]),
  graphql("the server sends requests to public addresses only (SSRF)", [
    "net/safe-fetch.test.ts",
    "never connects to a forbidden address, given directly or by a redirect",
  ]),
  graphql("headers cannot be injected", [
    "platform/downloads.test.ts",
    "encodes any file name in Content-Disposition without header injection",
  ]),
  graphql("code of users is isolated from the server", [
    "sandbox/escapes.test.ts",
    "at least sixty distinct escape attempts are tested",
  ]),
  graphql("the depth of documents is limited", [
    "platform/hostile-documents.test.ts",
    "allow 50 levels of selections, fragments included, and not 51",
  ]),
  graphql("the amount of data of a request is limited", [
    "platform/budget.test.ts",
    "refuses more values than the budget at any depth",
  ]),
  graphql("lists are paginated", ["platform/connections.test.ts", "a page has 50 rows by default and at most 1000"]),
  graphql("operations have a time limit, down to the statement", [
    "platform/failure-isolation.test.ts",
    "makes a waiting mutation time out without writing anything",
  ]),
  graphql("the cost of an operation is estimated and limited before it runs", [
    "platform/cost.test.ts",
    "above the limit is refused before execution, on every transport, with both numbers",
  ]),
  graphql("requests of a user are rate-limited by cost", [
    "platform/concurrent-operations.test.ts",
    "once used up, refuses operations until the minute ends, for all tokens of the user",
  ]),
  graphql("reads are batched and cached within a request", [
    "platform/frontend-requests.test.ts",
    "costs the number of statements in queries.md, for few rows and for many",
  ]),
  graphql("memory and CPU are limited", [
    "platform/caches.test.ts",
    "caches stay within their shares for any number of valid documents",
  ]),
  graphql("access is checked for every id", [
    "access.test.ts",
    "returns 401 without a token on every way to an object",
  ]),
  graphql("rights apply to edges and to nodes", [
    "tenants.test.ts",
    "fields with arguments treat ids of other tenants as missing",
  ]),
  graphql("mutations check access", [
    "support/access/permissions.ts",
    "every mutation that flags allow succeeds for some people and is refused for others",
  ]),
  graphql("`node` and `nodes` check access like the other fields", [
    "access.test.ts",
    "every node type is in the access table or names another test",
  ]),
  graphql("introspection and GraphiQL are restricted", [
    "platform/without-token.test.ts",
    "a field that needs a token is refused before it runs, and public fields are returned",
  ]),
  graphql("errors suggest no names in production", [
    "platform/request-checks.test.ts",
    "suggests no enum values for an invalid variable",
  ]),
  graphql("the number of operations of a batch is limited", [
    "platform/batches.test.ts",
    "batches are off by default, and the error says how to enable them",
  ]),
  graphql("limits apply to each operation of a batch", [
    "platform/batches.test.ts",
    "each operation of a batch has its own budget",
  ]),
  graphql("a field counts for each of its aliases", [
    "platform/quotas.test.ts",
    "limits the spaces of an organization, also for many aliases in one request",
  ]),
  graphql("sign-in is protected against brute force", [
    "features/sessions/sign-in-links.test.ts",
    "20 requests of a client are answered in 15 minutes, also when they come at once, and from one IPv6 /64",
  ]),
  graphql("errors contain neither stack traces nor details of the database", [
    "platform/failure-isolation.test.ts",
    "internal errors",
  ]),
  graphql("documents can be restricted to an allow list", [
    "platform/trusted-documents.test.ts",
    "in exclusive mode refuses all other documents, introspection included, but not /v1",
  ]),
  graphql("mutations are protected against CSRF", ["platform/without-token.test.ts", "refuses forms and other bodies"]),
  socket(
    "the transport is encrypted",
    "docgraph runs behind a load balancer that terminates TLS; it sends HSTS if PUBLIC_URL is https",
  ),
  socket("only RFC 6455 is supported", [
    "live/wire-cases.test.ts",
    "missing from the request closes the socket with 4406",
  ]),
  socket("messages are not compressed", [
    "live/socket-frames.test.ts",
    "are made by the socket itself when compression is on",
  ]),
  socket("the Origin is checked against an allow list", [
    "platform/request-checks.test.ts",
    "of another site does not get a WebSocket",
  ]),
  socket("connections are authenticated", [
    "platform/websocket.test.ts",
    "closes a WebSocket without a valid token with 4403",
  ]),
  socket("the end of a session closes its sockets", [
    "live/sign-outs.test.ts",
    "revoking a token ends its streams at both gateways but not streams of a session",
  ]),
  socket("the expiry of a token ends its streams", [
    "live/transports.test.ts",
    "over $name, the expiry of the token ends an idle stream",
  ]),
  socket("rights are checked for each operation", [
    "platform/websocket.test.ts",
    "a token revoked while its WebSocket is open loses its rights",
  ]),
  socket("rights are checked for each message of a stream", [
    "live/rights.test.ts",
    "sends nothing more on any stream when %s",
  ]),
  socket("messages are validated, and invalid ones close the socket", [
    "live/wire-cases.test.ts",
    "before the acknowledgement",
  ]),
  socket("the size of messages is limited", [
    "live/unread-answers.test.ts",
    "an operation that cannot be parsed gets its own error, and the socket stays open",
  ]),
  socket("the number of operations of a socket is limited", [
    "live/unread-answers.test.ts",
    "runs ten operations of a socket at a time and stops reading while a hundred wait",
  ]),
  socket("the number of streams of a user is limited", [
    "platform/request-checks.test.ts",
    "limits the SSE streams of a user; each that ends frees its slot",
  ]),
  socket("a client that does not read costs a bounded amount of memory", [
    "live/unread-answers.test.ts",
    "unread pongs stay near 1 MB, and all arrive in order",
  ]),
  socket("silent and vanished clients are disconnected", [
    "live/unread-answers.test.ts",
    "disconnects a client that reads nothing for a long time",
  ]),
  socket("operations on sockets are logged with their user", [
    "platform/log-lines.test.ts",
    "logs a line for each operation on a WebSocket",
  ]),
  socket("logs contain no tokens", [
    "platform/log-lines.test.ts",
    "without a valid token no user is logged, and an invalid token is not logged",
  ]),
  socket(
    "no other protocol is tunnelled through a socket",
    "graphql-transport-ws is the only subprotocol, and it carries only GraphQL",
  ),
  socket(
    "tokens are renewed in long connections",
    "a socket lives as long as its token: the client reconnects with a new token and resumes from its cursor",
  ),
];
