// SQL of the terms of installations: the version that runs, the version that was agreed to, and what both allow.
import { identifier, type Sql, sql } from "#src/db/connection/database.ts";

/** The number of the version that installation `i` runs; null if its runtime has none. */
export const runningNumber = (i: string): Sql => sql`coalesce(${identifier(i, "pinnedVersion")}, (
  select max(l.number) from "IntegrationVersion" l
  where l."integrationId" = ${identifier(i, "integrationId")} and l.runtime = ${identifier(i, "runtime")}))`;

/** The terms of a version of the integration of installation `i`, as JSON; null if it does not exist. */
export const termsOf = (i: string, number: Sql): Sql => sql`(select json_build_object(
    'number', v.number, 'scopes', coalesce(v.manifest->'scopes', '[]'),
    'contentSecurityPolicy', v.manifest->'contentSecurityPolicy', 'target', coalesce(v.manifest->>'target', 'all'),
    'blocks', coalesce(v.manifest->'blocks', '[]'))
  from "IntegrationVersion" v where v."integrationId" = ${identifier(i, "integrationId")} and v.number = ${number})`;

/** Joins the agreed version `a` of installation `i`. */
export const joinAgreed: Sql = sql`join "IntegrationVersion" a
  on a."integrationId" = i."integrationId" and a.number = i."agreedVersion"`;

/** The blocks of installation `i` of integration `n` with the agreed version `a`. */
export const blocksThatRun: Sql = sql`case when i."pinnedVersion" is null then n.blocks else a.manifest->'blocks' end`;

/** The declared settings of installation `i` of integration `n` at a level, with the agreed version `a`. */
export const settingsThatRun = (level: string): Sql => sql`coalesce(case when i."pinnedVersion" is null
  then n.configurations else a.manifest->'configurations' end -> ${level}::text, '{}')`;

/** Whether installation `i` may be on spaces or sites by its agreed version `a`, and by the version that runs. */
export const isMadeFor = (level: "space" | "site"): Sql => sql`(
  coalesce(a.manifest->>'target', 'all') in ('all', ${level})
  and (i."pinnedVersion" is not null or n.target in ('all', ${level}::"IntegrationTarget")))`;
