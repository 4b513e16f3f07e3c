// Every combination of route, method and Accept, as bytes on keep-alive connections: each response has one framing, its
// correct length, no duplicate header, and an accepted type or 406. At the small size each route and operation gets a
// third of the values of Accept.
import Negotiator from "negotiator";
import { expect, test } from "vitest";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { textFile, uploadAs } from "#test/features/content/uploads.ts";
import { exampleCertificate } from "#test/features/saml/example-certificate.ts";
import { useApp } from "#test/support/app.ts";
import { inTurn } from "#test/support/runs.ts";
import { bytesOf, type RawAnswer, RawConnection, type RawRequest as Sent, rawAnswer } from "#test/support/raw-http.ts";

const { app, world } = await useApp({ takesBatches: true });
const { admin, reader, space, organization } = await world.space();
const provider = await world.insert((rows) =>
  addSamlProvider(rows, {
    organizationId: organization.id,
    entityID: "https://idp.example.com/metadata",
    ssoURL: "https://idp.example.com/sso",
    certificate: exampleCertificate,
  }),
);
const contentOf = { spaceId: space.id };
const { file } = await uploadAs(app.as(admin.token), { contentOf, file: textFile() });
const download = new URL(file.downloadURL).pathname;

const accepts = [
  undefined,
  "*/*",
  "application/json",
  "application/graphql-response+json, application/json;q=0.9",
  "application/graphql-response+json;q=0.1, application/json",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "text/html, application/json;q=0",
  "text/event-stream",
  "multipart/mixed",
  'multipart/mixed;boundary="graphql";subscriptionSpec="1.0", application/json;q=0.5',
  "multipart/mixed;deferSpec=20220824, application/json",
  "application/*;q=0.5, text/*",
  "text/csv",
  "*/*;q=0",
  "",
];
/** No Accept, and the other values that have their turn. */
const acceptsOf = (turn: number) => [undefined, ...inTurn(accepts.slice(1), turn % 3, 3)];
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Whether a client accepts a type. */
const takes = (accept: string | undefined, type: string): boolean =>
  new Negotiator({ headers: accept === undefined ? {} : { accept } }).mediaType([type]) !== undefined;

/** Sends all requests one after the other, and returns the problems of the responses. */
async function wrongs(
  requests: readonly Sent[],
  check: (sent: Sent, answer: RawAnswer) => string | false,
): Promise<string[]> {
  const wrong: string[] = [];
  let connection = new RawConnection(app.url);
  for (const sent of requests) {
    const what = `${sent.method} ${sent.path.slice(0, 60)} ${sent.body?.slice(0, 60) ?? ""} (${sent.accept})`;
    let isOver = sent.mostChunks !== undefined;
    try {
      const answer = await connection.ask(sent.method, bytesOf(sent), sent);
      isOver ||= answer.headers.get("connection") === "close";
      const found = check(sent, answer);
      if (found) wrong.push(`${what}: ${found}`);
    } catch (error) {
      wrong.push(`${what}: ${String(error)}`);
      isOver = true;
    }
    if (!isOver) continue;
    connection[Symbol.dispose]();
    connection = new RawConnection(app.url);
  }
  connection[Symbol.dispose]();
  return wrong;
}

/** The expected response to a request that is valid except for its Accept. */
function misnegotiated({ accept }: Sent, { status, headers }: RawAnswer, types: readonly string[]): string | false {
  const type = headers.get("content-type") ?? "";
  if (status === 406) return types.some((known) => takes(accept, known)) && `406, though there is ${types.join()}`;
  if (status === 200 && !takes(accept, type)) return `200 as ${type}`;
  return false;
}

const authorization = `Bearer ${reader.token}`;

