// Our description of /v1 equals the contract for routed operations, property by property, and is a valid OpenAPI
// document.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { sharedExecutor } from "#test/support/executors.ts";
import { describeEndpoints, readExamples } from "#src/rest/description/openapi.ts";
import { makeEndpoint } from "#src/rest/endpoint.ts";
import { ConstraintReader, differences } from "#test/contract/constraints.ts";
import { contractFile, OpenApi } from "#test/contract/contract.ts";

const routes = features.flatMap((feature) => feature.routes);
const description = describeEndpoints(
  routes.map((route) => makeEndpoint(sharedExecutor, route)),
  await readExamples(),
);
const additions = new Set(routes.flatMap(({ operationId, isAddition }) => (isAddition ? operationId : [])));
const operations = new OpenApi(description).operations().filter(({ operationId }) => !additions.has(operationId));

/** Differences of our responses from the contract, and why. */
const otherAnswers: readonly (readonly [RegExp, string])[] = [
  [/dimensions\.(width|height) type/, "Pixels are whole numbers."],
  [/\.ads\.status const/, "One form of advertising also covers the one that is off."],
  [
    /structure\.structure\[\]\.(object const|title m)/,
    "What a site is made of has one form, of sections or of site spaces.",
  ],
  [/\.ref(Dark)?\.kind /, "One form of references covers all kinds."],
];

/** Our settings of document nodes; the contract specifies only one of them. */
const isSetting = (difference: string) => /\.nodes\[\]\.data\.\S+ .* instead of undefined$/.test(difference);

/** Statuses that we return and the contract omits. */
const moreStatuses: Readonly<Record<string, readonly string[]>> = {
  updateOrganizationMember: ["409"], // the last admin
  deleteOrganizationMember: ["409"], // the last admin
  setSiteAdaptiveSchema: ["409"], // claims used by conditions
  getChangeRequestPdf: ["413"], // too many pages, or too much work
  createTranslation: ["409"], // no engine, or translated already
  deleteOpenApiSpec: ["409"], // pages that are computed from it
};

describe.skipIf(!contractFile)("our description compared with the contract", () => {
  const ours = new ConstraintReader(description);
  const theirs = new ConstraintReader(contractFile ? parse(readFileSync(contractFile, "utf8")) : {});

  test.for(operations)("$operationId has the same limits on parameters and body", ({ path, method }) => {
    const at = [path, method.toLowerCase()] as const;
    const found = differences(ours.ofInputs(...at), theirs.ofInputs(...at), { isWhole: true });
    expect(found.filter((difference) => !isSetting(difference) && !difference.startsWith("Idempotency-Key"))).toEqual(
      [],
    );
  });

  test.for(operations)(
    "$operationId describes everything in its responses that the contract describes",
    ({ path, method }) => {
      const at = [path, method.toLowerCase()] as const;
      const found = differences(ours.ofAnswers(...at), theirs.ofAnswers(...at), { isWhole: false });
      expect(found.filter((difference) => !otherAnswers.some(([known]) => known.test(difference)))).toEqual([]);
    },
  );

  test.for(operations)("$operationId is in the same group and has the same statuses", (operation) => {
    const { path, operationId } = operation;
    const method = operation.method.toLowerCase();
    const { statuses, ...others } = ours.ofOperation(path, method);
    const expected = theirs.ofOperation(path, method);
    // Every operation may fail inside or be unavailable. Bodies that are too large or not JSON are refused everywhere.
    const known = [...expected.statuses, "429", "500", "503", ...(moreStatuses[operationId] ?? [])];
    const body = operation.body ? ["413", "415"] : [];
    const keyed = operation.method === "GET" ? [] : ["409", "422"]; // of an Idempotency-Key
    const all = [...new Set([...known, ...body, ...keyed])].toSorted();
    expect({ ...others, statuses }).toEqual({ ...expected, statuses: all });
  });
});

test("every operation has a summary and a description", () => {
  const { paths } = description as { paths: Record<string, Record<string, { summary: string; description?: string }>> };
  const all = Object.values(paths).flatMap((path) => Object.values(path));
  expect(all).toHaveLength(routes.length);
  for (const one of all)
    expect([one.summary, one.description ?? ""]).toEqual([
      expect.stringMatching(/^[A-Z]/),
      expect.stringMatching(/\.$/),
    ]);
});

/** Linter rules that are off, each with its reason. */
const rules = {
  "operation-4xx-response": "error",
} as const;

test("the OpenAPI linter reports nothing", async () => {
  const config = await createConfig({ extends: ["recommended"], rules });
  const problems = await lintFromString({ source: JSON.stringify(description), absoluteRef: "openapi.json", config });
  const reported = problems.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ""} ${message}`,
  );
  expect([...new Set(reported)]).toEqual([]);
});
