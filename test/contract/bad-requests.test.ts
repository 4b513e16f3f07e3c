// Invalid requests generated from the contract: for every routed operation and each constraint of its body and query
// one request of an admin that breaks only that constraint. None may succeed or cause an internal error; expected
// statuses other than 400 are listed with reasons.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { queryNames } from "#src/rest/route.ts";
import { contract, type ContractOperation, type ContractParameter, OpenApi } from "#test/contract/contract.ts";
import {
  bodyOn,
  compressedRequest,
  idsOn,
  pathOf,
  makeContractFixture,
  type ContractFixture,
} from "#test/contract/requests.ts";
import { sampleOf, violationsOf } from "#test/contract/violations.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";
import { someOf } from "#test/support/runs.ts";

/** Statuses other than 400 for a violation, with the reason. */
const otherAnswers: Readonly<Record<string, number>> = {};

/** Statuses other than 404 for a missing id. */
function answerToUnknown({ operationId, method, path, successes }: ContractOperation, name: string): number {
  if (name === "emailDomain") return 200; // choice 5: an empty list
  const isLast = path.endsWith(`{${name}}`);
  if (method === "PUT" && isLast && name === "specSlug") return 200; // choice 63: it is created
  if (operationId === "publishIntegration") return 200; // it is published for the first time
  // Choices 1 and 2: there was nothing to delete.
  if (method === "DELETE" && isLast && successes.includes(204)) return 204;
  return 404;
}

const routes = new Map(features.flatMap((feature) => feature.routes.map((route) => [route.operationId, route])));
const openApi = contract ?? new OpenApi({ paths: {} });
const operations = openApi.operations().filter(({ operationId }) => routes.has(operationId));
/** Operations that are sent a megabyte or more; those with their own limit are always included. */
const takesTooLong = new Set(someOf(operations, ({ operationId }) => routes.get(operationId)?.bodyLimit !== undefined));
const tally = new Map<number, number>();

const { app } = await useApp();
let fixture: ContractFixture;
let admin: Client;

