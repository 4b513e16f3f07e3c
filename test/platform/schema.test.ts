// The schema and every route are valid: a start does not check it.
import { GraphQLSchema, validateSchema } from "graphql";
import { expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import { makeEndpoint } from "#src/rest/endpoint.ts";
import { schema } from "#src/schema.ts";

test("the schema is valid", () => {
  expect(validateSchema(new GraphQLSchema({ ...schema.toConfig(), assumeValid: false }))).toEqual([]);
});

test("every route is valid against the schema", () => {
  const executor = createExecutor(schema);
  const routes = features.flatMap((feature) => feature.routes);
  expect(routes.map((route) => makeEndpoint(executor, route))).toHaveLength(routes.length);
});