test("every route and method sends one correctly framed response of an accepted type", async () => {
  const below: Readonly<Record<string, readonly string[]>> = {
    "/v1/": [
      "/v1/orgs",
      "/v1/openapi.json",
      `/v1/spaces/${space.id}`,
      "/v1/spaces/none",
      "/v1/orgs?limit=x",
      "/v1/none",
    ],
    "/files/": [download, "/files/none"],
    "/openapi/": ["/openapi/none/openapi.json"],
    "/integrations/": ["/integrations/none/images/none", "/integrations/none/ins_none/x"],
    "/saml/": [
      `/saml/${provider.id}/metadata`,
      `/saml/${provider.id}/start`,
      `/saml/${provider.id}/acs`,
      "/saml/none/start",
    ],
    "/app/": [`/app/spaces/${space.id}`, "/app/none"],
    "/published/": [`/published/${space.id}`, "/published/none"],
    "/reference/graphql/": ["/reference/graphql/Space", "/reference/graphql/None"],
    "/assets/": ["/assets/site.css", "/assets/who.js", "/assets/none.js"],
  };
  const paths = app.places.flatMap((place) =>
    place.length > 1 && place.endsWith("/") ? (below[place] ?? [`no path for ${place}`]) : place,
  );
  const usual = new Map<string, string>();
  const requests = [...paths, "/none", "/v1/orgs/"].flatMap((path, turn) =>
    acceptsOf(turn).flatMap((accept, index) =>
      methods
        .filter((method) => method === "GET" || index % 5 === 2) // the others differ by little
        .map((method) => ({ method, path, accept, headers: { authorization } })),
    ),
  );
  const checked = await wrongs(requests, (sent, answer) => {
    const type = answer.headers.get("content-type") ?? "";
    if (answer.status >= 500 && answer.status !== 503) return `${answer.status}`;
    if (sent.accept === undefined && sent.method === "GET" && answer.status !== 405) usual.set(sent.path, type);
    // Health checks ignore Accept; GraphQL is below.
    if (/^\/(healthz|readyz|graphql|auth|v1\/orgs\/$)/.test(sent.path)) return false;
    const known = [
      usual.get(sent.path) ?? "",
      ...(sent.path.endsWith("/metadata") ? ["text/xml", "application/xml"] : []),
      "text/plain",
    ];
    return misnegotiated(sent, answer, sent.path === "/README.md" ? known : known.slice(0, -1));
  });
  expect(checked).toEqual([]);
});

const query = "{ viewer { id } }";
const deferred = `{ space(id: "${space.id}") { id ... @defer { title } } }`;
const subscription = `subscription { commentEvents(of: { spaceId: "${space.id}" }) { __typename } }`;
const mutation = `mutation { createComment(input: { contentOf: { spaceId: "${space.id}" }, text: { markdown: "x" } }) { __typename } }`;
const [json, response, events, mixed] = [
  "application/json; charset=utf-8",
  "application/graphql-response+json; charset=utf-8",
  "text/event-stream; charset=utf-8",
  'multipart/mixed; boundary="graphql"; deferSpec=20220824',
];
const whole = [json, response, events, mixed];

/** Requests to /graphql, their response types, and whether they are refused. */
const operations: readonly { readonly value: unknown; readonly types: readonly string[]; readonly isBad?: boolean }[] =
  [
    { value: { query }, types: whole },
    { value: { query: deferred }, types: whole },
    { value: { query: mutation }, types: whole, isBad: true },
    { value: [{ query }, { query }], types: [json, response] },
    { value: { query: "{ nothing }" }, types: whole, isBad: true },
    { value: { query: "{" }, types: whole, isBad: true },
    { value: { query: `{ space(id: "x") { id } }` }, types: whole },
    { value: { query: `{ viewer { ${"id ".repeat(2000)} } }` }, types: whole, isBad: true },
    { value: { quary: 1 }, types: whole, isBad: true },
    { value: "no object", types: whole, isBad: true },
    { value: { documentId: "unknown" }, types: whole, isBad: true },
    { value: { query, variables: [] }, types: whole, isBad: true },
  ];

