// Every routed write operation, once with a full body and once without one if that is allowed: its responses are valid
// against the contract and our own description.
import { beforeAll, describe, expect, test } from "vitest";
import { contract, type ContractOperation, OpenApi } from "#test/contract/contract.ts";
import { features } from "#src/features/index.ts";
import { bodyOn, idsOn, pathOf, makeContractFixtures } from "#test/contract/requests.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { batchedFactory } from "#test/support/batched-factory.ts";

const routed = new Set(features.flatMap(({ routes }) => routes.map(({ operationId }) => operationId)));
const writing = (contract?.operations() ?? []).filter(
  ({ method, operationId }) => method !== "GET" && routed.has(operationId),
);

const { app, rows } = await useApp();
const nextFixture = batchedFactory((count) => makeContractFixtures(rows, count));
let ours: OpenApi;

beforeAll(async () => {
  ours = new OpenApi((await app.as(null).rest("GET", "/v1/openapi.json")).body);
});

/** A client of the operation on its own fixture. */
async function onOwnFixture(operation: ContractOperation) {
  const fixture = await nextFixture();
  const admin: Client = app.as(fixture.admin.token);
  const path = pathOf(operation, idsOn(fixture, operation));
  const call = (body?: object) => admin.rest(operation.method, path, { body });
  return { call, body: bodyOn(fixture, operation) };
}

/** The validation errors of a response by both descriptions. */
function problems(operation: ContractOperation, status: number, body: unknown): string[] {
  const hasBody = status === 200 || status === 201;
  if (!hasBody) return body === undefined ? [] : [`${status} with a body`];
  return [contract ?? ours, ours].flatMap((openApi) => {
    const validate = openApi.validatorOf(operation, status);
    return validate(body) ? [] : OpenApi.problems(validate);
  });
}

describe.skipIf(!contract)("write operations", () => {
  test.for(writing)("$operationId responds as documented", async (operation) => {
    const { call, body } = await onOwnFixture(operation);
    const answer = await call(body);
    const success = operation.successes.includes(205) ? 205 : operation.successes[0];
    expect([answer.status, answer.status === success ? undefined : answer.body]).toEqual([success, undefined]);
    expect(problems(operation, answer.status, answer.body)).toEqual([]);
  });

  test.for(writing.filter(({ method }) => method === "DELETE"))(
    "$operationId returns 204 again when it is repeated",
    async (operation) => {
      const { call } = await onOwnFixture(operation);
      await call();
      const again = await call();
      expect([again.status, again.body]).toEqual([204, undefined]);
    },
  );

  test.for(writing.filter(({ body }) => body && !body.required))(
    "$operationId accepts a request without a body",
    async (operation) => {
      const { call } = await onOwnFixture(operation);
      for (const answer of [await call(), await call({})]) {
        expect(operation.successes).toContain(answer.status);
        expect(problems(operation, answer.status, answer.body)).toEqual([]);
      }
    },
  );
});
