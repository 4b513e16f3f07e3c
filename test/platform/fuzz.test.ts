// Random and mutated values in every input of a client: each parameter of each route, each header, each scalar
// argument. None causes an internal error, and no message echoes long input. Runs are the same every time:
// `SEED=7 RUNS=50 npm test -- test/platform/fuzz.test.ts` makes others. At the small size a query parameter gets one of
// two kinds of values, and a header each value in requests to one of four routes.
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { describeEndpoints } from "#src/rest/description/openapi.ts";
import { makeEndpoint } from "#src/rest/endpoint.ts";
import { schema } from "#src/schema.ts";
import { type ContractOperation, OpenApi } from "#test/contract/contract.ts";
import { bodyOn, idsOn, pathOf, makeContractFixture, type ContractFixture } from "#test/contract/requests.ts";
import { keepDocument, smallDocument } from "#test/features/openapi/factory.ts";
import { leaveSpecsAlone } from "#test/features/openapi/processing.ts";
import { testApp } from "#test/support/app.ts";
import { send } from "#test/support/client.ts";
import { lenientExecutor, sharedExecutor } from "#test/support/executors.ts";
import { FuzzDocuments } from "#test/support/fuzz-documents.ts";
import { fuzzJson, fuzzText, longText } from "#test/support/fuzz-values.ts";
import { readIds } from "#test/support/known-values.ts";
import { makeRandom } from "#test/support/random.ts";
import { RawConnection } from "#test/support/raw-http.ts";
import { inTurn, isFullSize, runs, someOf } from "#test/support/runs.ts";
import { allFields, type Step } from "#test/support/schema-paths.ts";
import { times } from "#test/support/world.ts";

const rounds = runs(1, 1);
const random = makeRandom(Number(process.env["SEED"] ?? 20_261_126));
const timeout = 600_000 * rounds;

const bugs: string[] = [];
const log = pino({ level: "error" }, { write: (line: string) => void bugs.push(line.slice(0, 1500)) });
const app = await testApp({ log, executor: lenientExecutor(), filesCheckMs: 3_600_000 });
afterAll(() => app.close());

const routes = features.flatMap((feature) => feature.routes);
const operations = new OpenApi(
  describeEndpoints(routes.map((route) => makeEndpoint(sharedExecutor, route))),
).operations();

let fixture: ContractFixture;
let documents: FuzzDocuments;

beforeAll(async () => {
  await keepDocument(app.files, smallDocument);
  await leaveSpecsAlone(app);
  fixture = await makeContractFixture(app.database);
  const known = Object.values(fixture).flatMap((thing) =>
    typeof thing === "string" ? [thing] : "id" in thing ? [String(thing.id)] : [],
  );
  const ids = await readIds(app.database, known);
  documents = new FuzzDocuments(schema, random, (kind) => ids.get(kind)?.[0]);
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The number of responses by status. */
const tally = new Map<number, number>();

async function answerTo({ method, path, headers = {}, body }: Sent): Promise<Answer> {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const { status, text } = await send(`${app.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${fixture.admin.token}`, ...type, ...headers },
    ...(body !== undefined && { body }),
  });
  tally.set(status, (tally.get(status) ?? 0) + 1);
  return { status, text };
}

/** The problem of a response; null if it is fine. */
function wrongIn({ method, path, headers = {}, body }: Sent, { status, text }: Answer): string | null {
  const what = `${method} ${path.slice(0, 300)} ${body?.slice(0, 600) ?? ""} ${JSON.stringify(headers).slice(0, 300)}`;
  if (status === 500 || /"(code|type)":"INTERNAL"/.test(text)) return `${what}: ${text.slice(0, 600)}`;
  const isRepeated = repeats(path === "/graphql" ? messagesIn(text) : status >= 400 ? text : "");
  return isRepeated ? `${what} is repeated: ${text.slice(0, 400)}` : null;
}

/** The messages of GraphQL errors. Paths are excluded: they contain aliases of the client. */
function messagesIn(text: string): string {
  try {
    const { errors = [] } = JSON.parse(text) as { errors?: { message: string; extensions?: object }[] };
    return JSON.stringify(errors.map(({ message, extensions }) => [message, extensions]));
  } catch {
    return text;
  }
}

/** Whether a text contains more than 100 characters of the long input. */
const repeats = (text: string): boolean => [...text.matchAll(/(?:Zq7[ /]?)+/g)].some(([run]) => run.length > 102);

/** Sends requests, some at once. */
async function wrongs(requests: readonly Sent[]): Promise<string[]> {
  const wrong: string[] = [];
  for (let start = 0; start < requests.length; start += 8) {
    const some = requests.slice(start, start + 8);
    const found = await Promise.all(some.map(async (request) => wrongIn(request, await answerTo(request))));
    wrong.push(...found.filter((text) => text !== null));
  }
  return [...wrong, ...bugs.splice(0)];
}