test("GraphQL sends one correctly framed response of the preferred accepted type", async () => {
  const post = (value: unknown, accept: string | undefined, headers = {}): Sent => ({
    method: "POST",
    path: "/graphql",
    accept,
    headers: { authorization, ...headers },
    body: JSON.stringify(value),
  });
  const get = (value: unknown, accept: string | undefined): Sent => ({
    method: "GET",
    path: `/graphql?${new URLSearchParams(value as Record<string, string>).toString()}`,
    accept,
    headers: { authorization },
  });
  for (const [turn, { value, types, isBad = false }] of operations.entries()) {
    const isList = Array.isArray(value) || typeof value !== "object";
    const requests = acceptsOf(turn).flatMap((accept) => [
      post(value, accept),
      post(value, accept, { authorization: "Bearer dg_wrong" }),
      ...(isList ? [] : [get(value, accept)]),
    ]);
    const checked = await wrongs(requests, (sent, answer) => {
      if (answer.status >= 500) return `${answer.status}`;
      if (sent.method === "GET" && !/\baccept\b/.test(answer.headers.get("vary")?.replace("accept-encoding", "") ?? ""))
        return "no Vary: Accept";
      const pages = sent.method === "GET" ? ["text/html"] : [];
      return (
        !isBad && sent.headers?.["authorization"] === authorization && misnegotiated(sent, answer, [...types, ...pages])
      );
    });
    expect(checked).toEqual([]);
  }
  const bytes = [
    post({ query }, "*/*", { "content-type": "text/plain" }),
    post({ query }, "*/*", { "content-encoding": "gzip" }),
  ];
  expect(await wrongs(bytes, (_sent, { status }) => status !== 415 && `${status}`)).toEqual([]);
});

test("a subscription is streamed to clients that accept a stream; others get 406", async () => {
  const parts = 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"';
  const requests = accepts.flatMap((accept): Sent[] => {
    const isStream = [events, parts].some((type) => takes(accept, type));
    const end = isStream ? { mostChunks: 1 } : {};
    const path = `/graphql?query=${encodeURIComponent(subscription)}`;
    const isPage = takes(accept, "text/html") && accept?.startsWith("text/html");
    return [
      {
        method: "POST",
        path: "/graphql",
        accept,
        headers: { authorization },
        body: JSON.stringify({ query: subscription }),
        ...end,
      },
      ...(isPage ? [] : [{ method: "GET", path, accept, headers: { authorization }, ...end }]),
    ];
  });
  const checked = await wrongs(
    requests,
    (sent, answer) =>
      misnegotiated(sent, answer, [events, parts]) ||
      (answer.status !== 406 && answer.status !== 200 && `${answer.status}`),
  );
  expect(checked).toEqual([]);
});

test.each([
  ["application/graphql-response+json;q=0.1, application/json", query, json],
  ["application/graphql-response+json, application/json;q=0.9", query, response],
  ["application/json, application/graphql-response+json", query, response],
  ["application/*", query, json],
  ["application/json;q=0.2, application/graphql-response+json;q=0.1, */*;q=0.9", query, json],
  ["text/event-stream", query, "text/event-stream"],
  ["multipart/mixed", query, 'multipart/mixed; boundary="-"'],
  ["text/html, application/json;q=0", query, 406],
  ["application/json;q=0", query, 406],
  ["application/json; charset=latin1", query, 406],
  [`${"a/b,".repeat(200)}application/json`, query, 406],
  ["application/json, text/event-stream, multipart/mixed", deferred, mixed],
  ["multipart/mixed;q=0.1, application/json", deferred, json],
  ["multipart/mixed, application/json;q=0.1", deferred, mixed],
  ["application/json, */*", deferred, json],
])("Accept: %s for %s returns %s", async (accept, asked, expected) => {
  using connection = new RawConnection(app.url);
  const body = JSON.stringify({ query: asked });
  const answer = await connection.ask(
    "POST",
    bytesOf({ method: "POST", path: "/graphql", accept, headers: { authorization }, body }),
  );
  expect(answer.status === 200 ? answer.headers.get("content-type") : answer.status).toBe(expected);
});

