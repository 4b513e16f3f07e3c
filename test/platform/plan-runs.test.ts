// Runs of a compiled operation: cached data does not leak between runs; and fallbacks to interpretation.
import { beforeAll, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { operationAllowance } from "#src/db/connection/budget.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { answerInterpreted, answerPlanned, contextsOf, prepareReady } from "#test/support/query-executions.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();
let token: string;
/** Contexts of one viewer, as for requests within a second. */
let context: () => Context;
let organizationId: string;
let spaceIds: string[];

beforeAll(async () => {
  const { organization, editor } = await world.organization();
  organizationId = organization.id;
  spaceIds = await world.insert((rows) =>
    times(2, () => {
      const space = addSpace(rows, { organizationId: organization.id });
      times(3, () => addChangeRequest(rows, { space, createdById: editor.id }));
      return space.id;
    }),
  );
  token = editor.token;
  context = await contextsOf(app, token);
});

test("a compiled document uses the arguments of each run", async () => {
  const operation = prepareReady(`query ($id: ID!, $first: Int, $after: String, $statuses: [ChangeRequestStatus!]) {
    space(id: $id) { id changeRequests(first: $first, after: $after, statuses: $statuses) {
      totalCount pageInfo { hasNextPage hasPreviousPage endCursor } nodes { id createdBy { id } }
    } } }`);
  const answers = new Set<string>();
  const same = async (variables: Record<string, unknown>): Promise<string> => {
    const interpreted = await answerInterpreted(operation, context(), variables);
    expect(await answerPlanned(operation, context(), variables), JSON.stringify(variables)).toBe(interpreted);
    answers.add(interpreted);
    return interpreted;
  };
  for (const first of [1, 2, 1])
    for (const id of spaceIds)
      for (const statuses of [null, ["OPEN"], ["MERGED"]]) {
        const after = /"endCursor":"([^"]+)"/.exec(await same({ id, first, statuses }))?.[1];
        await same({ id, first, statuses, after });
      }
  expect(answers.size).toBe(10);
});

test("a list below a row found by its id is sent together with the statement of the row", async () => {
  const operation = prepareReady(
    "query ($id: ID!, $first: Int) { organization(id: $id) { id spaces(first: $first) { nodes { id } } } }",
  );
  const sent = { now: 0, most: 0 };
  const counting = (): Context => {
    const one = context();
    const rows: Context["database"]["rows"] = (statement) => {
      sent.most = Math.max(sent.most, ++sent.now);
      return one.database.rows(statement).finally(() => sent.now--);
    };
    return { ...one, database: { ...one.database, rows } };
  };
  const id = organizationId;
  expect(await answerPlanned(operation, counting(), { id })).toBe(
    await answerInterpreted(operation, context(), { id }),
  );
  expect(sent).toEqual({ now: 0, most: 2 });
  // Below a row that does not exist, neither the rows of the list nor its invalid arguments matter.
  for (const first of [1, -1])
    expect(await answerPlanned(operation, counting(), { id: newId("Organization"), first })).toBe(null);
});

test("a response has the same character limit compiled and interpreted", async () => {
  const operation = prepareReady("query ($id: ID!) { space(id: $id) { changeRequests { nodes { id subject } } } }");
  const [id] = spaceIds;
  const ask = (characters: number) => {
    const limited = () => {
      const one = context();
      return { ...one, ...makeContext(one, one.viewer, "test", { ...operationAllowance, characters }) };
    };
    return Promise.all([
      answerPlanned(operation, limited(), { id }),
      answerInterpreted(operation, limited(), { id }),
    ] as const);
  };
  const [whole, data] = await ask(10_000);
  expect(whole).toBe(data);
  const [none, refusal] = await ask(10);
  expect(none).toBe(null);
  expect(JSON.parse(refusal)).toMatchObject({ errors: [{ extensions: { code: "INVALID_INPUT" } }] });
});
