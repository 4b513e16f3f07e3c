// Rows of installations: of an organization (`account`), a space or a site. All three have a status, a configuration,
// and external ids.
import { isDeepStrictEqual } from "node:util";
import { found, invalidInput } from "#src/base/errors.ts";
import { emptySql, identifier, type Sql, sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { Transaction } from "#src/domain/change.ts";
import { checkText } from "#src/domain/input.ts";
import type { EventType } from "#src/events/declared.ts";
import { type DomainEvent, enumValue, settingChanges, type SetupState } from "#src/events/event.ts";
import { retryNow } from "#src/features/integrations/commands/runs/retry-now.ts";
import {
  installationEvents,
  integrationSiteEvents,
  integrationSpaceEvents,
  setupEvents,
} from "#src/features/integrations/events.ts";
import {
  checkConfiguration,
  type Configuration,
  isComplete,
  type Settings,
} from "#src/features/integrations/model/manifest/configurations.ts";
import { joinAgreed, settingsThatRun } from "#src/features/integrations/reads/terms.ts";
import type { InstallationSelection, InstallationStatus, IntegrationRuntime } from "#src/generated/prisma/enums.ts";

export type Place = "space" | "site";

/** `account` is the organization, the name that configurations of integrations use. */
export type Level = "account" | Place;

export const levels = {
  account: {
    noun: "installation",
    table: "IntegrationInstallation",
    column: "id",
    events: installationEvents,
    setUp: setupEvents.installation,
  },
  space: {
    noun: "installation on a space",
    table: "IntegrationSpace",
    column: "spaceId",
    events: integrationSpaceEvents,
    setUp: setupEvents.space,
  },
  site: {
    noun: "installation on a site",
    table: "IntegrationSite",
    column: "siteId",
    events: integrationSiteEvents,
    setUp: setupEvents.site,
  },
} as const;

export interface Row extends SetupState {
  readonly level: Level;
  readonly id: string;
  /** Id of the space or site; of the row itself for an organization. */
  readonly placeId: string;
  readonly installationId: string;
  readonly integrationId: string;
  readonly organizationId: string;
}

interface Changeable extends OfOrganization {
  readonly status: InstallationStatus;
  readonly configuration: Configuration;
  readonly externalIds: readonly string[];
}

interface OfOrganization {
  readonly spaceSelection: InstallationSelection;
  readonly siteSelection: InstallationSelection;
  readonly scopes: readonly string[];
  readonly contentSecurityPolicy: string | null;
  readonly agreedVersion: number;
  readonly pinnedVersion: number | null;
  readonly allowsDevMode: boolean;
}

export interface LockedRow extends Row, Changeable {
  readonly configuration: Configuration;
  /** The settings that the integration declares for the level. */
  readonly settings: Settings;
  readonly runtime: IntegrationRuntime;
}

/** Null if it was deleted. The trees of its organization are locked before, so that rows are locked one by one. */
export async function findAndLockRow(transaction: Transaction, level: Level, id: string): Promise<LockedRow | null> {
  const { table, column } = levels[level];
  const own = level === "account" ? sql`r.id` : sql`r."installationId"`;
  const [row] = await transaction.$queryRaw<Omit<LockedRow, "level">[]>(sql`
    select r.id, ${identifier("r", column)} as "placeId", r.status::text, r.configuration, r."externalIds",
      i.id as "installationId", i."integrationId", i."organizationId", i."spaceSelection"::text, i."siteSelection"::text,
      i.runtime::text, i.scopes, i."contentSecurityPolicy", i."agreedVersion", i."pinnedVersion", i."allowsDevMode",
      ${settingsThatRun(level)} as settings
    from ${identifier(table)} r join "IntegrationInstallation" i on i.id = ${own}
      join "Integration" n on n.id = i."integrationId" ${joinAgreed}
    where r.id = ${id} for update of r`);
  return row ? { ...row, level } : null;
}

/** Locks a row. NOT_FOUND if it was deleted. */
export const lockRow = async (transaction: Transaction, level: Level, id: string): Promise<LockedRow> =>
  found(await findAndLockRow(transaction, level, id), levels[level].noun);

/** The status of a row that is not paused. */
export const statusBy = (configuration: Configuration, settings: Settings): "active" | "pending" =>
  isComplete(configuration, settings) ? "active" : "pending";

/** The checked configuration of a row, and the status that follows from it. */
export function configurationFor(
  { viewer }: Pick<Context, "viewer">,
  { settings, status, configuration: before }: LockedRow,
  given: unknown,
) {
  const change = { before, isByScript: viewer.installation !== null };
  const configuration = checkConfiguration("configuration", given, settings, change);
  return { configuration, status: status === "paused" ? status : statusBy(configuration, settings) };
}

export function eventOf(
  { level, id, placeId, installationId, integrationId, organizationId }: Row,
  type: EventType,
  facts: DomainEvent["payload"] = {},
): DomainEvent {
  const place = level === "account" ? {} : { [levels[level].column]: placeId };
  const payload = { integrationId, installationId, ...place, ...facts };
  return { type, subjectId: id, organizationId, spaceId: level === "space" ? placeId : null, payload };
}

/** The setup event for the integration; `previous` is null for a new row. */
export function setUpOf(row: Row, previous: SetupState | null): DomainEvent {
  return eventOf(row, levels[row.level].setUp, { status: row.status, previous });
}

/** Writes the changed columns of a row, and returns the events. Only setup events contain configuration values. */
export async function rewrite(
  transaction: Transaction,
  context: Pick<Context, "clock">,
  { locked, update }: { locked: LockedRow; update: Partial<Changeable> },
): Promise<DomainEvent[]> {
  const after = { ...locked, ...update };
  const isConfigured = !isDeepStrictEqual(after.configuration, locked.configuration);
  const changes = settingChanges<Changeable>(locked, update, auditedColumns);
  if (isConfigured)
    changes.push({
      field: "configuration",
      before: Object.keys(locked.configuration),
      after: Object.keys(after.configuration),
    });
  if (changes.length === 0) return [];
  await transaction.$executeRaw(sql`
    update ${identifier(levels[locked.level].table)} set status = ${after.status}::"InstallationStatus",
      configuration = ${JSON.stringify(after.configuration)}::json, "externalIds" = ${[...after.externalIds]}::text[],
      "updatedAt" = ${context.clock.now().toISOString()}::timestamptz${locked.level === "account" ? ofOrganization(after) : emptySql}
    where id = ${locked.id}`);
  await retryNow(transaction, context, sql`i.id = ${locked.installationId}`);
  const updated = eventOf(locked, levels[locked.level].events.updated, { changes });
  if (!isConfigured && after.status === locked.status) return [updated];
  const { status, configuration } = locked;
  return [updated, setUpOf(after, { status, configuration })];
}

const ofOrganization = ({ spaceSelection, siteSelection, scopes, ...after }: OfOrganization): Sql =>
  sql`, "spaceSelection" = ${spaceSelection}::"InstallationSelection",
    "siteSelection" = ${siteSelection}::"InstallationSelection", scopes = ${[...scopes]}::text[],
    "contentSecurityPolicy" = ${after.contentSecurityPolicy}, "agreedVersion" = ${after.agreedVersion},
    "pinnedVersion" = ${after.pinnedVersion}, "allowsDevMode" = ${after.allowsDevMode}`;

const auditedColumns = {
  status: ["status", enumValue],
  externalIds: "externalIds",
  spaceSelection: ["spaceSelection", enumValue],
  siteSelection: ["siteSelection", enumValue],
  scopes: ["scopes", (scopes: readonly string[]) => scopes.map((scope) => scope.replaceAll(":", "_").toUpperCase())],
  contentSecurityPolicy: "contentSecurityPolicy",
  agreedVersion: "agreedVersion",
  pinnedVersion: "pinnedVersion",
  allowsDevMode: "allowsDevMode",
} as const;

const mostExternalIds = 100;

/** The distinct external ids. INVALID_INPUT for more than 100, and unless each has 1 to 256 characters. */
export function checkExternalIds(ids: readonly string[]): string[] {
  if (ids.length > mostExternalIds) throw invalidInput("externalIds", `must have at most ${mostExternalIds} entries.`);
  return [...new Set(ids.map((id, index) => checkText(`externalIds/${index}`, id, { min: 1, max: 256 })))];
}
