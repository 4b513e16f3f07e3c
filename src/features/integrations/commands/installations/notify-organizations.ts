// Notifies organizations of changes that a publisher makes to their installations; only its own one learns the actor.
import { type Sql, sql } from "#src/db/connection/database.ts";
import { idStart } from "#src/base/ids.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { noOrigin, writeAudit, writeSelectedAudit } from "#src/events/audit.ts";
import { appendEvents, appendSelectedEvents } from "#src/events/outbox.ts";
import { versionEvents } from "#src/features/integrations/events.ts";
import type { IntegrationVersionModel } from "#src/generated/prisma/models.ts";
import { auditedEvents } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";

interface NewVersion extends Pick<IntegrationVersionModel, "id" | "integrationId" | "number" | "runtime"> {
  /** SHA-256 of the script; null if its events go to `webhookUrl`. */
  readonly script: string | null;
  readonly webhookUrl: string | null;
  readonly scopes: readonly string[];
  /** The organization that publishes it. */
  readonly organizationId: string;
}

/** Removes scopes that a version no longer requests from the installations that run it; notifies the organizations. */
export async function announceVersion(
  transaction: Transaction,
  { viewer, origin, clock }: Pick<Context, "viewer" | "origin" | "clock">,
  version: NewVersion,
): Promise<void> {
  const scopes = sql`${[...version.scopes]}::text[]`;
  const runs = sql`(i."pinnedVersion" is null and i.runtime = ${version.runtime}::"IntegrationRuntime")`;
  const ofIntegration = sql`i."integrationId" = ${version.integrationId}`;
  await transaction.$executeRaw(sql`
    update "IntegrationInstallation" i set "updatedAt" = ${clock.now().toISOString()}::timestamptz,
      scopes = array(select s from unnest(i.scopes) with ordinality o(s, place) where s = any(${scopes}) order by place)
    where ${ofIntegration} and ${runs} and not i.scopes <@ ${scopes}`);
  const own = (value: string | null): Sql =>
    sql`case when i."organizationId" = ${version.organizationId} then ${value} end`;
  const happened = sql`${versionEvents.published}::text as type, i.id as "subjectId", i."organizationId",
    ${own(viewer.userId)} as "actorId", ${factsOf(version, { scopes, runs })} as payload`;
  const installations = sql`from "IntegrationInstallation" i where ${ofIntegration}`;
  await appendSelectedEvents(transaction, sql`select ${happened}, null as "spaceId" ${installations} order by i.id`);
  const start = idStart("AuditEntry", version.id);
  const id = sql`${start} || substr(i.id, ${start.length + 1}::int)`;
  const place = sql`${own(origin.address)} as address, ${own(origin.agent)} as agent`;
  await writeSelectedAudit(transaction, sql`select ${id} as id, ${happened}, ${place} ${installations}`);
}

/** The facts of the event and the audit entry. `runs` says whether it runs in the installation, which may be pinned. */
function factsOf({ webhookUrl, ...version }: NewVersion, { scopes, runs }: { scopes: Sql; runs: Sql }): Sql {
  const host = webhookUrl === null ? null : (URL.parse(webhookUrl)?.host ?? null);
  return sql`jsonb_build_object('integrationId', i."integrationId", 'installationId', i.id,
    'version', ${version.number}::int, 'runs', ${runs}, 'scopes', to_jsonb(${scopes}),
    'pendingScopes', to_jsonb(array(select s from unnest(${scopes}) s where ${runs} and s <> all(i.scopes))),
    'scriptHash', ${version.script}::text, 'webhookHost', ${host}::text)`;
}

/** Writes the events: with the actor in the organization of the publisher, without it in all others. */
export async function notifyOrganizations(
  transaction: Transaction,
  { viewer, origin }: Pick<Context, "viewer" | "origin">,
  { organizationId, events }: { organizationId: string; events: readonly DomainEvent[] },
): Promise<void> {
  for (const isOwn of [true, false]) {
    const delivered = events.filter((event) => (event.organizationId === organizationId) === isOwn);
    const audited = delivered.filter(({ type }) => auditedEvents.has(type));
    const actorId = isOwn ? viewer.userId : null;
    if (delivered.length > 0) await appendEvents(transaction, actorId, delivered);
    if (audited.length > 0) await writeAudit(transaction, { actorId, origin: isOwn ? origin : noOrigin }, audited);
  }
}
