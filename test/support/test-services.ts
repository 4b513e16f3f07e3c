// External services in contexts of tests: the safe fetch, a secrets key, visitor tokens, and background work.
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { Secrets } from "#src/base/secrets.ts";
import { type Clock, systemClock } from "#src/base/time.ts";
import type { Database } from "#src/db/connection/database.ts";
import { Background } from "#src/jobs/background.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";

/** The key with which test applications encrypt secrets. */
export const testSecrets = new Secrets([Buffer.alloc(32, "test key")]);

export function testServices(database: Database, clock: Clock = systemClock) {
  const [fetch, secrets] = [createSafeFetch(), testSecrets];
  const background = new Background();
  return {
    fetch,
    background,
    secrets,
    readTxtRecords: async () => [],
    visitorTokens: new VisitorTokens({ database, clock, secrets, fetch, maxAge: 0 }),
  };
}
