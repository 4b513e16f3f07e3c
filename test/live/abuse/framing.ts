// Abuse of HTTP framing: responses that two parsers could frame differently, unsupported media types and charsets,
// host names, and long names that are echoed.
import Negotiator from "negotiator";
import { RawConnection } from "#test/support/raw-http.ts";
import { ask, asks, type Check, type Outcome, post, type Target } from "#test/live/abuse/target.ts";

const accepts = [
  "*/*",
  "application/json",
  "multipart/mixed",
  "text/event-stream",
  "text/html, application/json;q=0",
  "application/graphql-response+json;q=0.1, application/json",
  "text/csv",
  "*/*;q=0",
];

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** Parses the responses to requests with every Accept strictly, and reports the first invalid one. */
async function framed(target: Target, requests: readonly Sent[], token: string | null): Promise<Outcome> {
  let count = 0;
  for (const { method, path, body = "" } of requests)
    for (const accept of accepts) {
      using connection = new RawConnection(target.url);
      const bearer = token === null ? "" : `authorization: Bearer ${token}\r\n`;
      const described = body && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
      const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\naccept: ${accept}\r\n${bearer}${described}\r\n`;
      const wrong = await wrongIn(connection, { method, accept, bytes: head + body });
      if (wrong !== null) return { holds: false, evidence: `${method} ${path} (${accept}): ${wrong}` };
      count += 1;
    }
  return { holds: true, evidence: `${count} answers framed once, each of a type that was accepted` };
}

async function wrongIn(
  connection: RawConnection,
  { method, accept, bytes }: { method: string; accept: string; bytes: string },
): Promise<string | null> {
  try {
    const { status, headers } = await connection.ask(method, bytes);
    const type = headers.get("content-type") ?? "";
    const isTaken = new Negotiator({ headers: { accept } }).mediaType([type]) !== undefined;
    return status >= 500 || (status === 200 && !isTaken) ? `${status} as ${type}` : null;
  } catch (error) {
    return String(error);
  }
}

const inGraphql = (query: string): Sent => ({ method: "POST", path: "/graphql", body: JSON.stringify({ query }) });

const framings: readonly Check[] = [
  asks("fail", "one framing of GraphQL responses for any Accept", (target) => {
    const queries = ["{ viewer { id } }", "{ nothing }", "{", `{ space(id: "x") { id } }`];
    const byGet = { method: "GET", path: "/graphql?query=%7Bviewer%7Bid%7D%7D" };
    return framed(target, [...queries.map(inGraphql), byGet], target.token);
  }),
  asks("fail", "the same without a token", (target) => framed(target, [inGraphql("{ viewer { id } }")], null)),
  asks("weak", "one framing of /v1 responses and pages for any Accept", (target) => {
    const paths = ["/", "/v1/orgs", "/v1/none", "/sign-in", "/app/none", "/assets/site.css", "/none"];
    return framed(
      target,
      paths.flatMap((path) => ["GET", "HEAD"].map((method) => ({ method, path }))),
      target.token,
    );
  }),
];

const bodies: readonly Check[] = [
  asks("fail", "bodies in charsets other than UTF-8", async (target) => {
    const statuses: number[] = [];
    for (const [path, type] of [
      ["/graphql", "application/json"],
      [`/v1/spaces/${target.spaceId}/comments`, "application/json"],
      ["/sign-in", "application/x-www-form-urlencoded"],
    ] as const)
      for (const charset of ["utf-16", '"latin1"']) {
        const headers = { "content-type": `${type}; charset=${charset}`, authorization: `Bearer ${target.token}` };
        statuses.push((await ask(`${target.url}${path}`, { method: "POST", headers, body: "{}" })).status);
      }
    return { holds: statuses.every((status) => status === 415), evidence: statuses.join(", ") };
  }),
];

const long = "k".repeat(900_000);

const messages: readonly Check[] = [
  asks("fail", "a key of 900 KB in a /v1 body, and a value of 900 KB in a variable", async (target) => {
    const rest = await ask(`${target.url}/v1/spaces/${target.spaceId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json", authorization: `Bearer ${target.token}` },
      body: JSON.stringify({ [long]: 1 }),
    });
    const graphql = await post(target, "query ($first: Int) { organizations(first: $first) { nodes { id } } }", {
      variables: { first: long },
    });
    const lengths = [rest, graphql].map(({ text }) => text.length);
    return { holds: lengths.every((length) => length < 2_000), evidence: `${lengths.join(" and ")} characters back` };
  }),
  asks("weak", "an Accept of 15 KB", async (target) => {
    const headers = { accept: "a/b,".repeat(3_700), authorization: `Bearer ${target.token}` };
    const { status, text } = await ask(`${target.url}/v1/orgs`, { headers });
    return { holds: status === 406 && text.length < 1_000, evidence: `${status}, ${text.length} characters back` };
  }),
];

export const framingChecks: readonly Check[] = [...framings, ...bodies, ...messages];
