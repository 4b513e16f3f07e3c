// Tenants: an id of another organization answers exactly as an id that does not exist, in every position of every
// operation, by GraphQL and by /v1. The positions are made from the schema and the route table, so that a new operation
// is held to it without being listed here.
import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  isInputObjectType,
} from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { kindOfId, newId } from "#src/base/ids.ts";
import { createExecutor, type Executor } from "#src/graph/execute.ts";
import { features } from "#src/features/index.ts";
import { makeEndpoint } from "#src/rest/endpoint.ts";
import type { Route } from "#src/rest/route.ts";
import { restValuesOf } from "#src/rest/type-forms.ts";
import { schema } from "#src/schema.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { textFile } from "#test/features/content/uploads.ts";
import { useApp } from "#test/support/app.ts";
import {
  type Fields,
  fieldsOf,
  type Filling,
  type Position,
  positionsOf,
  sampleOf,
  selectionOf,
} from "#test/support/positions.ts";
import { nextNumber } from "#test/support/rows.ts";
import { type Ids, kindOf, makeOwn, makeTenant, type Own, rowsOf } from "#test/support/tenants.ts";

const { app } = await useApp();
/** Another organization, in which the viewer is not. */
let foreign: Ids;
let foreignRows: string;

beforeAll(async () => {
  foreign = (await makeTenant(app.database)).ids;
  foreignRows = await rowsOf(app.database, foreign);
});

/** What the schema does not say of an operation that must succeed: values of fields, where it has them. */
function special(name: string, own: Own): Record<string, unknown> {
  const { Organization } = own.second;
  if (name.startsWith("restoreSpace")) return { spaceId: own.deletedSpaceId };
  if (name.startsWith("transfer")) return { organizationId: Organization, organization: Organization };
  if (name === "useInviteLink") return { key: own.linkKey };
  if (name === "resolveConflicts") return { conflictId: "0123456789abcdef" };
  if (name === "requestReviews") return { reviewerIds: own.reviewerId };
  if (name === "revokeApiToken") return { id: own.ids.ApiToken };
  // What is said of comments without a change request is said of those on the space.
  if (/Comment/i.test(name) && !/ChangeRequest|^Comment\./.test(name)) {
    const [comment, reply] = [own.spaceCommentId, own.spaceReplyId];
    return { id: comment, commentId: comment, commentReplyId: reply, replyId: reply };
  }
  return {};
}

/** Optional fields of which exactly one is given, where an operation has them all. */
const alternatives = [
  ["userId", "teamId"],
  ["spaceId", "collectionId"],
  ["spaceId", "changeRequestId"],
  ["id", "number"],
  ["id", "path"],
];

/** The fields, with those required that are to be given beside what is put. */
function completed(fields: Fields, put: string | undefined): Fields {
  const chosen = alternatives
    .filter((names) => names.every((name) => fields[name]?.required === false))
    .flatMap((names) => (put !== undefined && names.includes(put) ? [] : names.slice(0, 1)));
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, chosen.includes(name) ? { ...field, required: true } : field]),
  );
}

interface Operation {
  readonly name: string;
  readonly fields: Fields;
  /** The kind of thing that it answers. */
  readonly kind: string;
  readonly enumText: Filling["enumText"];
  readonly isRead: boolean;
  /** Whether ids of kinds that do not belong there are tried too. Once is enough: /v1 stands on GraphQL. */
  readonly takesEveryKind: boolean;
  run(own: Own, sample: Record<string, unknown>): Promise<Outcome>;
}

/** An answer, without what differs from one run to the next. */
interface Outcome {
  readonly isRefused: boolean;
  readonly answer: unknown;
}

function unknownKind(name: string): never {
  throw new Error(`What does ${name} refer to? Say it in kindOf.`);
}

function fillingFor(operation: Operation, own: Own, put?: Filling["put"]): Filling {
  const { name: of, kind, enumText } = operation;
  return {
    enumText,
    objectFor: (field) => (field === "body" ? { markdown: "Words" } : undefined),
    valueFor(name, scalar) {
      const told = special(of, own)[name];
      if (told !== undefined) return told;
      if (scalar === "ID") return own.ids[kindOf(name, kind) ?? unknownKind(name)];
      if (/email$/i.test(name)) return `somebody-${nextNumber()}@example.com`;
      if (/domain$/i.test(name)) return "example.com";
      if (scalar === "String") return `text-${nextNumber()}`;
      if (scalar === "Upload") return name === "archive" ? zipFile() : textFile();
      return scalar === "Boolean" ? true : 1;
    },
    ...(put && { put }),
  };
}

