// What OWASP's cheat sheets on GraphQL and on WebSockets advise: by which test each piece of advice is held, or why it
// is not followed. The words are ours: https://cheatsheetseries.owasp.org (GraphQL, WebSocket Security).
import type { NamedTest } from "#test/support/named-tests.ts";

export interface Advice {
  readonly sheet: "GraphQL" | "WebSocket";
  readonly advice: string;
  /** The tests that hold it, or the reason why there is none. */
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
  graphql("inputs have types, and what types do not say is checked", [
    "platform/naughty-strings.test.ts",
    "every naughty string was sent, and nearly all were returned",
  ]),
  graphql("refusals do not repeat much of what was sent", [
    "platform/hostile-documents.test.ts",
    "error messages do not echo long input",
  ]),
  graphql("input goes to SQL as parameters alone", [
    "platform/naughty-strings.test.ts",
    "every naughty string was sent, and nearly all were returned",
  ]),
  graphql("the server asks no address of a user's choice that is not public", [
    "net/safe-fetch.test.ts",
    "never connects to a forbidden address, given directly or by a redirect",
  ]),
  graphql("headers take no line that a user made", [
    "platform/downloads.test.ts",
    "encodes any file name in Content-Disposition without header injection",
  ]),
  graphql("what a user gives to be run reaches nothing of the server", [
    "sandbox/escapes.test.ts",
    "at least sixty distinct escape attempts are tested",
  ]),
  graphql("depth is limited", [
    "platform/hostile-documents.test.ts",
    "allow 50 levels of selections, fragments included, and not 51",
  ]),
  graphql("the amount asked for is limited", [
    "platform/budget.test.ts",
    "refuses more values than the budget at any depth",
  ]),
  graphql("lists are read in pages", [
    "platform/connections.test.ts",
    "a page has 50 rows by default and at most 1000",
  ]),
  graphql("operations have a time limit, down to the statement", [
    "platform/failure-isolation.test.ts",
    "makes a waiting mutation time out without writing anything",
  ]),
  graphql("costs are estimated before an operation runs, and limited", [
    "platform/cost.test.ts",
    "above the limit is refused before execution, on every transport, with both numbers",
  ]),
  graphql("requests of a user are limited by what they cost", [
    "platform/concurrent-operations.test.ts",
    "once used up, refuses operations until the minute ends, for all tokens of the user",
  ]),
  graphql("reads are gathered and kept within a request", [
    "platform/frontend-requests.test.ts",
    "costs the number of statements of the README, for small and large data",
  ]),
  graphql("memory and processors are limited", [
    "platform/caches.test.ts",
    "caches stay within their shares for any number of valid documents",
  ]),
  graphql("nobody reads or changes what they have no right to, by any id", [
    "access.test.ts",
    "returns the same error for a hidden and a missing object on every way to it",
  ]),
  graphql("rights hold on edges and on nodes alike", [
    "tenants.test.ts",
    "fields with arguments treat ids of other tenants as missing",
  ]),
  graphql("mutations check rights, too", [
    "support/access/permissions.ts",
    "every mutation that flags allow succeeds for some people and is refused for others",
  ]),
  graphql("`node` and `nodes` give nothing that the field of its type would not", [
    "access.test.ts",
    "every node type is in the access table or names another test",
  ]),
  graphql("introspection and GraphiQL are for those who may have them", [
    "platform/without-token.test.ts",
    "a field that needs a token is refused before it runs, and public fields are returned",
  ]),
  graphql("errors suggest no names in production", [
    "platform/request-checks.test.ts",
    "suggests no enum values for an invalid variable",
  ]),
  graphql("batches of requests are limited in number", [
    "platform/batches.test.ts",
    "batches are off by default, and the error says how to enable them",
  ]),
  graphql("of a batch each operation has its own limits", [
    "platform/batches.test.ts",
    "each operation of a batch has its own budget",
  ]),
  graphql("the same field by many aliases costs as often", [
    "platform/quotas.test.ts",
    "limits the spaces of an organization, also for many aliases in one request",
  ]),
  graphql("nobody guesses their way in by many attempts", [
    "features/sessions/sign-in-links.test.ts",
    "20 requests of a client are answered in 15 minutes, also when they come at once, and from one IPv6 /64",
  ]),
  graphql("errors tell no stack, and nothing of the database", [
    "platform/failure-isolation.test.ts",
    "internal errors",
  ]),
  graphql("only documents that the frontends have are taken, where that is wanted", [
    "platform/trusted-documents.test.ts",
    "in exclusive mode refuses all other documents, introspection included, but not /v1",
  ]),
  graphql("no other page has a browser send a mutation", [
    "platform/without-token.test.ts",
    "refuses forms and other bodies",
  ]),
  socket(
    "the transport is encrypted",
    "docgraph stands behind a balancer that ends TLS; it answers HSTS where PUBLIC_URL is https",
  ),
  socket("only RFC 6455 is spoken", [
    "live/wire-cases.test.ts",
    "missing from the request closes the socket with 4406",
  ]),
  socket("messages are not compressed", [
    "live/socket-frames.test.ts",
    "are made by the socket itself when compression is on",
  ]),
  socket("the origin is on a list", ["platform/request-checks.test.ts", "of another site does not get a WebSocket"]),
  socket("nobody gets in without a token", [
    "platform/websocket.test.ts",
    "closes a WebSocket without a valid token with 4403",
  ]),
  socket("a session that ends, ends its sockets", [
    "live/sign-outs.test.ts",
    "revoking a token ends its streams at both gateways but not streams of a session",
  ]),
  socket("a token that expires ends its sockets", [
    "live/transports.test.ts",
    "over $name, the expiry of the token ends an idle stream",
  ]),
  socket("rights are looked at for each operation", [
    "platform/websocket.test.ts",
    "a token revoked while its WebSocket is open loses its rights",
  ]),
  socket("rights are looked at for each message of a stream", [
    "live/rights.test.ts",
    "sends nothing more on any stream when %s",
  ]),
  socket("messages are checked, and wrong ones close the socket", [
    "live/wire-cases.test.ts",
    "before the acknowledgement",
  ]),
  socket("messages have a largest size", [
    "live/unread-answers.test.ts",
    "an operation that cannot be parsed gets its own error, and the socket stays open",
  ]),
  socket("operations of a socket are limited", [
    "live/unread-answers.test.ts",
    "runs ten operations of a socket at a time and stops reading while a hundred wait",
  ]),
  socket("streams of a user are limited", [
    "platform/request-checks.test.ts",
    "limits the SSE streams of a user; each that ends frees its slot",
  ]),
  socket("a client that does not read costs a bounded amount of memory", [
    "live/unread-answers.test.ts",
    "unread pongs stay near 1 MB, and all arrive in order",
  ]),
  socket("a client that is silent or gone is ended", [
    "live/unread-answers.test.ts",
    "disconnects a client that reads nothing for a long time",
  ]),
  socket("what is done on sockets is logged, by whom", [
    "platform/log-lines.test.ts",
    "logs a line for each operation on a WebSocket",
  ]),
  socket("logs have no tokens", [
    "platform/log-lines.test.ts",
    "without a valid token no user is logged, and an invalid token is not logged",
  ]),
  socket(
    "no other service goes through a socket",
    "graphql-transport-ws is the one subprotocol, and GraphQL all that it carries",
  ),
  socket(
    "tokens are renewed in long connections",
    "a socket lives as long as its token: the client connects anew with the next one, and goes on from its cursor",
  ),
];
