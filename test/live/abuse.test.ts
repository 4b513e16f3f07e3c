// The list of the security review against a real gateway in production mode. `npm run prove -- --only abuse` prints it.
import { expect, test } from "vitest";
import { proveAbuse } from "#test/live/abuse/abuse.ts";

test("every check of the list holds", async () => {
  const rows = await proveAbuse();
  expect(rows.filter(({ holds }) => !holds)).toEqual([]);
  expect(rows.length).toBeGreaterThan(135);
}, 180_000);