/** The outcome without the text that was put, other ids, and addresses. */
function comparable({ answer, isRefused }: Outcome, text: string): object {
  const plain = JSON.stringify(answer)
    .replaceAll(text, "<what was put>")
    .replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b/g, "<id>")
    .replaceAll(/text-\d+|somebody-\d+/g, "<text>");
  return { isRefused, answer: JSON.parse(plain) as unknown };
}

/** Ids of another tenant and ids that do not exist, for a position: of each kind, or of the one that belongs there. */
function candidates(operation: Operation, { scalar, path }: Position, tenant: Ids): [there: string, missing: string][] {
  if (scalar === "String")
    return [
      [tenant.User, newId("User")],
      [tenant.email, `nobody-${nextNumber()}@example.com`],
    ];
  const kind = operation.takesEveryKind ? undefined : kindOf(path.at(-1) ?? "", operation.kind);
  const right = kind && tenant[kind];
  return Object.values(tenant)
    .filter((id) => (right ? id === right : id !== tenant.email))
    .map((id) => [id, newId(kindOfId(id) ?? "User")]);
}

let unchanged: Own | undefined;

/** Runs an operation in the viewer's organization, which is made anew after every change. */
async function attempt(operation: Operation, putIn: (own: Own) => Filling["put"] = () => undefined): Promise<Outcome> {
  const own = (unchanged ??= await makeOwn(app.database));
  const put = putIn(own);
  const sample = sampleOf(completed(operation.fields, put?.path[0]), fillingFor(operation, own, put));
  const outcome = await operation.run(own, sample);
  if (!outcome.isRefused && !operation.isRead) unchanged = undefined;
  return outcome;
}

async function expectAlike(operation: Operation, position: Position, tenantOf: (own: Own) => Ids): Promise<void> {
  for (const [index, [kind]] of candidates(operation, position, foreign).entries()) {
    const outcomes: object[] = [];
    for (const side of [0, 1] as const) {
      let value = "";
      const outcome = await attempt(operation, (own) => {
        value = candidates(operation, position, tenantOf(own))[index]?.[side] ?? "";
        return { path: position.path, value };
      });
      outcomes.push(comparable(outcome, value));
    }
    expect(outcomes[0], `${operation.name} with ${kind} at ${position.path.join(".")}`).toEqual(outcomes[1]);
  }
}

function describeOperations(operations: readonly Operation[]): void {
  describe.each(operations.map((operation) => [operation.name, operation] as const))("%s", (_name, operation) => {
    const positions = positionsOf(operation.fields);
    test("answers with the viewer's own ids, so that refusals mean something", async () => {
      const { isRefused, answer } = await attempt(operation);
      expect(isRefused, JSON.stringify(answer)).toBe(false);
    });

    if (positions.length === 0) return;
    test.each(positions.map((position) => [position.path.join("."), position] as const))(
      "%s",
      async (_path, position) => {
        await expectAlike(operation, position, () => foreign);
      },
    );

    // What stands below an organization that is named has to be of that organization, even where the viewer is admin of
    // both.
    if (!("organizationId" in operation.fields) || operation.name.startsWith("transfer")) return;
    const below = positions.filter(({ path, scalar }) => scalar === "ID" && path[0] !== "organizationId");
    test.runIf(below.length > 0)("nor ids of another organization of the viewer's", async () => {
      for (const position of below) await expectAlike(operation, position, ({ second }) => second);
    });
  });
}

const graphqlName: Filling["enumText"] = (_type, name) => name;

async function runGraphql(own: Own, document: string, variables: Record<string, unknown>): Promise<Outcome> {
  const { data, errors } = await app.as(own.admin.token).graphql(document, variables);
  const told = errors?.map(({ message, path, extensions }) => ({ message, path, ...extensions }));
  return { isRefused: errors !== undefined, answer: { data, errors: told } };
}

/** The field with its arguments as variables of their names, and the declaration of these. */
function called(field: GraphQLField<unknown, unknown>): { variables: string; call: string } {
  const variables = field.args
    .map(
      ({ name, type, defaultValue }) =>
        `$${name}: ${String(defaultValue === undefined ? type : getNullableType(type))}`,
    )
    .join(", ");
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(", ");
  return { variables, call: `${field.name}(${given}) ${selectionOf(field.type)}` };
}

const argumentsOf = (field: GraphQLField<unknown, unknown>): Fields =>
  fieldsOf(Object.fromEntries(field.args.map((argument) => [argument.name, argument])));

