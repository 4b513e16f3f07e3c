// Tenants: an id of another organization answers exactly as an id that does not exist, in every position of every
// operation, by GraphQL and by /v1. The positions are made from the schema and the route table, so that a new operation
// is held to it without being listed here.
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

/** What the tables of a worker have in common. */
async function makeShared() {
  const { app, rows, single, lenient } = await sharedApp();
  const idsOfOne = async (): Promise<Ids> => {
    const [one] = await makeTenants(rows, 1);
    if (!one) throw new Error("No tenant was made.");
    return one.ids;
  };
  // Not made together, so that they have nothing in common.
  const [foreign, second] = [await idsOfOne(), await idsOfOne()];
  const clients: Clients = { rest: (token) => app.as(token), single, lenient };
  return {
    app,
    clients,
    /** Another organization, in which the viewer is not. */
    foreign,
    foreignRows: await rowsOf(app.database, foreign),
    /** A second one in which the viewer is admin too. */
    second,
    secondRows: await rowsOf(app.database, second),
    nextOwn: batchedFactory((count) => makeOwns(rows, second, count)),
  };
}

type Shared = Awaited<ReturnType<typeof makeShared>>;

let made: Promise<Shared> | undefined;
const shared = (): Promise<Shared> => (made ??= makeShared());

/** The outcome without the text that was put, other ids, and addresses. */
function comparable({ answer, isRefused }: Outcome, text: string): object {
  const plain = JSON.stringify(answer)
    .replaceAll(text, "<what was put>")
    .replaceAll(/\b[a-z]{3}_(?:[0-9a-z]{26}){1,2}\b/g, "<id>")
    .replaceAll(/text-\d+|somebody-\d+/g, "<text>")
    .replaceAll(/at character \d+/g, "at <a place>");
  return { isRefused, answer: JSON.parse(plain) as unknown };
}

/**
 * How many ids of other kinds than the one that belongs at a position are tried there. They are looked up where ids of
 * that kind are, and cannot be there, so a few stand for all; over the positions each has its turn.
 */
const strangersEach = 3;
let turn = 0;

/**
 * Ids of another tenant and ids that do not exist, for a position: of the kind that belongs there and of some others,
 * and where the name does not say which belongs there, of every kind.
 */
function candidates(operation: Operation, { scalar, path }: Position, tenant: Ids): [there: string, missing: string][] {
  if (scalar === "String")
    return [
      [tenant.User, newId("User")],
      [tenant.email, `nobody-${nextNumber()}@example.com`],
    ];
  const all = Object.values(tenant).filter((id) => id !== tenant.email);
  const kind = kindOf(path.at(-1) ?? "", operation.kind);
  const right = kind && tenant[kind];
  const others = all.filter((id) => id !== right);
  const some = times(operation.takesEveryKind ? strangersEach : 0, () => others[turn++ % others.length] ?? "");
  return (right === undefined ? all : [right, ...some]).map((id) => [id, newId(kindOfId(id) ?? "User")]);
}

let unchanged: Own | undefined;

/** Runs an operation in the viewer's organization, another one after every change. */
async function attempt(operation: Operation, puts: readonly Put[] = []): Promise<Outcome> {
  const { clients, nextOwn, second } = await shared();
  const own = (unchanged ??= await nextOwn());
  const outcome = await operation.run(clients, own, sampleFor(operation, { own, second }, puts));
  if (!outcome.isRefused && !operation.isRead) unchanged = undefined;
  return outcome;
}

/**
 * Expects the same answer to what another tenant has as to what nobody has, put at all the positions. Answers whether
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
    if (positions.length > 1 && read.some((outcome) => outcome.isRefused)) return true; // by which of them?
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
    if (positions.length > 1 && outcomes.some((outcome) => outcome.isRefused)) return true; // by which of them?
    compare(pair, outcomes);
    isRefused &&= outcomes.every((outcome) => outcome.isRefused);
  }
  return isRefused;
}

/** Reads with each list of what is put, in one request; undefined where that was refused as a whole. */
async function readAll(operation: Operation, puts: readonly (readonly Put[])[]) {
  if (!operation.readAll) return undefined;
  const { clients, nextOwn, second } = await shared();
  const own = (unchanged ??= await nextOwn());
  return operation.readAll(
    clients,
    own,
    puts.map((put) => sampleFor(operation, { own, second }, put)),
  );
}

/** Runs an operation with each list of what is put, in one request: what is refused changes nothing for the next. */
async function attemptAll(operation: Operation, puts: readonly (readonly Put[])[]) {
  if (!operation.runAll) return undefined;
  const { clients, nextOwn, second } = await shared();
  const own = (unchanged ??= await nextOwn());
  const outcomes = await operation.runAll(
    clients,
    own,
    puts.map((put) => sampleFor(operation, { own, second }, put)),
  );
  if (!outcomes.every(({ isRefused }) => isRefused)) unchanged = undefined;
  return outcomes;
}

/** All texts at once, and one by one where that is refused: one of them may have hidden the others. */
async function expectAllAlike(operation: Operation, texts: readonly Position[]): Promise<void> {
  const { foreign } = await shared();
  const isRefused = await expectAlike(operation, texts, foreign);
  if (isRefused && texts.length > 1) for (const text of texts) await expectAlike(operation, [text], foreign);
}

/** Whether a name that nobody has is taken by who gives it first, so that the next one is refused. */
const isNewName = (of: string, path: Position["path"]): boolean =>
  of === "publishIntegration" && /name$/i.test(String(path.at(-1)));

/** The tests of some operations: a case for each position of an id, and one for all texts. */
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
    // What is below an organization that is named has to be of that organization, even where the viewer is admin
    // of both.
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

/** A case for each list of a node: it has nothing of another organization in which the viewer is, too. */
export function describeLists(): void {
  const nodes = schema.getPossibleTypes(schema.getType("Node") as GraphQLInterfaceType); // Relay's, an interface
  const inRevisions = ["Page", "File"]; // found by more than their own ids
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
