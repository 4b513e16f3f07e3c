// The list of the security review against a real gateway in production mode: the checks that send requests, at a tenth
// of their size, but those that other tests hold. `npm run prove -- --only abuse` runs the whole list at full size and
// measures what each check costs.
import { expect, test } from "vitest";
import { namedTests, proveAbuse } from "#test/live/abuse/abuse.ts";
import { isThere } from "#test/support/named-tests.ts";

test("every abuse check that sends requests and has no test of its own passes", async () => {
  const rows = await proveAbuse({ isFull: false });
  expect(rows.filter(({ holds }) => !holds)).toEqual([]);
  expect(rows.length).toBeGreaterThan(180);
}, 240_000);

test("every test named by another abuse check exists", () => {
  expect(namedTests.filter((test) => !isThere(test))).toEqual([]);
  expect(namedTests.length).toBeGreaterThan(50);
});
