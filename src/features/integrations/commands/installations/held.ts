// Installations as commands hold and write them: in an organization (`account`), on a space, or on a site. All three
// have a status, a configuration, and names that other services know them by.
import { isDeepStrictEqual } from "node:util";
import { found, invalidInput } from "#src/base/errors.ts";
import { emptySql, identifier, type Sql, sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { Transaction } from "#src/domain/change.ts";
import { checkText } from "#src/domain/input.ts";
import type { EventType } from "#src/events/declared.ts";
import { type DomainEvent, enumValue, settingChanges, type SetupState } from "#src/events/event.ts";
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
} from "#src/features/integrations/model/configuration.ts";
import { joinAgreed, settingsThatRun } from "#src/features/integrations/reads/terms.ts";
import type { InstallationSelection, InstallationStatus, IntegrationRuntime } from "#src/generated/prisma/enums.ts";

/** What an integration is installed on below an organization. */
export type Place = "space" | "site";

/** Where a row is; `account` is the organization, as integrations call it in their configurations. */
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

/** A row, and what says where it is. */
export interface Row extends SetupState {
  readonly level: Level;
  readonly id: string;
  /** Id of the space or site; of the row itself for one of an organization. */
  readonly placeId: string;
  readonly installationId: string;
  readonly integrationId: string;
  readonly organizationId: string;
}

/** What of a row can be changed. */
interface Changeable extends OfOrganization {
  readonly status: InstallationStatus;
  readonly configuration: Configuration;
  readonly externalIds: readonly string[];
}

/** What can be changed only of a row of an organization. */
interface OfOrganization {
  readonly spaceSelection: InstallationSelection;
  readonly siteSelection: InstallationSelection;
  readonly scopes: readonly string[];
  readonly contentSecurityPolicy: string | null;
  readonly agreedVersion: number;
  readonly pinnedVersion: number | null;
  readonly allowsDevMode: boolean;
}

/** A row that nobody else changes before the commit. */
export interface Held extends Row, Changeable {
  readonly configuration: Configuration;
  /** What its integration asks for there. */
  readonly settings: Settings;
  readonly runtime: IntegrationRuntime;
}

/** Holds a row; null when it has gone. The trees of its organization are locked, so that rows are held one by one. */
export async function holdIfThere(transaction: Transaction, level: Level, id: string): Promise<Held | null> {
  const { table, column } = levels[level];
  const own = level === "account" ? sql`r.id` : sql`r."installationId"`;
  const [row] = await transaction.$queryRaw<Omit<Held, "level">[]>(sql`
    select r.id, ${identifier("r", column)} as "placeId", r.status::text, r.configuration, r."externalIds",
      i.id as "installationId", i."integrationId", i."organizationId", i."spaceSelection"::text, i."siteSelection"::text,
      i.runtime::text, i.scopes, i."contentSecurityPolicy", i."agreedVersion", i."pinnedVersion", i."allowsDevMode",
      ${settingsThatRun(level)} as settings
    from ${identifier(table)} r join "IntegrationInstallation" i on i.id = ${own}
      join "Integration" n on n.id = i."integrationId" ${joinAgreed}
    where r.id = ${id} for update of r`);
  return row ? { ...row, level } : null;
}

/** The same; NOT_FOUND when it has gone. */
export const hold = async (transaction: Transaction, level: Level, id: string): Promise<Held> =>
  found(await holdIfThere(transaction, level, id), levels[level].noun);

/** What a row is that is not paused. */
export const statusBy = (configuration: Configuration, settings: Settings): "active" | "pending" =>
  isComplete(configuration, settings) ? "active" : "pending";

/** A checked configuration for a row, and the status that it has with it. */
export function configurationFor({ settings, status }: Held, given: unknown) {
  const configuration = checkConfiguration("configuration", given, settings);
  return { configuration, status: status === "paused" ? status : statusBy(configuration, settings) };
}

/** An event about a row, with the ids that say where it is. */
export function eventOf(
  { level, id, placeId, installationId, integrationId, organizationId }: Row,
  type: EventType,
  facts: DomainEvent["payload"] = {},
): DomainEvent {
  const place = level === "account" ? {} : { [levels[level].column]: placeId };
  const payload = { integrationId, installationId, ...place, ...facts };
  return { type, subjectId: id, organizationId, spaceId: level === "space" ? placeId : null, payload };
}

/** What the integration hears of a row that is new, or as it is now after `previous`. */
export function setUpOf(row: Row, previous: SetupState | null): DomainEvent {
  return eventOf(row, levels[row.level].setUp, { status: row.status, previous });
}

/**
 * Writes what differs in a row, and answers the events of it; none where nothing does. Of a configuration only the
 * names of what is set are told, but for its integration.
 */
export async function rewrite(
  transaction: Transaction,
  { clock }: Pick<Context, "clock">,
  { held, asked }: { held: Held; asked: Partial<Changeable> },
): Promise<DomainEvent[]> {
  const after = { ...held, ...asked };
  const isConfigured = !isDeepStrictEqual(after.configuration, held.configuration);
  const changes = settingChanges<Changeable>(held, asked, auditedColumns);
  if (isConfigured)
    changes.push({
      field: "configuration",
      before: Object.keys(held.configuration),
      after: Object.keys(after.configuration),
    });
  if (changes.length === 0) return [];
  await transaction.$executeRaw(sql`
    update ${identifier(levels[held.level].table)} set status = ${after.status}::"InstallationStatus",
      configuration = ${JSON.stringify(after.configuration)}::json, "externalIds" = ${[...after.externalIds]}::text[],
      "updatedAt" = ${clock.now().toISOString()}::timestamptz${held.level === "account" ? ofOrganization(after) : emptySql}
    where id = ${held.id}`);
  const updated = eventOf(held, levels[held.level].events.updated, { changes });
  if (!isConfigured && after.status === held.status) return [updated];
  const { status, configuration } = held;
  return [updated, setUpOf(after, { status, configuration })];
}

const ofOrganization = ({ spaceSelection, siteSelection, scopes, ...after }: OfOrganization): Sql =>
  sql`, "spaceSelection" = ${spaceSelection}::"InstallationSelection",
    "siteSelection" = ${siteSelection}::"InstallationSelection", scopes = ${[...scopes]}::text[],
    "contentSecurityPolicy" = ${after.contentSecurityPolicy}, "agreedVersion" = ${after.agreedVersion},
    "pinnedVersion" = ${after.pinnedVersion}, "allowsDevMode" = ${after.allowsDevMode}`;

/** The settings as events tell them. */
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

/** The most names that other services know an installation by. */
const mostExternalIds = 100;

/** The names, each once. INVALID_INPUT for more than 100, and for one that is empty or has more than 256 characters. */
export function checkExternalIds(ids: readonly string[]): string[] {
  if (ids.length > mostExternalIds) throw invalidInput("externalIds", `must be at most ${mostExternalIds}.`);
  return [...new Set(ids.map((id, index) => checkText(`externalIds/${index}`, id, { min: 1, max: 256 })))];
}
