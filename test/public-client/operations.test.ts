// The operations of the public client's own description that docgraph has, by list; `npm test -- -u` writes it.
import description from "@gitbook/api/spec/openapi.json" with { type: "json" };
import { expect, test } from "vitest";
import { features } from "#src/features/index.ts";

const methods = new Set(["get", "post", "put", "patch", "delete"]);

/** Paths without the names of their parameters: these differ. */
const placeOf = (method: string, path: string) =>
  `${method.toUpperCase().padEnd(6)}  ${path.replaceAll(/\{\w+\}/g, "{}")}`;

test("has at least 185 operations of the public client", async () => {
  const ours = new Set(
    features.flatMap(({ routes }) => routes.map(({ method, path }) => placeOf(method, path.replace("/v1", "")))),
  );
  ours.add(placeOf("GET", "/")); // the index of /v1, which is not a route
  const theirs = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => methods.has(method))
      .map(([method, { operationId }]) => ({ place: placeOf(method, path), operationId })),
  );
  const lines = theirs.filter(({ place }) => ours.has(place)).map((one) => `${one.place}  ${one.operationId}`);
  expect(lines.length).toBeGreaterThanOrEqual(185);
  const sum = `${lines.length} of ${theirs.length} operations of the public client are served.\n`;
  await expect(`${lines.toSorted().join("\n")}\n\n${sum}`).toMatchFileSnapshot("operations.txt");
});
