// A gateway of the last release serves while this one migrates beside it. `npm run prove -- --only upgrade` has 200,000
// comments, requests without a pause, and a limit of the time that one waits.
import { expect, test } from "vitest";
import { lastRelease, proveUpgrade } from "#test/live/upgrade.ts";

const isReleaseThere = (await lastRelease()) !== null;
if (!isReleaseThere) console.warn("Skipped: the history of the project, which has the last release, is missing.");

test.skipIf(!isReleaseThere)(
  "no request fails at a gateway of the last release while this one migrates",
  async () => {
    expect(await proveUpgrade({ comments: 1_000, restMs: 100 })).toMatchObject({ comments: 1_000, failed: 0 });
  },
  120_000,
);
