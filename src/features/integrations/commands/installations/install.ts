// Installs integrations in organizations, changes installations, and removes them.
import { DomainError, invalidInput, found, notFound } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import { type Transaction, type Action, change, changeIfAny, type Deleted, deleteIfThere } from "#src/domain/change.ts";
import { ifGiven, type Optional, given } from "#src/domain/input.ts";
import { provideUser } from "#src/features/integrations/commands/runs/identity.ts";
import {
  type LockedRow,
  checkExternalIds,
  configurationFor,
  eventOf,
  findAndLockRow,
  levels,
  lockRow,
  rewrite,
  setUpOf,
  statusBy,
} from "#src/features/integrations/commands/installations/installation-row.ts";
import type { Terms } from "#src/features/integrations/model/terms.ts";
import { runningNumber, termsOf } from "#src/features/integrations/reads/terms.ts";
import { newId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { lockTrees } from "#src/features/collections/commands/place.ts";
import {
  mayInstallIntegration,
  mayPauseInstallation,
  mayResumeInstallation,
  mayUninstallIntegration,
  mayUpdateInstallation,
} from "#src/features/integrations/access.ts";
import {
  fillPlaces,
  removePlaces,
  ofInstallation,
} from "#src/features/integrations/commands/installations/places-table.ts";
import { checkConfiguration, type Settings } from "#src/features/integrations/model/manifest/configurations.ts";
import { checkIntegrationName } from "#src/features/integrations/model/manifest/names.ts";
import { integrations, listedIntegrations } from "#src/features/integrations/reads.ts";
import { installations } from "#src/features/integrations/reads/installations.ts";
import type { InOrganization } from "#src/features/organizations/access.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { InstallationSelection } from "#src/generated/prisma/enums.ts";

/** `agreedVersion` is the version whose terms the admin has read. */
type GivenVersions = Optional<{ readonly agreedVersion: number; readonly pinnedVersion: number }>;
type Agreement = Partial<Pick<LockedRow, "scopes" | "contentSecurityPolicy" | "agreedVersion" | "pinnedVersion">>;

/**
 * The columns of an installation after an update. Only `agreedVersion` adds scopes; pinning a version removes some.
 * Throws INVALID_INPUT for a pinned version of another runtime, CONFLICT if `agreedVersion` is not the one that runs.
 */
async function agreementOf(transaction: Transaction, locked: LockedRow, given: GivenVersions): Promise<Agreement> {
  const agreedVersion = ifGiven("agreedVersion", given.agreedVersion, (one) => one);
  if (agreedVersion === undefined && given.pinnedVersion === undefined) return {};
  const { pinnedVersion = locked.pinnedVersion } = given;
  const terms = await termsThatRun(transaction, locked, pinnedVersion);
  if (agreedVersion !== undefined) requireCurrent(agreedVersion, terms.number);
  const scopes = terms.scopes.filter((scope) => agreedVersion !== undefined || locked.scopes.includes(scope));
  const isTaken = agreedVersion !== undefined || (pinnedVersion !== null && pinnedVersion !== locked.pinnedVersion);
  const { number, contentSecurityPolicy } = terms;
  return { pinnedVersion, scopes, ...(isTaken && { agreedVersion: number, contentSecurityPolicy }) };
}

/** Throws CONFLICT for the terms of another version than the one that runs. */
function requireCurrent(agreedVersion: number, number: number): void {
  if (agreedVersion === number) return;
  throw new DomainError(
    "CONFLICT",
    `Version ${number} would run, not version ${agreedVersion}: read the terms of version ${number}, and agree to them.`,
  );
}

async function termsThatRun(transaction: Transaction, locked: LockedRow, pinnedVersion: number | null): Promise<Terms> {
  const [row] = await transaction.$queryRaw<{ terms: Terms | null }[]>(sql`
    select ${termsOf("i", runningNumber("i"))} as terms from (
      select r."integrationId", r.runtime, ${pinnedVersion}::int as "pinnedVersion"
      from "IntegrationInstallation" r where r.id = ${locked.id}) i
    where ${pinnedVersion}::int is null or exists (select from "IntegrationVersion" v
      where v."integrationId" = i."integrationId" and v.number = ${pinnedVersion}::int and v.runtime = i.runtime)`);
  if (row?.terms) return row.terms;
  throw invalidInput("pinnedVersion", `must be the number of a version with the runtime \`${locked.runtime}\`.`);
}

type Given = Optional<{
  readonly configuration: unknown;
  readonly externalIds: readonly string[];
  readonly spaceSelection: InstallationSelection;
  readonly siteSelection: InstallationSelection;
}>;

type InstallInput = Given & Pick<GivenVersions, "agreedVersion">;

/** If `integrationName` is given, the installation has to be of that integration. */
type Update = Given & GivenVersions & Optional<{ readonly allowsDevMode: boolean; readonly integrationName: string }>;

/** The given settings without the configuration, as they are stored. */
function checked({ externalIds, spaceSelection, siteSelection }: Given) {
  return given({
    externalIds: ifGiven("externalIds", externalIds, checkExternalIds),
    spaceSelection: ifGiven("spaceSelection", spaceSelection, (one) => one),
    siteSelection: ifGiven("siteSelection", siteSelection, (one) => one),
  });
}

/**
 * It is pending until its configuration is complete. Throws NOT_FOUND, FORBIDDEN for a private integration elsewhere,
 * INVALID_INPUT for an undeclared configuration, CONFLICT if it is installed or `agreedVersion` is not the latest.
 */
export async function installIntegration(
  context: Context,
  input: InstallInput & { readonly integrationName: string; readonly organizationId: string },
): Promise<{ id: string }> {
  const name = checkIntegrationName(input.integrationName);
  const settings = checked(input);
  const configured = ifGiven("configuration", input.configuration, (one) => one) ?? {};
  const agreedVersion = ifGiven("agreedVersion", input.agreedVersion, (one) => one);
  const request = { key: { name }, projection: project(["organizationId", "visibility"]) };
  const integration = found(await context.reader.pick(listedIntegrations, {}, request), integrations.noun);
  const { id: organizationId } = await context.reader.found(organizations, input.organizationId, project(["id"]));
  return change(context, mayInstallIntegration, { organizationId, integration }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const { settings: declared, ...terms } = await lockOfferedTerms(transaction, integration.id);
    requireCurrent(agreedVersion ?? terms.agreedVersion, terms.agreedVersion);
    const installed = { integrationId: integration.id, organizationId };
    if ((await transaction.integrationInstallation.count({ where: installed })) > 0)
      throw new DomainError("CONFLICT", "The integration is already installed in this organization.");
    const configuration = checkConfiguration("configuration", configured, declared);
    const [id, now, status] = [
      newId("IntegrationInstallation"),
      context.clock.now(),
      statusBy(configuration, declared),
    ];
    const { externalIds = [], spaceSelection = "all", siteSelection = "all" } = settings;
    const row = { id, ...installed, status, configuration };
    const other = { ...terms, externalIds, spaceSelection, siteSelection };
    const made = { createdById: context.viewer.userId, createdAt: now, updatedAt: now };
    await transaction.integrationInstallation.create({ data: { ...row, ...other, ...made } });
    const added = { ...row, level: "account", placeId: id, installationId: id } as const;
    const created = eventOf(added, levels.account.events.created, { integrationName: name });
    return { result: { id }, events: [created, setUpOf(added, null), ...(await fill(transaction, id))] };
  });
}

