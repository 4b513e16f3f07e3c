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
    "all of them were used, and nearly all were read",
  ]),
  graphql("refusals do not repeat much of what was sent", [
    "platform/hostile-documents.test.ts",
    "what a caller has sent is not repeated at length",
  ]),
  graphql("input goes to SQL as parameters alone", [
    "platform/naughty-strings.test.ts",
    "all of them were used, and nearly all were read",
  ]),
  graphql("the server asks no address of a user's choice that is not public", [
    "net/safe-fetch.test.ts",
    "no hostile address is asked, neither given nor by a redirect",
  ]),
  graphql("headers take no line that a user made", [
    "platform/downloads.test.ts",
    "names it in any language, and no name gets out of its header",
  ]),
  graphql("what a user gives to be run reaches nothing of the server", [
    "sandbox/escapes.test.ts",
    "the attempts are at least sixty, and each is its own",
  ]),
  graphql("depth is limited", [
    "platform/hostile-documents.test.ts",
    "let 50 levels of selections pass, with fragments written out, and no more",
  ]),
  graphql("the amount asked for is limited", ["platform/budget.test.ts", "are refused beyond the budget, wherever"]),
  graphql("lists are read in pages", [
    "platform/connections.test.ts",
    "50 rows when no size is given, and 1000 at most",
  ]),
  graphql("operations have a time limit, down to the statement", [
    "platform/trouble.test.ts",
    "ends the operation that waits for it with its time, and nothing of it is written",
  ]),
  graphql("costs are estimated before an operation runs, and limited", [
    "platform/cost.test.ts",
    "beyond the setting is refused before anything runs, on every way in, and says both numbers",
  ]),
  graphql("requests of a user are limited by what they cost", [
    "platform/operations-at-a-time.test.ts",
    "that are spent have the next operation refused until the minute is over, for all tokens of the user",
  ]),
  graphql("reads are gathered and kept within a request", [
    "platform/frontend-requests.test.ts",
    "costs the number of statements in queries.md, for few rows and for many",
  ]),
  graphql("memory and processors are limited", [
    "platform/caches.test.ts",
    "hold no more than their shares, however many documents come, each within all limits",
  ]),
  graphql("nobody reads or changes what they have no right to, by any id", [
    "access.test.ts",
    "nobody gets in by any way",
  ]),
  graphql("rights hold on edges and on nodes alike", ["tenants.test.ts", "fields with arguments"]),
  graphql("mutations check rights, too", [
    "support/access/permissions.ts",
    "each deed that flags allow was done by some and refused to others",
  ]),
  graphql("`node` and `nodes` give nothing that the field of its type would not", [
    "access.test.ts",
    "every node is in the table, or tested elsewhere",
  ]),
  graphql("introspection and GraphiQL are for those who may have them", [
    "platform/without-token.test.ts",
    "what is closed says so before it does anything, beside what is open",
  ]),
  graphql("errors suggest no names in production", [
    "platform/doors.test.ts",
    "names nothing that is like a variable's value either",
  ]),
  graphql("batches of requests are limited in number", ["platform/batches.test.ts", "nobody takes them by default"]),
  graphql("of a batch each operation has its own limits", ["platform/batches.test.ts", "each has a budget of its own"]),
  graphql("the same field by many aliases costs as often", [
    "platform/quotas.test.ts",
    "spaces of an organization are at most so many, by aliases as by requests",
  ]),
  graphql("nobody guesses their way in by many attempts", [
    "features/sessions/sign-in-links.test.ts",
    "20 requests of a client are answered in 15 minutes, also when they come at once, and from one IPv6 /64",
  ]),
  graphql("errors tell no stack, and nothing of the database", [
    "platform/trouble.test.ts",
    "what is answered instead of an error",
  ]),
  graphql("only documents that the frontends have are taken, where that is wanted", [
    "platform/trusted-documents.test.ts",
    "no others refuses everything else, also what asks for the schema, and leaves /v1 as it is",
  ]),
  graphql("no other page has a browser send a mutation", [
    "platform/without-token.test.ts",
    "reads no forms and no other bodies",
  ]),
  socket(
    "the transport is encrypted",
    "docgraph stands behind a balancer that ends TLS; it answers HSTS where PUBLIC_URL is https",
  ),
  socket("only RFC 6455 is spoken", ["live/wire-cases.test.ts", "that nobody asked for is closed with 4406"]),
  socket("messages are not compressed", [
    "live/socket-frames.test.ts",
    "with compression the socket itself makes the frames",
  ]),
  socket("the origin is on a list", ["platform/doors.test.ts", "of another place gets no socket"]),
  socket("nobody gets in without a token", [
    "platform/websocket.test.ts",
    "refuses a socket without a valid token with 4403",
  ]),
  socket("a session that ends, ends its sockets", [
    "live/sign-outs.test.ts",
    "revoking a token ends its streams at both gateways, and not those of a session",
  ]),
  socket("a token that expires ends its sockets", [
    "live/transports.test.ts",
    "a token that expires ends it, without anything happening",
  ]),
  socket("rights are looked at for each operation", [
    "platform/websocket.test.ts",
    "a token revoked while the socket is open ends its rights",
  ]),
  socket("rights are looked at for each message of a stream", [
    "live/rights.test.ts",
    "when %s, nothing more is sent of anything",
  ]),
  socket("messages are checked, and wrong ones close the socket", [
    "live/wire-cases.test.ts",
    "before the acknowledgement",
  ]),
  socket("messages have a largest size", ["live/unread-answers.test.ts", "an operation that cannot even be read"]),
  socket("operations of a socket are limited", [
    "live/unread-answers.test.ts",
    "operations run ten at a time, and nothing is read while a hundred wait",
  ]),
  socket("streams of a user are limited", [
    "platform/doors.test.ts",
    "a user has so many streams of server-sent events, and each that ends makes room",
  ]),
  socket("a client that does not read costs a bounded amount of memory", [
    "live/unread-answers.test.ts",
    "pongs: they are added to 1 MB one by one, and all come in their order",
  ]),
  socket("a client that is silent or gone is ended", [
    "live/unread-answers.test.ts",
    "a client that reads nothing for long is ended",
  ]),
  socket("what is done on sockets is logged, by whom", [
    "platform/log-lines.test.ts",
    "operations on a WebSocket have a line each",
  ]),
  socket("logs have no tokens", [
    "platform/log-lines.test.ts",
    "without a good token nobody is named, and the text of a bad one is not told",
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
