// Every route below a space: 404 for a deleted space, also for the users who may restore it.
import { beforeAll, expect, it } from "vitest";
import { type ContractOperation, OpenApi } from "#test/contract/contract.ts";
import { bodyOn, type ContractFixture, idsOn, makeContractFixture, pathOf } from "#test/contract/requests.ts";
import { useApp } from "#test/support/app.ts";

const { app } = await useApp();
let fixture: ContractFixture;
let operations: readonly ContractOperation[];

beforeAll(async () => {
  fixture = await makeContractFixture(app.database);
  const { body } = await app.as(fixture.admin.token).rest("GET", "/v1/openapi.json");
  const below = "/v1/spaces/{spaceId}/";
  operations = new OpenApi(body)
    .operations()
    .filter(({ operationId, path }) => path.startsWith(below) && operationId !== "restoreSpace");
  const data = { deletedAt: new Date() };
  await app.database.prisma.space.update({ where: { id: fixture.space.id }, data });
});

it.each(["admin", "reader", "outsider"] as const)("returns 404 to the %s for every route below it", async (name) => {
  const client = app.as(fixture[name].token);
  const wrong: string[] = [];
  for (const operation of operations) {
    const { method, parameters } = operation;
    const query = parameters.some((one) => one.in === "query" && one.name === "query") ? "?query=tides" : "";
    const path = pathOf(operation, idsOn(fixture, operation)) + query;
    const { status } = await client.rest(method, path, { body: bodyOn(fixture, operation) });
    if (status !== 404) wrong.push(`${operation.operationId}: ${status}`);
  }
  expect(operations.length).toBeGreaterThan(60);
  expect(wrong).toEqual([]);
});

it("returns 200 to the users who may restore it for the space alone, and 404 to all others", async () => {
  const statusFor = async (name: "admin" | "reader" | "outsider") =>
    (await app.as(fixture[name].token).rest("GET", `/v1/spaces/${fixture.space.id}`)).status;
  expect([await statusFor("admin"), await statusFor("reader"), await statusFor("outsider")]).toEqual([200, 404, 404]);
});
