// The rows of installations on spaces and sites: selected ones, or all of an organization.
import { newId } from "#src/base/ids.ts";
import { identifier, type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { appendEvents } from "#src/events/outbox.ts";
import { beforeContentTransfer } from "#src/features/collections/commands/move.ts";
import {
  eventOf,
  levels,
  type Place,
  type Row,
  setUpOf,
  statusBy,
} from "#src/features/integrations/commands/installations/installation-row.ts";
import { checkConfiguration, type Settings } from "#src/features/integrations/model/manifest/configurations.ts";
import { isMadeFor, joinAgreed, settingsThatRun } from "#src/features/integrations/reads/terms.ts";
import { onSiteCreated } from "#src/features/sites/commands/site.ts";
import { onSpaceCreated } from "#src/features/spaces/commands/space.ts";

export const places = {
  space: { of: "Space", selection: "spaceSelection", id: "IntegrationSpace" },
  site: { of: "Site", selection: "siteSelection", id: "IntegrationSite" },
} as const;

interface NewPlace extends Omit<Row, "level" | "id" | "status" | "configuration"> {
  /** From the input, unchecked. */
  readonly configuration?: unknown;
  readonly externalIds?: readonly string[];
  readonly settings: Settings;
}

/** Adds rows for locked spaces or sites. INVALID_INPUT for a configuration that the integration does not declare. */
export async function addPlaces(transaction: Transaction, level: Place, added: readonly NewPlace[]): Promise<Row[]> {
  const rows = added.map(({ settings, configuration: given = {}, externalIds = [], ...row }) => {
    const configuration = checkConfiguration("configuration", given, settings);
    const status = statusBy(configuration, settings);
    return { ...row, level, id: newId(places[level].id), status, configuration, externalIds };
  });
  if (rows.length === 0) return [];
  const { table, column } = levels[level];
  await transaction.$executeRaw(sql`
    insert into ${identifier(table)} (id, "installationId", ${identifier(column)}, status, configuration, "externalIds")
    select r.id, r."installationId", r."placeId", r.status, r.configuration, r."externalIds"
    from json_to_recordset(${JSON.stringify(rows)}::json) r(id text, "installationId" text, "placeId" text,
      status "InstallationStatus", configuration json, "externalIds" text[])`);
  return rows;
}

export const eventsOfNew = (row: Row): [DomainEvent, DomainEvent] => [
  eventOf(row, levels[row.level].events.created),
  setUpOf(row, null),
];

/** Adds missing rows of installations `i` on all `x` for which `where` holds. Callers have locked the trees. */
export async function fillPlaces(transaction: Transaction, level: Place, where: Sql): Promise<DomainEvent[]> {
  const { of, selection } = places[level];
  const { table, column } = levels[level];
  const missing = await transaction.$queryRaw<NewPlace[]>(sql`
    select x.id as "placeId", i.id as "installationId", i."integrationId", i."organizationId",
      ${settingsThatRun(level)} as settings
    from "IntegrationInstallation" i join "Integration" n on n.id = i."integrationId" ${joinAgreed}
      cross join ${identifier(of)} x
    where ${identifier("i", selection)} = 'all' and ${isMadeFor(level)} and ${where}
      and not exists (select from ${identifier(table)} r where r."installationId" = i.id and ${identifier("r", column)} = x.id)
    order by i.id, x.id for key share of i, x`);
  return (await addPlaces(transaction, level, missing)).flatMap(eventsOfNew);
}

export const ofInstallation = (id: string): Sql => sql`i.id = ${id} and x."organizationId" = i."organizationId"`;

export const onNewSpace = onSpaceCreated.join(async (transaction, { id, organizationId }) => {
  const where = sql`i."organizationId" = ${organizationId} and x.id = ${id}`;
  await appendEvents(transaction, null, await fillPlaces(transaction, "space", where));
});

export const onNewSite = onSiteCreated.join(async (transaction, { id, organizationId }) => {
  const where = sql`i."organizationId" = ${organizationId} and x.id = ${id}`;
  await appendEvents(transaction, null, await fillPlaces(transaction, "site", where));
});

/** Removes installations `i` for which `where` holds from spaces or sites that their target no longer includes. */
export async function removePlaces(transaction: Transaction, level: Place, where: Sql): Promise<DomainEvent[]> {
  const { table, column } = levels[level];
  const left = await transaction.$queryRaw<Omit<Row, "level" | "configuration">[]>(sql`
    with gone as (delete from ${identifier(table)} r using "IntegrationInstallation" i
        join "Integration" n on n.id = i."integrationId" ${joinAgreed}
      where i.id = r."installationId" and ${where} and not ${isMadeFor(level)}
      returning r.id, ${identifier("r", column)} as "placeId", r.status::text, i.id as "installationId",
        i."integrationId", i."organizationId")
    select * from gone order by id`);
  return left.map((row) => eventOf({ ...row, level, configuration: {} }, levels[level].events.deleted));
}

/** Moves spaces from the installations of their organization to those on all spaces of the other one. */
export const onLeavingSpaces = beforeContentTransfer.join(async (transaction, { to, spaces }) => {
  const left = await transaction.$queryRaw<Omit<Row, "level" | "configuration">[]>(sql`
    with gone as (delete from "IntegrationSpace" r where r."spaceId" in (${spaces}) returning r.*)
    select g.id, g."spaceId" as "placeId", g.status::text, g."installationId", i."integrationId", i."organizationId"
    from gone g join "IntegrationInstallation" i on i.id = g."installationId" order by g.id`);
  const rows = left.map((row): Row => ({ ...row, level: "space", configuration: {} }));
  const came = await fillPlaces(transaction, "space", sql`i."organizationId" = ${to} and x.id in (${spaces})`);
  const gone = rows.map((row) => eventOf(row, levels.space.events.deleted));
  await appendEvents(transaction, null, [...gone, ...came]);
});