describe("mutations", () => {
  describeOperations(
    Object.values(schema.getMutationType()?.getFields() ?? {}).map((field): Operation => {
      const { variables, call } = called(field);
      const input = getNamedType(field.args[0]?.type);
      return {
        name: field.name,
        fields: isInputObjectType(input) ? fieldsOf(input.getFields()) : {},
        kind: field.name.replace(/^[a-z]+/, ""),
        enumText: graphqlName,
        isRead: false,
        takesEveryKind: true,
        run: (own, sample) => runGraphql(own, `mutation (${variables}) { ${call} }`, { input: sample }),
      };
    }),
  );
});

describe("fields with arguments", () => {
  const nodes = schema.getPossibleTypes(schema.getType("Node") as GraphQLInterfaceType); // Relay's, an interface
  const owners = [...nodes, schema.getQueryType()].filter((type) => type != null);
  describeOperations(
    owners.flatMap((owner) =>
      Object.values(owner.getFields())
        .filter((field) => positionsOf(argumentsOf(field)).some(({ path }) => !isPaging(path)))
        .map((field) => fieldOperation(owner, field)),
    ),
  );
});

const isPaging = ([name = ""]: readonly string[]) => ["after", "before", "search", "title"].includes(name);

function fieldOperation(owner: GraphQLObjectType, field: GraphQLField<unknown, unknown>): Operation {
  const { variables, call } = called(field);
  const isRoot = owner === schema.getQueryType();
  const document = isRoot
    ? `query (${variables}) { ${call} }`
    : `query ($owner_: ID!, ${variables}) { node(id: $owner_) { ... on ${owner.name} { ${call} } } }`;
  const fields = Object.entries(argumentsOf(field)).filter(([name]) => !isPaging([name]));
  return {
    name: `${owner.name}.${field.name}`,
    fields: Object.fromEntries(fields),
    kind: getNamedType(field.type).name,
    enumText: graphqlName,
    isRead: true,
    takesEveryKind: true,
    run: (own, sample) =>
      runGraphql(
        own,
        document,
        isRoot ? sample : { ...sample, owner_: own.ids[kindOf(owner.name, owner.name) ?? unknownKind(owner.name)] },
      ),
  };
}

describe("/v1", () => {
  const executor = createExecutor(schema);
  describeOperations(features.flatMap(({ routes }) => routes.map((route) => restOperation(executor, route))));
});

function restOperation(executor: Executor, route: Route): Operation {
  const { parameters, properties } = makeEndpoint(executor, route).inputs;
  const taken = parameters.filter(({ name }) => !["page", "limit", "search", "title"].includes(name));
  const isRead = route.method === "GET";
  const inPath = new Set(taken.filter(({ place }) => place === "path").map(({ name }) => name));
  return {
    name: route.operationId,
    fields: Object.fromEntries(
      [...taken, ...(properties ?? [])].map(({ name, type, required }) => [name, { type, required }]),
    ),
    kind: "",
    isRead,
    takesEveryKind: false,
    enumText: (type, name) => restValuesOf(type).get(name) ?? name,
    async run(own, sample) {
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
        encodeURIComponent(String(sample[name])),
      );
      const query = new URLSearchParams();
      for (const { name, place } of taken)
        if (place === "query" && name in sample) query.append(name, String(sample[name]));
      const body = Object.fromEntries(
        (properties ?? [])
          .filter(({ name }) => name in sample && !inPath.has(name))
          .map(({ name, key }) => [name, key ? keyed(sample[name], key) : sample[name]]),
      );
      const { status, body: answer } = await app
        .as(own.admin.token)
        .rest(route.method, `${path}?${query.toString()}`, properties ? { body } : {});
      const isRefused = status >= 400;
      return { isRefused, answer: { status, answer: isRefused || isRead ? answer : shapeOf(answer) } };
    },
  };
}

/** A list of objects as /v1 writes it: an object by one of their fields. */
function keyed(list: unknown, key: string): Record<string, unknown> {
  const items = list as Record<string, unknown>[]; // as the sample is made
  return Object.fromEntries(items.map(({ [key]: name, ...rest }) => [name, rest]));
}

/** What a successful answer holds, without values that are made by chance. */
function shapeOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null ? Object.keys(answer).toSorted() : typeof answer;
}

test("after all that, nothing of the other organization has changed", async () => {
  expect(foreignRows).toContain(foreign.Space);
  expect(await rowsOf(app.database, foreign)).toBe(foreignRows);
});