/** Variants of a body with one other value each, and one with an unknown property. */
function variantsOf(value: unknown): unknown[] {
  const others = [fuzzJson(random, value)];
  if (typeof value !== "object" || value === null) return others;
  if (Array.isArray(value))
    return [...others, ...value.flatMap((item, index) => variantsOf(item).map((other) => value.with(index, other)))];
  const inside = Object.entries(value).flatMap(([name, one]) =>
    variantsOf(one).map((other) => ({ ...value, [name]: other })),
  );
  return [...others, ...inside, { ...value, [fuzzText(random)]: 1 }, { ...value, [longText]: fuzzText(random) }];
}

/** Every tenth variant of a body; bad-requests.test.ts violates each property. */
const partOf = (variants: unknown[]): unknown[] => someOf(variants);

/** Requests to an operation, each with one invalid value. */
function requestsTo(operation: ContractOperation): Sent[] {
  const { method, parameters } = operation;
  const ids = idsOn(fixture, operation);
  const path = pathOf(operation, ids);
  const valid = bodyOn(fixture, operation);
  const body = valid && { body: JSON.stringify(valid) };
  const query = parameters.filter((parameter) => parameter.in === "query");
  const required = (but: string) =>
    query.filter(({ name, required: isNeeded }) => isNeeded && name !== but).map(({ name }) => `${name}=x`);
  const ofPath = Object.keys(ids).filter((name) => operation.path.includes(`{${name}}`));
  const ask = (at: string, more: readonly string[]) => `${at}${more.length > 0 ? `?${more.join("&")}` : ""}`;
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll(/^\.+$/g, "%2e");
  return [
    ...ofPath.map((name) => {
      const other = encoded(fuzzText(random, ids[name])) || "%20";
      return { method, path: ask(pathOf(operation, { ...ids, [name]: other }), required("")), ...body };
    }),
    ...query.flatMap(({ name }) => {
      const malformed = random.pick(["%zz", "%", "%ff", "a&b", ""]);
      const values = [encoded(fuzzText(random, "10")), `${malformed}&${name}=x`];
      return inTurn(values, random.below(2)).map((value) => ({
        method,
        path: ask(path, [...required(name), `${name}=${value}`]),
        ...body,
      }));
    }),
    {
      method,
      path: ask(path, [...required(""), `${longText}=${longText}`]),
      ...(body && { body: `{"${longText}": 1}` }),
    },
    ...(valid
      ? partOf(variantsOf(valid)).map((other) => ({
          method,
          path: ask(path, required("")),
          body: JSON.stringify(other),
        }))
      : []),
  ];
}

/** Deleting operations come last, so that the objects exist for the others. */
const byDamage = (name: string): number =>
  Number(/^(delete|remove|leave|revoke|rotate|transfer|uninstall|move|update|set|signOut|end)/i.test(name));

test("no fuzzed parameter or body of a route returns 500", { timeout }, async () => {
  expect(operations.length).toBeGreaterThan(140);
  const ordered = operations.toSorted((one, other) => byDamage(one.operationId) - byDamage(other.operationId));
  const wrong: string[] = [];
  for (const operation of times(rounds, () => ordered).flat()) {
    const valid = pathOf(operation, idsOn(fixture, operation));
    const isHarmless = ({ path }: Sent) => operation.method !== "DELETE" || !path.startsWith(valid);
    wrong.push(...(await wrongs(requestsTo(operation).filter(isHarmless))));
  }
  expect(wrong).toEqual([]);
  console.info([...tally].map(([status, count]) => `${count} times ${status}`).join(", "));
  expect((tally.get(200) ?? 0) + (tally.get(204) ?? 0)).toBeGreaterThan(50);
});

const headers =
  "accept accept-encoding authorization content-encoding content-length content-type cookie cost expect host idempotency-key if-match if-modified-since if-none-match if-range last-event-id origin range referer sec-fetch-site traceparent tracestate transfer-encoding user-agent x-docgraph-consistency x-docgraph-csrf x-forwarded-for x-request-id x-visitor-token".split(
    " ",
  );

test("no fuzzed header returns 500 or is echoed at length", { timeout }, async () => {
  const body = JSON.stringify({ query: "{ viewer { id } }" });
  const wrong: string[] = [];
  const targets = [
    ["POST", "/graphql"],
    ["GET", "/v1/orgs"],
    ["POST", `/v1/spaces/${fixture.space.id}/comments`],
    ["GET", "/sign-in"],
  ] as const;
  for (const [turn, name] of times(rounds, () => headers)
    .flat()
    .entries())
    for (const [index, value] of [
      longText,
      fuzzText(random, "bytes=0-1"),
      fuzzText(random, 'W/"x", utf-8;q=1'),
    ].entries())
      for (const [method, path] of inTurn(targets, (turn + index) % 4, 4)) {
        using connection = new RawConnection(app.url);
        const written = value.replaceAll(/[^\x20-\x7e\x80-\xff]/g, "");
        const own =
          method === "GET" || name === "transfer-encoding"
            ? ""
            : `content-length: ${name === "content-length" ? "" : body.length}\r\n`;
        const described = method === "GET" ? "" : name === "content-type" ? "" : "content-type: application/json\r\n";
        const lines = `host: localhost\r\nauthorization: Bearer ${fixture.admin.token}\r\nconnection: close\r\n${described}${own}`;
        const kept = lines.replace(new RegExp(`^${name}:.*\r\n`, "im"), "");
        try {
          const {
            status,
            body: answer,
            headers: got,
          } = await connection.ask(
            method,
            `${method} ${path} HTTP/1.1\r\n${kept}${name}: ${written}\r\n\r\n${method === "GET" ? "" : body}`,
          );
          const text = `${answer.toString()} ${[...got.values()].join(" ")}`;
          if (status === 500 || /"(code|type)":"INTERNAL"/.test(text) || repeats(text))
            wrong.push(`${name}: ${written.slice(0, 100)} to ${path}: ${status} ${text.slice(0, 300)}`);
        } catch (error) {
          if (!/closed in the middle/.test(String(error))) wrong.push(`${name}: ${written}: ${String(error)}`);
        }
      }
  expect([...wrong, ...bugs.splice(0)]).toEqual([]);
});

