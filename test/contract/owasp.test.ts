// The table of OWASP's advice (owasp.ts) names existing tests or reasons.
import { expect, test } from "vitest";
import { owaspAdvice } from "#test/contract/owasp.ts";
import { isThere } from "#test/support/named-tests.ts";

test.each(owaspAdvice)("$sheet: $advice", ({ held }) => {
  if (typeof held === "string") expect(held.length).toBeGreaterThan(20);
  else expect(held.filter((named) => named[1].length < 10 || !isThere(named))).toEqual([]);
  expect(held.length).toBeGreaterThan(0);
});
