// The nightly job of single sign-on: answers of providers are forgotten that would not be accepted again in any case.
import { sql } from "#src/db/connection/database.ts";
import type { Job } from "#src/jobs/job.ts";

export const samlJobs: readonly Job[] = [
  {
    name: "samlAnswer.forget",
    schedule: "41 2 * * *",
    removesByAge: true,
    async run({ database, clock, log }) {
      const now = clock.now().toISOString();
      const forgotten = await database.query(sql`
        delete from "SamlAnswer" where "expiresAt" < ${now}::timestamptz returning 1`);
      if (forgotten.length > 0) log.info({ forgotten: forgotten.length }, "Forgot answers of SAML providers");
    },
  },
];