beforeAll(async () => {
  fixture = await makeContractFixture(app.database);
  admin = app.as(fixture.admin.token);
});
afterAll(() => {
  const answers = [...tally]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count} times ${status}`);
  const sum = [...tally.values()].reduce((one, other) => one + other, 0);
  console.log(`${sum} bad requests to ${operations.length} operations were answered: ${answers.join(", ")}.`);
});

interface Bad {
  readonly label: string;
  readonly path: string;
  /** The path that the error details must name, or one inside or around it. */
  readonly at?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly client?: Client;
}

/** Sends the requests one after the other; returns those with unexpected responses. */
async function misanswered({ method, operationId }: ContractOperation, requests: readonly Bad[]): Promise<string[]> {
  const wrong: string[] = [];
  const isError = openApi.bodyValidatorOf({ required: true, schema: { $ref: "#/components/schemas/Error" } });
  for (const { label, path, at, body, headers, status: due, client = admin } of requests) {
    const answer = await client.rest<Refusal | undefined>(method, path, { body, ...(headers && { headers }) });
    tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1);
    const isDue = answer.status === (otherAnswers[`${operationId} ${label}`] ?? due);
    const isWhole = answer.status < 400 || (isError(answer.body) && answer.body?.error.code === answer.status);
    if (!isDue || !isWhole || !speaksOf(at, answer.body))
      wrong.push(
        `${label}: ${answer.status} to ${JSON.stringify(body)?.slice(0, 200)}: ${JSON.stringify(answer.body)}`,
      );
  }
  return wrong;
}

interface Refusal {
  readonly error: { readonly code: number; readonly details?: readonly { readonly path: string }[] };
}

function speaksOf(at: string | undefined, answer: Refusal | undefined): boolean {
  if (!at) return true;
  const paths = answer?.error.details?.map(({ path }) => path) ?? [];
  return paths.some((path) => at === path || at.startsWith(`${path}/`) || path.startsWith(`${at}/`));
}

function badQueries({ operationId, parameters }: ContractOperation, path: string): Bad[] {
  const read = routes.get(operationId); // missing parameters are listed in routes.test.ts
  const inQuery = parameters.filter(
    ({ in: place, name }) => place === "query" && read && queryNames(read).includes(name),
  );
  return inQuery.flatMap((parameter) =>
    badTexts(parameter).map(({ what, text }) => ({
      label: `?${parameter.name} ${what}`,
      at: parameter.name,
      path: `${path}?${parameter.name}=${encodeURIComponent(text)}`,
      status: 400,
    })),
  );
}

/** Violations that can be sent as text; a number in a query is a valid text. */
function badTexts({ schema: { items, ...schema } }: ContractParameter): { what: string; text: string }[] {
  const one = openApi.resolve(items ?? schema);
  return violationsOf(openApi, one, sampleOf(openApi, one)).flatMap(({ what, value }) => {
    const isText =
      typeof value === "string" ? value.isWellFormed() : one.type !== "string" && typeof value !== "object";
    return isText ? [{ what, text: String(value) }] : [];
  });
}

/** Rich documents are read leniently: optional parts are not validated. A policy may be an object of directives. */
const isRefused = ({ at, what }: { at: string; what: string }): boolean =>
  `${at} ${what}` !== "/contentSecurityPolicy type object" &&
  !/^\/instructions\/(.*(key|isVoid) type |.*(data|nodes) type null$)/.test(`${at} ${what}`);

function badBodies(operation: ContractOperation, path: string): Bad[] {
  const valid = bodyOn(fixture, operation);
  if (!operation.body || !valid) return [];
  const validate = openApi.bodyValidatorOf(operation.body);
  expect(validate(valid), OpenApi.problems(validate).join()).toBe(true);
  const broken = violationsOf(openApi, operation.body.schema, valid);
  const storable = broken.filter(({ what }) => !/NUL|lone surrogate/.test(what));
  expect(storable.filter(({ value }) => validate(value))).toEqual([]);
  const text = JSON.stringify(valid);
  const headers = { "content-type": "text/plain" };
  const limit = routes.get(operation.operationId)?.bodyLimit ?? 1_000_000;
  return [
    ...broken
      .filter(isRefused)
      .map(({ at, what, value }) => ({ label: `${at} ${what}`, path, at, body: value, status: 400 })),
    { label: "malformed JSON", path, body: text.slice(0, -1), status: 400 },
    { label: "other media type", path, body: text, headers, status: 415 },
    ...(takesTooLong.has(operation)
      ? [{ label: "too long", path, body: `${text.slice(0, -1)}, "surprise": "${"x".repeat(limit)}"}`, status: 413 }]
      : []),
    ...(operation.body.required ? [{ label: "no body", path, status: 400 }] : []),
  ];
}

function badCallers(operation: ContractOperation, path: string): Bad[] {
  const body = bodyOn(fixture, operation);
  const refused = routes.get(operation.operationId)?.openToVisitors ? ["wrong"] : [null, "wrong"];
  const anybody = refused.map((token) => ({
    label: `token ${token}`,
    path,
    body,
    status: 401,
    client: app.as(token),
  }));
  const ids = idsOn(fixture, operation);
  const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
  const unknown = inPath.map(({ name }) => ({
    label: `unknown ${name}`,
    path: `${pathOf(operation, { ...ids, [name]: unknownLike(ids[name] ?? "") })}${requiredQuery(operation)}`,
    body,
    status: answerToUnknown(operation, name),
  }));
  return [...anybody, ...unknown];
}

/** The required query parameters. */
function requiredQuery({ parameters }: ContractOperation): string {
  const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  return required.length > 0
    ? `?${required.map(({ name }) => `${name}=${name === "request" ? compressedRequest(fixture.space.id) : "words"}`).join("&")}`
    : "";
}

/** A missing id of the same kind; another domain for a domain, another slug for a slug. */
function unknownLike(id: string): string {
  if (!/[._]/.test(id)) return `${id}-${nextNumber()}`;
  return id.includes(".") ? "nowhere.example.com" : `${id.slice(0, -4)}${id.endsWith("0000") ? "1111" : "0000"}`;
}

describe.skipIf(!contract)("requests that break one constraint", () => {
  test.for(operations)("$operationId returns 4xx for each broken constraint", async (operation) => {
    const path = pathOf(operation, idsOn(fixture, operation));
    const bad = [...badCallers(operation, path), ...badQueries(operation, path), ...badBodies(operation, path)];
    expect(await misanswered(operation, bad)).toEqual([]);
  });

  const canBeRead = (path: string) => operations.some((other) => other.method === "GET" && other.path === path);

  test.for(operations.filter(({ method, path, body }) => method === "PATCH" && isOptional(body) && canBeRead(path)))(
    "$operationId changes nothing for an empty body",
    async (operation) => {
      const path = pathOf(operation, idsOn(fixture, operation));
      const before = await admin.rest("GET", path);
      const answer = await admin.rest("PATCH", path, { body: {} });
      expect([answer.status, answer.body]).toEqual([200, before.body]);
      expect((await admin.rest("GET", path)).body).toEqual(before.body);
    },
  );
});

function isOptional(body: ContractOperation["body"]): boolean {
  return body !== null && (openApi.resolve(body.schema).required ?? []).length === 0;
}
