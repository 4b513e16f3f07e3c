// Every route matches the contract in path, method, name and parameters; the table records the routed part.
import { describe, expect, it, test } from "vitest";
import { features } from "#src/features/index.ts";
import { sharedExecutor } from "#test/support/executors.ts";
import { makeEndpoint } from "#src/rest/endpoint.ts";
import { describeEndpoints } from "#src/rest/description/openapi.ts";
import { bodyProperties } from "#test/contract/body-properties.ts";
import { contract, type ContractParameter, OpenApi } from "#test/contract/contract.ts";

const routes = features.flatMap((feature) => feature.routes);
const description = describeEndpoints(routes.map((route) => makeEndpoint(sharedExecutor, route)));
const ours = new OpenApi(description);

/**
 * Fields that are never returned: only the URL of a repository is stored, and lists of pages omit their
 * texts.
 */
const untoldFields = /(^|\.)git(\..*)?$|^pages\.(markdown|document)$/;

/** A published site does not reveal its conditions to visitors. */
const untoldToVisitors = /^structure\.structure\.(siteSpaces\.)?condition$/;

/** Fields of sites for features that docgraph does not have: advertising, plans, customization. */
const fieldsOfNothing = /(^|\.)(ads|features|hasAdvancedCustomizationFeature)(\..*)?$/;

/** URLs of integrations that are not served. */
const addressesOfNothing = /(^|\.)urls\.(assets|publicEndpoint)$/;

/** Comment texts as documents, returned only by operations with a parameter `format`. */
const documentFields = /(^|\.)body\.document$/;

/** The content of a rich document, which GraphQL returns as one value. */
const insideDocuments = /(^|\.)document\./;

function comparable({
  name,
  in: place,
  required = false,
  schema: { type, enum: values, items, default: preset },
}: ContractParameter) {
  const allowed = (items?.enum ?? values)?.toSorted();
  return { name, place, required, type, items: items?.type, allowed, preset };
}

function compared(parameters: readonly ContractParameter[]) {
  return parameters.map(comparable).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

describe.skipIf(!contract)("routes compared with the contract", () => {
  const known = new Map(contract?.operations().map((operation) => [operation.operationId, operation]));
  const additions = new Set(routes.flatMap(({ operationId, isAddition }) => (isAddition ? operationId : [])));
  const documented = ours.operations().filter(({ operationId }) => !additions.has(operationId));

  it("marks routes that the contract does not have", () => {
    const unknown = ours.operations().flatMap(({ operationId }) => (known.has(operationId) ? [] : operationId));
    expect(unknown.toSorted()).toEqual([...additions].toSorted());
    expect(JSON.stringify(description).split('"x-docgraph-addition":true').length - 1).toBe(additions.size);
  });

  test.for(documented)("$operationId has the same method, path, name and parameters", (operation) => {
    const { method, path, parameters = [] } = known.get(operation.operationId) ?? {};
    expect([operation.method, operation.path]).toEqual([method, path]);
    expect(compared(operation.parameters)).toEqual(compared(parameters));
  });

  test.for(documented)("$operationId has the same body and statuses", (operation) => {
    const { body = null, successes } = known.get(operation.operationId) ?? {};
    expect(operation.successes).toEqual(successes);
    expect(operation.body?.required).toBe(body?.required);
    if (operation.body && body && contract)
      expect(bodyProperties(ours, operation.body.schema)).toEqual(bodyProperties(contract, body.schema));
  });

  test.for(documented)("$operationId returns every field of the contract", (operation) => {
    const answered = ours.fieldsOf(operation);
    const missing = [...(contract?.fieldsOf(operation) ?? [])].filter((field) => !answered.has(field));
    const hasFormat = operation.parameters.some(({ name }) => name === "format");
    const never = [untoldFields, untoldToVisitors, fieldsOfNothing, addressesOfNothing, insideDocuments];
    const untold = [...never, ...(hasFormat ? [] : [documentFields])];
    expect(missing.filter((field) => !untold.some((known) => known.test(field)))).toEqual([]);
  });

  it("does not route the operations in unrouted.txt; `npm test -- -u` writes it", async () => {
    const routed = new Set(routes.map(({ operationId }) => operationId));
    const unrouted = [...known.values()].filter(({ operationId }) => !routed.has(operationId));
    const lines = unrouted.map(({ method, path, operationId }) => `${method.padEnd(6)}  ${path}  ${operationId}\n`);
    const sum = `${unrouted.length} of ${known.size} documented operations are not routed yet.\n`;
    expect(known.size).toBe(143);
    await expect(`${lines.join("")}\n${sum}`).toMatchFileSnapshot("unrouted.txt");
  });
});

describe("our OpenAPI description", () => {
  it("contains each operation once", () => {
    const names = ours.operations().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it("declares every path parameter and has no dangling reference", () => {
    for (const { path, parameters } of ours.operations()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(inPath);
    }
    const references = JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, $ref = ""] of references) expect(() => ours.resolve({ $ref })).not.toThrow();
  });

  it("describes every field", () => {
    expect(JSON.stringify(description)).not.toContain('"description":""');
  });
});
