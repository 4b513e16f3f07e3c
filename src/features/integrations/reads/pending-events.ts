// The first pending event of each installation, without reading those behind it.
import { sql } from "#src/db/connection/database.ts";

/** A recursive `heads`: a loose index scan on `("installationId", sequence)`, one probe for each installation. */
export const pendingHeads = sql`
    heads as (
      (select e."installationId" as id, e.sequence, e."nextTryAt", e."createdAt" from "IntegrationEvent" e
        where e.status = 'pending' order by e."installationId", e.sequence limit 1)
      union all
      select n.* from heads h cross join lateral (
        select e."installationId", e.sequence, e."nextTryAt", e."createdAt" from "IntegrationEvent" e
        where e.status = 'pending' and e."installationId" > h.id order by e."installationId", e.sequence limit 1) n)`;
