// Databases that lose recent events: after a failover with lag or a restored dump every subscriber is notified once,
// and later events are delivered at once. Subscribers use both transports, and some are offline meanwhile. `npm run
// prove` does more.
import { expect, test } from "vitest";
import { isFaultless, proveHistories } from "#test/live/histories.ts";

test("after any replacement of the database subscribers receive a rollback notice and exactly the later events", async () => {
  const [upToDate, behind, dump] = [
    "failover to a replica that has everything",
    "failover to a replica that is behind",
    "a dump of what was trimmed",
  ];
  const reports = await proveHistories({ writes: 2, say: () => {}, only: [upToDate, behind, dump] });
  expect(reports.filter((report) => !isFaultless(report))).toEqual([]);
  expect(reports).toMatchObject([
    { step: upToDate, gone: 0, expected: 48 },
    { step: behind, gone: 2, expected: 16 },
    { step: dump, gone: 0, expected: 16 },
  ]);
}, 240_000);
