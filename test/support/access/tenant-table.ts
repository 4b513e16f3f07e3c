// Tenant isolation: an id of another organization gets exactly the same response as a missing id, in every position of
// every operation, in GraphQL and /v1. Positions are generated from the schema and the route table, so that new
// operations are included automatically.
import { getNamedType, type GraphQLField, type GraphQLInterfaceType, isObjectType, isRequiredArgument } from "graphql";
import { describe, expect, test } from "vitest";
import { kindOfId, newId } from "#src/base/ids.ts";
import { schema } from "#src/schema.ts";
import { sharedApp } from "#test/support/access/shared-app.ts";
import type { Clients, Operation, Outcome } from "#test/support/access/operations.ts";
import { type Position, positionsOf, type Put, selectionOf } from "#test/support/access/positions.ts";
import { sampleFor } from "#test/support/access/samples.ts";
import {
  type Ids,
  kindOf,
  makeOwns,
  makeTenants,
  type Own,
  rowsOf,
  unknownKind,
} from "#test/support/access/tenants.ts";
import { nextNumber } from "#test/support/rows.ts";
import { batchedFactory } from "#test/support/batched-factory.ts";
import { times } from "#test/support/world.ts";

/** State shared by the tenant tests of a worker. */
async function makeShared() {
  const { app, rows, single, lenient } = await sharedApp();
  const idsOfOne = async (): Promise<Ids> => {
    const [one] = await makeTenants(rows, 1);
    if (!one) throw new Error("No tenant was made.");
    return one.ids;
  };
  // Made separately, so that they share nothing.
  const [foreign, second] = [await idsOfOne(), await idsOfOne()];
  const clients: Clients = { rest: (token) => app.as(token), single, lenient };
  return {
    app,
    clients,
    /** An organization without the viewer. */
    foreign,
    foreignRows: await rowsOf(app.database, foreign),
    /** A second organization in which the viewer is admin. */
    second,
    secondRows: await rowsOf(app.database, second),
    nextOwn: batchedFactory((count) => makeOwns(rows, second, count)),
  };
}

type Shared = Awaited<ReturnType<typeof makeShared>>;

let made: Promise<Shared> | undefined;
const shared = (): Promise<Shared> => (made ??= makeShared());

/** The outcome without the given text, other ids and URLs. */
function comparable({ answer, isRefused }: Outcome, text: string): object {
  const plain = JSON.stringify(answer)
    .replaceAll(text, "<what was put>")
    .replaceAll(/\b[a-z]{3}_(?:[0-9a-z]{26}){1,2}\b/g, "<id>")
    .replaceAll(/text-\d+|somebody-\d+/g, "<text>")
    .replaceAll(/at character \d+|column \d+/g, "at <a place>");
  return { isRefused, answer: JSON.parse(plain) as unknown };
}

/**
 * The number of ids of wrong kinds that are tried at a position. They are looked up as ids of the right kind and cannot
 * exist there, so a few are enough; over all positions each kind is tried.
 */
const strangersEach = 3;
let turn = 0;

/** The name of a tenant's private integration is its id. */
const nameOfIntegration = ({ Integration = "" }: Ids): [string, string] => [Integration, newId("Integration")];

/**
 * Ids of another tenant paired with missing ids, for a position: of the right kind and some others, or of every kind if
 * the name does not imply one.
 */
function candidates(operation: Operation, { scalar, path }: Position, tenant: Ids): [there: string, missing: string][] {
  if (scalar === "String")
    return [
      [tenant.User, newId("User")],
      [tenant.email, `nobody-${nextNumber()}@example.com`],
      ...(path.at(-1) === "integrationName" ? [nameOfIntegration(tenant)] : []),
    ];
  const all = Object.values(tenant).filter((id) => id !== tenant.email);
  const kind = kindOf(path.at(-1) ?? "", operation.kind);
  const right = kind && tenant[kind];
  const others = all.filter((id) => id !== right);
  const some = times(operation.takesEveryKind ? strangersEach : 0, () => others[turn++ % others.length] ?? "");
  return (right === undefined ? all : [right, ...some]).map((id) => [id, newId(kindOfId(id) ?? "User")]);
}

