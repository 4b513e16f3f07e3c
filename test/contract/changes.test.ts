// Every routed operation that writes, once with all that it takes and once with nothing where that is allowed: its
// answers are valid by the contract and by our own description.
import { beforeAll, describe, expect, test } from "vitest";
import { contract, type ContractOperation, OpenApi } from "#test/contract/contract.ts";
import { features } from "#src/features/index.ts";
import { bodyOn, idsOn, pathOf, setStage } from "#test/contract/requests.ts";
import { type Client, useApp } from "#test/support/app.ts";

const routed = new Set(features.flatMap(({ routes }) => routes.map(({ operationId }) => operationId)));
const writing = (contract?.operations() ?? []).filter(
  ({ method, operationId }) => method !== "GET" && routed.has(operationId),
);

const { app } = await useApp();
let ours: OpenApi;

beforeAll(async () => {
  ours = new OpenApi((await app.as(null).rest("GET", "/v1/openapi.json")).body);
});

/** A caller of the operation on a stage of its own. */
async function onStage(operation: ContractOperation) {
  const stage = await setStage(app.database);
  const admin: Client = app.as(stage.admin.token);
  const path = pathOf(operation, idsOn(stage, operation));
  const call = (body?: object) => admin.rest(operation.method, path, { body });
  return { call, body: bodyOn(stage, operation) };
}

/** What is wrong with an answer by the two descriptions. */
function problems(operation: ContractOperation, status: number, body: unknown): string[] {
  const hasBody = status === 200 || status === 201;
  if (!hasBody) return body === undefined ? [] : [`${status} with a body`];
  return [contract ?? ours, ours].flatMap((openApi) => {
    const validate = openApi.validatorOf(operation, status);
    return validate(body) ? [] : OpenApi.problems(validate);
  });
}

describe.skipIf(!contract)("changes", () => {
  test.for(writing)("$operationId answers as documented", async (operation) => {
    const { call, body } = await onStage(operation);
    const answer = await call(body);
    const success = operation.successes.includes(205) ? 205 : operation.successes[0];
    expect([answer.status, answer.status === success ? undefined : answer.body]).toEqual([success, undefined]);
    expect(problems(operation, answer.status, answer.body)).toEqual([]);
  });

  test.for(writing.filter(({ method }) => method === "DELETE"))("$operationId answers 204 again", async (operation) => {
    const { call } = await onStage(operation);
    await call();
    const again = await call();
    expect([again.status, again.body]).toEqual([204, undefined]);
  });

  test.for(writing.filter(({ body }) => body && !body.required))("$operationId needs no body", async (operation) => {
    const { call } = await onStage(operation);
    for (const answer of [await call(), await call({})]) {
      expect(operation.successes).toContain(answer.status);
      expect(problems(operation, answer.status, answer.body)).toEqual([]);
    }
  });
});
