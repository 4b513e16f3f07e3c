// Installing integrations in organizations, changing how they are installed, and removing them.
import { DomainError, found, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { want } from "#src/db/reading/entity.ts";
import { type Action, change, changeIfAny, type Deleted, deleteIfThere, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { given, ifGiven, type Optional } from "#src/domain/input.ts";
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
  agreementOf,
  type GivenVersions,
  requireCurrent,
} from "#src/features/integrations/commands/installations/agree.ts";
import {
  checkExternalIds,
  configurationFor,
  eventOf,
  findAndLockRow,
  levels,
  type LockedRow,
  lockRow,
  rewrite,
  setUpOf,
  statusBy,
} from "#src/features/integrations/commands/installations/installation-row.ts";
import {
  fillPlaces,
  leavePlaces,
  ofInstallation,
} from "#src/features/integrations/commands/installations/places-table.ts";
import { checkConfiguration } from "#src/features/integrations/model/configuration.ts";
import type { Settings } from "#src/features/integrations/model/manifest/configurations.ts";
import { checkIntegrationName } from "#src/features/integrations/model/manifest/names.ts";
import { integrations, listedIntegrations } from "#src/features/integrations/reads.ts";
import { installations } from "#src/features/integrations/reads/installations.ts";
import type { InOrganization } from "#src/features/organizations/access.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { InstallationSelection } from "#src/generated/prisma/enums.ts";

/** What is said of an installation. */
type Given = Optional<{
  readonly configuration: unknown;
  readonly externalIds: readonly string[];
  readonly spaceSelection: InstallationSelection;
  readonly siteSelection: InstallationSelection;
}>;

/** The same, with the number of the version whose terms the admin has read; without it, of the current version. */
type InstallInput = Given & Optional<{ readonly agreedVersion: number }>;

/** What an update says beside. */
type Update = Given &
  GivenVersions &
  Optional<{
    readonly allowsDevMode: boolean;
    /** The installation has to be of this integration. */
    readonly integrationName: string;
  }>;

/** What is given, but for the configuration, as it is stored. */
function checked({ externalIds, spaceSelection, siteSelection }: Given) {
  return given({
    externalIds: ifGiven("externalIds", externalIds, checkExternalIds),
    spaceSelection: ifGiven("spaceSelection", spaceSelection, (one) => one),
    siteSelection: ifGiven("siteSelection", siteSelection, (one) => one),
  });
}

/**
 * Installs an integration in an organization: on all its spaces and sites, or on those that are selected later. It is
 * pending until its configuration has what is required. For admins of the organization.
 *
 * Throws NOT_FOUND for an integration or organization that the viewer may not see, FORBIDDEN for a private integration
 * of another organization, INVALID_INPUT for a configuration that the integration does not declare, CONFLICT where it
 * is installed already, and if `agreedVersion` is not the latest version.
 */
export async function installIntegration(
  context: Context,
  input: InstallInput & { readonly integrationName: string; readonly organizationId: string },
): Promise<{ id: string }> {
  const name = checkIntegrationName(input.integrationName);
  const settings = checked(input);
  const configured = ifGiven("configuration", input.configuration, (one) => one) ?? {};
  const agreedVersion = ifGiven("agreedVersion", input.agreedVersion, (one) => one);
  const request = { key: { name }, wanted: want(["organizationId", "visibility"]) };
  const integration = found(await context.reader.pick(listedIntegrations, {}, request), integrations.noun);
  const { id: organizationId } = await context.reader.found(organizations, input.organizationId, want(["id"]));
  return change(context, mayInstallIntegration, { organizationId, integration }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const { settings: declared, ...terms } = await lockOfferedTerms(transaction, integration.id);
    requireCurrent(agreedVersion ?? terms.agreedVersion, terms.agreedVersion);
    const installed = { integrationId: integration.id, organizationId };
    if ((await transaction.integrationInstallation.count({ where: installed })) > 0)
      throw new DomainError("CONFLICT", "The integration is installed in this organization already.");
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

/** What an integration asks for in an organization, and the terms of its latest version, as they are kept. */
interface OfferedTerms extends Pick<LockedRow, "runtime" | "contentSecurityPolicy" | "agreedVersion"> {
  readonly settings: Settings;
  readonly scopes: string[];
}

/** What an integration asks for. Nobody changes that before the commit. */
async function lockOfferedTerms(transaction: Transaction, id: string): Promise<OfferedTerms> {
  const [integration] = await transaction.$queryRaw<OfferedTerms[]>(sql`
    select coalesce(n.configurations -> 'account', '{}') as settings, n.runtime::text, n.scopes,
      n."contentSecurityPolicy", n.version as "agreedVersion"
    from "Integration" n where n.id = ${id} for share`);
  return found(integration ?? null, integrations.noun);
}

/** Installs it on all spaces and sites where it is to be on all. */
async function fill(transaction: Transaction, id: string): Promise<DomainEvent[]> {
  const onSpaces = await fillPlaces(transaction, "space", ofInstallation(id));
  return [...onSpaces, ...(await fillPlaces(transaction, "site", ofInstallation(id)))];
}

/** Throws NOT_FOUND for an installation of another integration. */
async function requireOfIntegration({ reader }: Context, id: string, name: string): Promise<void> {
  const installation = await reader.found(installations, id, want(["integrationName"]));
  if (installation.integrationName !== name) throw notFound(installations.noun);
}

/** Removes it from the spaces and sites that its version is not made for. */
async function leaveUnsupportedPlaces(transaction: Transaction, id: string): Promise<DomainEvent[]> {
  const left = await leavePlaces(transaction, "space", sql`i.id = ${id}`);
  return [...left, ...(await leavePlaces(transaction, "site", sql`i.id = ${id}`))];
}

/** Changes an installation that the viewer sees, whose organization they administrate. */
async function onLocked(
  context: Context,
  id: string,
  {
    action,
    write,
    keepsVersions = false,
  }: {
    action: Action<InOrganization>;
    write: (transaction: Transaction, locked: LockedRow) => Promise<DomainEvent[]>;
    /** Whether nothing is published of the integration until the commit. */
    keepsVersions?: boolean;
  },
): Promise<{ id: string }> {
  const installation = await context.reader.found(installations, id, want(["organizationId", "integrationId"]));
  const { organizationId, integrationId } = installation;
  return changeIfAny(context, action, installation, async (transaction) => {
    await lockTrees(transaction, organizationId);
    if (keepsVersions) await lockOfferedTerms(transaction, integrationId); // before the row, as publishing locks them
    return { result: { id }, events: await write(transaction, await lockRow(transaction, "account", id)) };
  });
}

/**
 * Changes what is given of an installation. A configuration takes the place of the one before; once it has what is
 * required a pending installation is active, and until then an active one is pending. From `selected` to `all` it comes
 * on all spaces or sites where it is not; from `all` to `selected` it stays where it is. It agrees to versions and pins
 * them as {@link agreementOf} says.
 *
 * Throws NOT_FOUND for an installation that the viewer may not see, FORBIDDEN for those who are no admins of its
 * organization, INVALID_INPUT for a configuration that the integration does not declare.
 */
export async function updateInstallation(
  context: Context,
  { installationId, ...input }: Update & { readonly installationId: string },
): Promise<{ id: string }> {
  const allowsDevMode = ifGiven("allowsDevMode", input.allowsDevMode, (one) => one);
  const settings = { ...checked(input), ...given({ allowsDevMode }) };
  const write = async (transaction: Transaction, locked: LockedRow) => {
    const configured = ifGiven("configuration", input.configuration, (one) => configurationFor(locked, one));
    const agreement = await agreementOf(transaction, locked, input);
    const events = await rewrite(transaction, context, {
      locked,
      update: { ...settings, ...configured, ...agreement },
    });
    const left = "scopes" in agreement ? await leaveUnsupportedPlaces(transaction, locked.id) : [];
    return [...events, ...left, ...(await fill(transaction, locked.id))];
  };
  if (input.integrationName != null) await requireOfIntegration(context, installationId, input.integrationName);
  const keepsVersions = input.agreedVersion !== undefined || input.pinnedVersion !== undefined;
  return onLocked(context, installationId, { action: mayUpdateInstallation, write, keepsVersions });
}

/**
 * Pauses an installation: it hears of nothing and answers nothing until it is resumed. One that is paused stays so.
 * Throws as {@link updateInstallation} does.
 */
export function pauseInstallation(context: Context, installationId: string): Promise<{ id: string }> {
  const write = (transaction: Transaction, locked: LockedRow) =>
    rewrite(transaction, context, { locked, update: { status: "paused" } });
  return onLocked(context, installationId, { action: mayPauseInstallation, write });
}

/**
 * Ends the pause of an installation, which is active then, or pending where its configuration lacks something. One that
 * is not paused stays as it is. Throws as {@link updateInstallation} does.
 */
export function resumeInstallation(context: Context, installationId: string): Promise<{ id: string }> {
  const write = (transaction: Transaction, locked: LockedRow) => {
    const update = locked.status === "paused" ? { status: statusBy(locked.configuration, locked.settings) } : {};
    return rewrite(transaction, context, { locked, update });
  };
  return onLocked(context, installationId, { action: mayResumeInstallation, write });
}

/**
 * Removes an integration from an organization, with its configuration, its events, and all that it is installed on.
 * Changes nothing for an installation that is not there or that the viewer may not see. FORBIDDEN for those who are no
 * admins of its organization.
 */
export async function uninstallIntegration(
  context: Context,
  installationId: string,
): Promise<Deleted & { organizationId: string | null }> {
  const installation = await context.reader.row(installations, installationId, want(["organizationId"]));
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