interface OfferedTerms extends Pick<LockedRow, "runtime" | "contentSecurityPolicy" | "agreedVersion"> {
  readonly settings: Settings;
  readonly scopes: string[];
}

/** Reads the terms, and locks the integration against publications until the commit. */
async function lockOfferedTerms(transaction: Transaction, id: string): Promise<OfferedTerms> {
  const [integration] = await transaction.$queryRaw<OfferedTerms[]>(sql`
    select coalesce(n.configurations -> 'account', '{}') as settings, n.runtime::text, n.scopes,
      n."contentSecurityPolicy", n.version as "agreedVersion"
    from "Integration" n where n.id = ${id} for share`);
  return found(integration ?? null, integrations.noun);
}

/** Adds the missing rows on spaces and sites if it is installed on all of them. */
async function fill(transaction: Transaction, id: string): Promise<DomainEvent[]> {
  const onSpaces = await fillPlaces(transaction, "space", ofInstallation(id));
  return [...onSpaces, ...(await fillPlaces(transaction, "site", ofInstallation(id)))];
}

/** Throws NOT_FOUND for an installation of another integration. */
async function requireOfIntegration({ reader }: Context, id: string, name: string): Promise<void> {
  const installation = await reader.found(installations, id, project(["integrationName"]));
  if (installation.integrationName !== name) throw notFound(installations.noun);
}

const ownSettings: ReadonlySet<string> = new Set(["configuration", "externalIds", "integrationName"]);