let unchanged: Own | undefined;

/** Runs an operation in the viewer's organization, with a new organization after every change. */
async function attempt(operation: Operation, puts: readonly Put[] = []): Promise<Outcome> {
  const { app, clients, nextOwn, second } = await shared();
  const own = (unchanged ??= await nextOwn());
  const outcome = await operation.run(clients, own, sampleFor(operation, { own, second, home: app.url }, puts));
  if (!outcome.isRefused && !operation.isRead) unchanged = undefined;
  return outcome;
}

/**
 * Expects the same response to ids of another tenant as to missing ids, at all the positions. Returns whether
 * it was refused.
 */
async function expectAlike(operation: Operation, positions: readonly Position[], tenant: Ids): Promise<boolean> {
  const [first] = positions;
  if (!first) return true;
  const pairs = candidates(operation, first, tenant);
  const putting = (value: string) => positions.map(({ path }): Put => ({ path, value }));
  const compare = ([there, missing]: (typeof pairs)[number], outcomes: readonly Outcome[]) => {
    const [one, other] = outcomes.map((outcome, side) => comparable(outcome, side === 0 ? there : missing));
    expect(one, `${operation.name} with ${there} at ${positions.map(({ path }) => path.join(".")).join()}`).toEqual(
      other,
    );
  };

  const read = await readAll(operation, pairs.flat().map(putting));
  if (read) {
    if (positions.length > 1 && read.some((outcome) => outcome.isRefused)) return true; // by which position?
    for (const [index, pair] of pairs.entries()) compare(pair, read.slice(2 * index, 2 * index + 2));
    return read.every((outcome) => outcome.isRefused);
  }
  const together = await attemptAll(operation, pairs.flat().map(putting));
  if (together?.every(({ isRefused }) => isRefused)) {
    for (const [index, pair] of pairs.entries()) compare(pair, together.slice(2 * index, 2 * index + 2));
    return true;
  }
  let isRefused = true;
  for (const pair of pairs) {
    const outcomes: Outcome[] = [];
    for (const value of pair) outcomes.push(await attempt(operation, putting(value)));
    if (positions.length > 1 && outcomes.some((outcome) => outcome.isRefused)) return true; // by which position?
    compare(pair, outcomes);
    isRefused &&= outcomes.every((outcome) => outcome.isRefused);
  }
  return isRefused;
}

/** Reads with each list of given values in one request; undefined if it was refused as a whole. */
async function readAll(operation: Operation, puts: readonly (readonly Put[])[]) {
  if (!operation.readAll) return undefined;
  const { app, clients, nextOwn, second } = await shared();
  const own = (unchanged ??= await nextOwn());
  return operation.readAll(
    clients,
    own,
    puts.map((put) => sampleFor(operation, { own, second, home: app.url }, put)),
  );
}

/** Runs an operation with each list of given values in one request: refused mutations do not affect later ones. */
async function attemptAll(operation: Operation, puts: readonly (readonly Put[])[]) {
  if (!operation.runAll) return undefined;
  const { app, clients, nextOwn, second } = await shared();
  const own = (unchanged ??= await nextOwn());
  const outcomes = await operation.runAll(
    clients,
    own,
    puts.map((put) => sampleFor(operation, { own, second, home: app.url }, put)),
  );
  if (!outcomes.every(({ isRefused }) => isRefused)) unchanged = undefined;
  return outcomes;
}

/**
 * Tries all texts at once. If that is refused, those that are refused alone are tried alone, since one error may hide
 * others, and the rest at once.
 */
async function expectAllAlike(operation: Operation, texts: readonly Position[]): Promise<void> {
  const { foreign } = await shared();
  const isRefused = await expectAlike(operation, texts, foreign);
  if (!isRefused || texts.length === 1) return;
  const accepted: Position[] = [];
  for (const text of texts) {
    const alone = await attempt(operation, [{ path: text.path, value: foreign.User }]);
    if (alone.isRefused) await expectAlike(operation, [text], foreign);
    else accepted.push(text);
  }
  // Some may not be given together.
  if (await expectAlike(operation, accepted, foreign))
    for (const text of accepted) await expectAlike(operation, [text], foreign);
}

