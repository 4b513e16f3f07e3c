// The schema and every route are valid: a start does not check it.
import { GraphQLSchema, validateSchema } from "graphql";
import { expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { makeEndpoint } from "#src/rest/endpoint.ts";
import { schema } from "#src/schema.ts";
import { sharedExecutor } from "#test/support/executors.ts";

test("the schema is valid", () => {
  expect(validateSchema(new GraphQLSchema({ ...schema.toConfig(), assumeValid: false }))).toEqual([]);
});

test("every route is valid against the schema", () => {
  const routes = features.flatMap((feature) => feature.routes);
  expect(routes.map((route) => makeEndpoint(sharedExecutor, route))).toHaveLength(routes.length);
});
