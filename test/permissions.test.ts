// Completeness of the permission and tenant tests, which each feature runs (test/support/access).
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Feature } from "#src/features/feature.ts";
import { features } from "#src/features/index.ts";
import { schema } from "#src/schema.ts";
import { permissionCases, permissionCasesOf } from "#test/support/access/permission-cases.ts";

test("every mutation has a permission case", () => {
  const all = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect([...new Set(permissionCases.map(({ mutation }) => mutation))].toSorted()).toEqual(all.toSorted());
});

test("every feature with mutations or routes runs its access tests", async () => {
  const isWithout = async ({ name, routes }: Feature) =>
    (routes.length > 0 || (await permissionCasesOf(name)).length > 0) &&
    !existsSync(fileURLToPath(new URL(`features/${name}/access.test.ts`, import.meta.url)));
  const are = await Promise.all(features.map(isWithout));
  const without = features.filter((_feature, index) => are[index]);
  expect(without.map(({ name }) => name)).toEqual([]);
});
