// The examples of the description of /v1 are the demo's responses, complete, valid and without secrets.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Examples } from "#src/rest/description/openapi.ts";
import { type ContractOperation, OpenApi } from "#test/contract/contract.ts";
import { now, takeExamples } from "#test/contract/examples.ts";
import { useApp } from "#test/support/app.ts";

const file = fileURLToPath(new URL("../../src/rest/description/examples.json", import.meta.url));
// On its own database: OpenAPI specifications are not processed in it.
const { app } = await useApp({ own: true, clock: { now: () => now } });

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}
interface DescribedOperation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Content {
  readonly content?: { readonly "application/json": { readonly example?: unknown } };
}

const { body: served } = await app.as(null).rest<Described>("GET", "/v1/openapi.json");
const description = new OpenApi(served);
const operations = description.operations();

/** The successful responses of an operation with a body. */
const answered = ({ successes }: ContractOperation) => successes.filter((status) => status === 200 || status === 201);

test("examples are what the demo returns; `npm run examples` writes them", { timeout: 60_000 }, async () => {
  const concerned = operations.filter((operation) => operation.body !== null || answered(operation).length > 0);
  const taken = await takeExamples(app, concerned);
  await expect(`${JSON.stringify(taken, null, 2)}\n`).toMatchFileSnapshot(file);
});

test.for(operations)("$operationId has valid examples of its body and response", (operation) => {
  const described = served.paths[operation.path]?.[operation.method.toLowerCase()];
  const exampleOf = (content?: Content) => content?.content?.["application/json"].example;
  if (operation.body) {
    const validate = description.bodyValidatorOf(operation.body);
    validate(exampleOf(described?.requestBody));
    expect(OpenApi.problems(validate)).toEqual([]);
  }
  for (const status of answered(operation)) {
    const validate = description.validatorOf(operation, status);
    validate(exampleOf(described?.responses[status]));
    expect(OpenApi.problems(validate)).toEqual([]);
  }
});

test("examples belong to routed operations, name only example.com and contain no key or token", async () => {
  const text = await readFile(file, "utf8");
  const names = Object.keys(JSON.parse(text) as Examples); // as written above
  expect(names.filter((name) => !operations.some(({ operationId }) => operationId === name))).toEqual([]);
  const hosts = [...text.matchAll(/[a-z]+:\/\/([^/"?#\s)]+)/g)].map(([, host = ""]) => host);
  expect(hosts.length).toBeGreaterThan(0);
  expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
  const addresses = [...text.matchAll(/@([\w.-]+)/g)].map(([, host = ""]) => host);
  expect(addresses.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
  expect(text).not.toMatch(/\bdg_|share-?key|signature|eyJ|\/files\/[^/"]+\/(?!key\/)[^/"]+\//i);
  expect(text.length).toBeLessThan(320_000);
});