/** Whether the first use of a new name takes it, so that the next one is refused. */
const isNewName = (of: string, path: Position["path"]): boolean =>
  of === "publishIntegration" && /name$/i.test(String(path.at(-1)));

/** Defines the tests of some operations: one for each position of an id, and one for all texts. */
export function describeTenants(operations: readonly Operation[]): void {
  describe.each(operations.map((operation) => [operation.name, operation] as const))("%s", (_name, operation) => {
    const positions = positionsOf(operation.fields);
    const ids = positions.filter(({ scalar }) => scalar === "ID");
    const texts = positions.filter(({ scalar, path }) => scalar === "String" && !isNewName(operation.name, path));
    test("succeeds with the viewer's own ids", async () => {
      const { isRefused, answer } = await attempt(operation);
      expect(isRefused, JSON.stringify(answer)).toBe(false);
    });

    const cases: (readonly [string, () => Promise<unknown>])[] = ids.map((position) => [
      position.path.join("."),
      async () => expectAlike(operation, [position], (await shared()).foreign),
    ]);
    if (texts.length > 0) cases.push(["texts", () => expectAllAlike(operation, texts)]);
    // Objects must belong to the given organization, even if the viewer is admin of both.
    if (operation.fields["organizationId"]?.required && !operation.name.startsWith("transfer")) {
      const below = ids.filter(({ path }) => path[0] !== "organizationId");
      const one = async () => {
        const { second } = await shared();
        for (const position of below) await expectAlike(operation, [position], second);
      };
      if (below.length > 0) cases.push(["nor ids of another organization of the viewer's", one]);
    }
    test.each(cases)("%s", async (_case, check) => {
      await check();
    });
  });
  // The last one: tests of a file run in their order.
  test("leaves the other organization unchanged", async () => {
    const { app, foreign, foreignRows } = await shared();
    expect(foreignRows).toContain(foreign.Space);
    expect(await rowsOf(app.database, foreign)).toBe(foreignRows);
  });

  test("leaves the viewer's second organization unchanged except for additions", async () => {
    const { app, second, secondRows } = await shared();
    expect(secondRows).toContain(second.Space);
    const rows = new Set((await rowsOf(app.database, second)).split("\n"));
    expect(secondRows.split("\n").filter((row) => !rows.has(row))).toEqual([]);
  });
}

/** Whether the type of a field is a page of a list that needs no arguments. */
const isOpenList = ({ type, args }: GraphQLField<unknown, unknown>): boolean => {
  const page = getNamedType(type);
  return isObjectType(page) && "nodes" in page.getFields() && !args.some(isRequiredArgument);
};

/** Defines a test for each list of a node: it has nothing of another organization of the viewer. */
export function describeLists(): void {
  const nodes = schema.getPossibleTypes(schema.getType("Node") as GraphQLInterfaceType); // Relay's, an interface
  const inRevisions = ["Page", "File"]; // identified by more than their own ids
  const lists = nodes
    .filter(({ name }) => !inRevisions.includes(name))
    .flatMap((owner) =>
      Object.values(owner.getFields())
        .filter(isOpenList)
        .map((field) => [owner.name, field.name, selectionOf(field.type)] as const),
    );
  test.each(lists)("%s.%s", async (owner, field, selection) => {
    const { clients, nextOwn, second } = await shared();
    const own = (unchanged ??= await nextOwn());
    const id = own.ids[kindOf(owner, owner) ?? unknownKind(owner)];
    const document = `query ($id: ID!) { node(id: $id) { ... on ${owner} { id ${field} ${selection} } } }`;
    const { data, errors } = await clients.single(own.admin.token).graphql(document, { id });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ node: { id } });
    const text = JSON.stringify(data);
    expect(Object.values(second).filter((one) => text.includes(one))).toEqual([]);
  });
}