/** An installation changes only what gives it no rights. */
function requireOwnSettings(input: Update): void {
  const other = Object.keys(input).find((name) => !ownSettings.has(name));
  if (other === undefined) return;
  throw new DomainError("FORBIDDEN", `Only admins of the organization may change \`${other}\` of an installation.`);
}

/** Removes it from spaces and sites that the target of its version does not include. */
async function removeUnsupportedPlaces(transaction: Transaction, id: string): Promise<DomainEvent[]> {
  const left = await removePlaces(transaction, "space", sql`i.id = ${id}`);
  return [...left, ...(await removePlaces(transaction, "site", sql`i.id = ${id}`))];
}

async function writeLocked(
  context: Context,
  id: string,
  {
    action,
    write,
    keepsVersions = false,
  }: {
    action: Action<InOrganization & { readonly id: string }>;
    write: (transaction: Transaction, locked: LockedRow) => Promise<DomainEvent[]>;
    /** Whether to lock the integration against publications. */
    keepsVersions?: boolean;
  },
): Promise<{ id: string }> {
  const installation = await context.reader.found(installations, id, project(["organizationId", "integrationId"]));
  const { organizationId, integrationId } = installation;
  return changeIfAny(context, action, installation, async (transaction) => {
    await lockTrees(transaction, organizationId);
    if (keepsVersions) await lockOfferedTerms(transaction, integrationId); // before the row, as publishing locks them
    return { result: { id }, events: await write(transaction, await lockRow(transaction, "account", id)) };
  });
}

/**
 * A complete configuration makes a pending installation active, an incomplete one an active installation pending. From
 * `selected` to `all` it is added everywhere; from `all` to `selected` it stays. Throws as {@link installIntegration}.
 */
export async function updateInstallation(
  context: Context,
  { installationId, ...input }: Update & { readonly installationId: string },
): Promise<{ id: string }> {
  const { installation } = context.viewer;
  if (installation) {
    requireOwnSettings(input);
    await provideUser(context.database, installation.id);
  }
  const allowsDevMode = ifGiven("allowsDevMode", input.allowsDevMode, (one) => one);
  const settings = { ...checked(input), ...given({ allowsDevMode }) };
  const write = async (transaction: Transaction, locked: LockedRow) => {
    const configured = ifGiven("configuration", input.configuration, (one) => configurationFor(context, locked, one));
    const agreement = await agreementOf(transaction, locked, input);
    const events = await rewrite(transaction, context, {
      locked,
      update: { ...settings, ...configured, ...agreement },
    });
    const left = "scopes" in agreement ? await removeUnsupportedPlaces(transaction, locked.id) : [];
    return [...events, ...left, ...(await fill(transaction, locked.id))];
  };
  if (input.integrationName != null) await requireOfIntegration(context, installationId, input.integrationName);
  const keepsVersions = input.agreedVersion !== undefined || input.pinnedVersion !== undefined;
  return writeLocked(context, installationId, { action: mayUpdateInstallation, write, keepsVersions });
}

/** Pauses an installation: it gets no events and answers nothing. Throws as {@link updateInstallation} does. */
export function pauseInstallation(context: Context, installationId: string): Promise<{ id: string }> {
  const write = (transaction: Transaction, locked: LockedRow) =>
    rewrite(transaction, context, { locked, update: { status: "paused" } });
  return writeLocked(context, installationId, { action: mayPauseInstallation, write });
}

/** It becomes active, or pending if its configuration is incomplete. Throws as {@link updateInstallation} does. */
export function resumeInstallation(context: Context, installationId: string): Promise<{ id: string }> {
  const write = (transaction: Transaction, locked: LockedRow) => {
    const update = locked.status === "paused" ? { status: statusBy(locked.configuration, locked.settings) } : {};
    return rewrite(transaction, context, { locked, update });
  };
  return writeLocked(context, installationId, { action: mayResumeInstallation, write });
}

/** Also removes its events and its rows on spaces and sites. Null if the viewer sees none. */
export async function uninstallIntegration(
  context: Context,
  installationId: string,
): Promise<Deleted & { organizationId: string | null }> {
  const installation = await context.reader.row(installations, installationId, project(["organizationId"]));
  if (!installation) return { deletedId: null, organizationId: null };
  const { id, organizationId } = installation;
  return answersWith(context, { organizationId }, () =>
    deleteIfThere(context, mayUninstallIntegration, installation, async (transaction) => {
      await lockTrees(transaction, organizationId);
      const locked = await findAndLockRow(transaction, "account", id);
      if (!locked) return null;
      await transaction.integrationInstallation.delete({ where: { id }, select: { id: true } });
      return eventOf(locked, levels.account.events.deleted);
    }),
  );
}