test.each([
  ["a browser", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html"],
  ["a program that would take a page, too", "application/json, text/html;q=0.5", "application/json"],
  ["a program that takes anything", "application/json, text/plain, */*", "application/json"],
])("GET /graphql with Accept %s returns the preferred type", async (_who, accept, expected) => {
  using connection = new RawConnection(app.url);
  const path = `/graphql?query=${encodeURIComponent(query)}`;
  const answer = await connection.ask("GET", bytesOf({ method: "GET", path, accept, headers: { authorization } }));
  expect(answer.headers.get("content-type")?.split(";")[0]).toBe(expected);
});

const multipart = (operationsType: string) =>
  `--b\r\ncontent-disposition: form-data; name="operations"\r\n${operationsType}\r\n${JSON.stringify({ query, variables: {} })}\r\n` +
  `--b\r\ncontent-disposition: form-data; name="map"\r\n\r\n{}\r\n--b--\r\n`;

test("a body with a charset other than UTF-8 gets 415 on every route", async () => {
  const places: readonly (Pick<Sent, "method" | "path" | "body"> & { readonly type: string; readonly ok: number })[] = [
    { method: "POST", path: "/graphql", body: JSON.stringify({ query }), type: "application/json", ok: 200 },
    { method: "POST", path: "/graphql", body: multipart(""), type: "multipart/form-data; boundary=b", ok: 200 },
    { method: "PATCH", path: `/v1/spaces/${space.id}`, body: "{}", type: "application/json", ok: 403 },
    { method: "POST", path: "/sign-in", body: "email=x", type: "application/x-www-form-urlencoded", ok: 503 },
    { method: "POST", path: "/sign-in/link", body: "secret=x", type: "application/x-www-form-urlencoded", ok: 403 },
    { method: "POST", path: "/invitations", body: "answer=x", type: "application/x-www-form-urlencoded", ok: 403 },
    {
      method: "POST",
      path: `/saml/${provider.id}/acs`,
      body: "SAMLResponse=x",
      type: "application/x-www-form-urlencoded",
      ok: 400,
    },
    {
      method: "POST",
      path: `/saml/${provider.id}/logout`,
      body: "a=x",
      type: "application/x-www-form-urlencoded",
      ok: 400,
    },
  ];
  const charsets: readonly (readonly [string, boolean])[] = [
    ["", true],
    ["; charset=utf-8", true],
    ['; Charset="UTF-8"', true],
    ["; charset=utf-16", false],
    ["; charset=latin1", false],
    ['; x="; charset=utf-8"; charset="iso-8859-1"', false],
  ];
  for (const [charset, isSupported] of charsets) {
    const sent = places.map(({ type, ok, ...request }) => ({
      ...request,
      ok,
      headers: { authorization, "content-type": `${type}${charset}` },
    }));
    const due = new Map(
      sent.map((request) => [`${request.path} ${request.headers["content-type"]}`, isSupported ? request.ok : 415]),
    );
    const checked = await wrongs(sent, (request, { status, body }) => {
      const expected = due.get(`${request.path} ${request.headers?.["content-type"]}`);
      return status !== expected && `${status} and not ${expected}: ${body.toString("utf8", 0, 200)}`;
    });
    expect(checked, charset).toEqual([]);
  }
  const type = "multipart/form-data; boundary=b";
  const parts = [`content-type: application/json; charset=utf-16\r\n`].map((head) => ({
    method: "POST",
    path: "/graphql",
    body: multipart(head),
    headers: { authorization, "content-type": type },
  }));
  expect(await wrongs(parts, (_sent, { status }) => status !== 415 && `${status}`)).toEqual([]);
});

test.each([
  ["no request", "GARBAGE\r\n\r\n", 400],
  ["two lengths", "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", 400],
  [
    "both framings",
    "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
    400,
  ],
  ["long headers", `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(20_000)}\r\n\r\n`, 431],
])("a malformed request gets a correctly framed response: %s", async (_name, bytes, status) => {
  const text = await rawAnswer(app.url, bytes);
  const [, code, head = "", body = ""] = /^HTTP\/1\.1 (\d{3}) [\w ]+\r\n(.*?)\r\n\r\n(.*)$/s.exec(text) ?? [];
  expect(Number(code)).toBe(status);
  const lengths = head.split("\r\n").filter((line) => /^content-length:/i.test(line));
  expect(lengths).toEqual([`content-length: ${Buffer.byteLength(body)}`]);
  expect(head).not.toMatch(/transfer-encoding/i);
});