test("no fuzzed path or query of a page, file or public URL returns 500", { timeout }, async () => {
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
  const requests = times(rounds, () => app.places)
    .flat()
    .flatMap((place) => {
      const isOpen = place.endsWith("/") && place !== "/";
      const paths = isOpen
        ? times(
            6,
            () => `${place}${encoded(fuzzText(random, fixture.space.id))}/${encoded(fuzzText(random, "openapi.json"))}`,
          )
        : times(
            2,
            () => `${place}?${encoded(fuzzText(random, "query"))}=${encoded(fuzzText(random, "{ viewer { id } }"))}`,
          );
      return [...paths, `${place}${isOpen ? longText : ""}?${longText}`, `${place}/${longText}/`].map((path) => ({
        method: "GET",
        path,
        headers: { authorization: "" },
      }));
    });
  expect(await wrongs(requests)).toEqual([]);
});

/** The number of positions in one request. */
const atOnce = 16;

/**
 * Queries a field with a value at each position in turn. If one value refuses the request, each is sent alone, of
 * which a part is enough at the small size: naughty-strings.test.ts covers every position of texts and ids.
 */
async function fuzzField(step: Step): Promise<string[]> {
  const wrong: string[] = [];
  const count = documents.countOf(step);
  const send = async (start: number, end: number): Promise<void> => {
    const document = documents.documentFor(step, start, end);
    const sent = { method: "POST", path: "/graphql", body: JSON.stringify(document) };
    const answer = await answerTo(sent);
    const problem = wrongIn(sent, answer);
    const found = [...(problem === null ? [] : [problem]), ...bugs.splice(0)];
    wrong.push(...found);
    if (found.length > 0 || end - start === 1) return;
    if (isRefused(answer)) for (let at = start; at < end; at += isFullSize ? 1 : 3) await send(at, at + 1);
  };
  for (let start = 0; start < count; start += atOnce) await send(start, Math.min(count, start + atOnce));
  return wrong;
}

async function fuzzFields(steps: readonly Step[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const step of times(rounds, () => steps).flat()) wrong.push(...(await fuzzField(step)));
  return wrong;
}

/** Whether a document is refused before it runs, for a value of a variable. */
function isRefused({ text }: Answer): boolean {
  const { errors } = JSON.parse(text) as { errors?: { message: string }[] };
  return errors?.[0]?.message.startsWith("Variable") ?? false;
}

test("no fuzzed argument of a field returns INTERNAL", { timeout }, async () => {
  const steps = allFields(schema).filter(({ field }) => field.args.length > 0);
  expect(await fuzzFields(steps)).toEqual([]);
});

test("no fuzzed input of a mutation returns INTERNAL", { timeout }, async () => {
  const type = schema.getMutationType();
  if (!type) throw new Error("The schema has no mutations.");
  const fields = Object.values(type.getFields()).toSorted((one, other) => byDamage(one.name) - byDamage(other.name));
  expect(await fuzzFields(fields.map((field) => ({ type, field })))).toEqual([]);
});

test("no fuzzed argument of a subscription returns INTERNAL", { timeout }, async () => {
  const type = schema.getSubscriptionType();
  if (!type) throw new Error("The schema has no subscriptions.");
  const wrong: string[] = [];
  for (const field of times(rounds, () => Object.values(type.getFields())).flat())
    for (let at = 0; at < documents.countOf({ type, field }); at++) {
      using connection = new RawConnection(app.url);
      const body = JSON.stringify(documents.documentFor({ type, field }, at, at + 1));
      const head = `host: localhost\r\nauthorization: Bearer ${fixture.admin.token}\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
      const answer = await connection.ask("POST", `POST /graphql HTTP/1.1\r\n${head}\r\n${body}`, { mostChunks: 2 });
      const text = answer.body.toString();
      if (answer.status === 500 || /"(code|type)":"INTERNAL"/.test(text) || repeats(text))
        wrong.push(`${body.slice(0, 400)}: ${text.slice(0, 400)}`);
    }
  expect([...wrong, ...bugs.splice(0)]).toEqual([]);
});
