// Commands that do what a user may do: they run as one, on the database and files that `npm start` uses.
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { Viewers } from "#src/access/viewers.ts";
import { provideSecrets } from "#src/base/secrets-key.ts";
import { readConfig } from "#src/base/config.ts";
import { createLog } from "#src/base/log.ts";
import { systemClock } from "#src/base/time.ts";
import { withDatabase } from "#src/cli/open-database.ts";
import type { Database } from "#src/db/database.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/feed.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { openFileStore } from "#src/files/open-store.ts";
import { Background } from "#src/jobs/background.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { UsageError } from "#src/server/start-errors.ts";

/** Runs `work` as the user of an address, or of one found in the database. {@link UsageError} when there is none. */
export async function asUser<Result>(
  email: string | ((database: Database) => Promise<string>),
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const files = await openFileStore(config);
  return withDatabase(config, async (database) => {
    const viewers = new Viewers(database, systemClock);
    const address = typeof email === "string" ? email : await email(database);
    const viewer = await viewers.byEmail(address);
    if (!viewer) throw new UsageError(`there is no user with the address ${address}`);
    const log = await createLog({ level: "error", isTerminal: false });
    // Running gateways find the events by themselves within a second.
    const feed = new Feed({ database, wakeups: silentWakeups, log });
    const fetch = createSafeFetch({ allowedHosts: config.allowedFetchHosts });
    const publicUrl = config.publicUrl ?? "";
    const [clock, secrets] = [systemClock, await provideSecrets(config)];
    const visitorTokens = new VisitorTokens({ database, clock, secrets, fetch });
    const background = new Background();
    const environment = {
      background,
      database,
      files,
      fetch,
      secrets,
      viewers,
      visitorTokens,
      feed,
      log,
      clock,
      publicUrl,
    };
    return work(makeContext(environment, viewer, "command line"));
  });
}
