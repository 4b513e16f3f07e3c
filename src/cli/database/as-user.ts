// Commands that act as a user: they run with the rights of one, on the database and files that `npm start` uses.
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { Viewers } from "#src/access/viewers.ts";
import { provideSecrets } from "#src/config/secrets-key.ts";
import { type Config, readConfig } from "#src/config/config.ts";
import { DomainError } from "#src/base/errors.ts";
import { createLog } from "#src/base/log.ts";
import { systemClock } from "#src/base/time.ts";
import { withDatabase } from "#src/cli/database/open-database.ts";
import type { Database } from "#src/db/connection/database.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/event-log.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { openFileStore } from "#src/files/open-store.ts";
import { Background } from "#src/jobs/background.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { txtRecordReader } from "#src/net/txt-records.ts";

/** Runs `work` as the user with an e-mail address, or one found in the database. Throws NOT_FOUND if missing. */
export async function asUser<Result>(
  email: string | ((database: Database) => Promise<string>),
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  return withDatabase(config, async (database) => {
    const address = typeof email === "string" ? email : await email(database);
    return work(await contextOf(config, database, address));
  });
}

/** The context in which a user acts on an open database. Throws NOT_FOUND if no user has the e-mail address. */
export async function contextOf(config: Config, database: Database, email: string): Promise<Context> {
  const files = await openFileStore(config);
  const viewers = new Viewers(database, systemClock);
  const viewer = await viewers.byEmail(email);
  if (!viewer) throw new DomainError("NOT_FOUND", `no user has the e-mail address ${email}`);
  const log = await createLog({ level: "error", isTerminal: false });
  // Running gateways find the events themselves within a second.
  const feed = new Feed({ database, wakeups: silentWakeups, log });
  const fetch = createSafeFetch({ allowedHosts: config.allowedFetchHosts });
  const publicUrl = config.publicUrl ?? "";
  const [clock, secrets] = [systemClock, await provideSecrets(config)];
  const visitorTokens = new VisitorTokens({ database, clock, secrets, fetch });
  const [background, readTxtRecords] = [new Background(), txtRecordReader()];
  const own = { database, files, fetch, secrets, viewers, visitorTokens, feed, log, clock, publicUrl };
  return makeContext({ ...own, background, readTxtRecords }, viewer, "command line");
}
