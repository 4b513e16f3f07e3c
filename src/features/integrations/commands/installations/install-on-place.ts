// Commands that install integrations on single spaces and sites, configure these installations, and remove them.
import type { Viewer } from "#src/access/viewer.ts";
import { DomainError, found, notFound } from "#src/base/errors.ts";
import { identifier, sql } from "#src/db/connection/database.ts";
import { type Entity, project } from "#src/db/reading/entity.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import {
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
  type Transaction,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { given, ifGiven, type Optional } from "#src/domain/input.ts";
import { lockTrees } from "#src/features/collections/commands/place.ts";
import {
  mayInstallOnSite,
  mayInstallOnSpace,
  mayUninstallFromSite,
  mayUninstallFromSpace,
  mayUpdateIntegrationSite,
  mayUpdateIntegrationSpace,
} from "#src/features/integrations/access.ts";
import { provideUser } from "#src/features/integrations/commands/runs/identity.ts";
import {
  checkExternalIds,
  configurationFor,
  eventOf,
  type LockedRow,
  lockRow,
  findAndLockRow,
  levels,
  type Place,
  rewrite,
  type Row,
} from "#src/features/integrations/commands/installations/installation-row.ts";
import { addPlaces, eventsOfNew, places } from "#src/features/integrations/commands/installations/places-table.ts";
import {
  installations,
  integrationSites,
  integrationSpaces,
  sitesOfInstallation,
  spacesOfInstallation,
} from "#src/features/integrations/reads/installations.ts";
import { isMadeFor, joinAgreed, settingsThatRun } from "#src/features/integrations/reads/terms.ts";
import type { InOrganization } from "#src/features/organizations/access.ts";
import { sites } from "#src/features/sites/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";

type PlaceRow = InOrganization & Record<"id" | "installationId" | "integrationName", string>;
type PlacesOfInstallation = PageList<PlaceRow, Viewer, object>;

const kinds = {
  space: {
    rows: integrationSpaces as Entity<PlaceRow, Viewer>,
    within: spacesOfInstallation as PlacesOfInstallation,
    places: spaces as Entity<InOrganization & { id: string }, Viewer>,
    mayCreate: mayInstallOnSpace,
    mayUpdate: mayUpdateIntegrationSpace,
    mayDelete: mayUninstallFromSpace,
  },
  site: {
    rows: integrationSites as Entity<PlaceRow, Viewer>,
    within: sitesOfInstallation as PlacesOfInstallation,
    places: sites as Entity<InOrganization & { id: string }, Viewer>,
    mayCreate: mayInstallOnSite,
    mayUpdate: mayUpdateIntegrationSite,
    mayDelete: mayUninstallFromSite,
  },
} as const;

type Given = Optional<{ readonly configuration: unknown; readonly externalIds: readonly string[] }>;

/** Throws NOT_FOUND, INVALID_INPUT for an undeclared configuration, CONFLICT if installed or unsupported there. */
export async function installOnPlace(
  context: Context,
  level: Place,
  { installationId, placeId, ...input }: Given & { readonly installationId: string; readonly placeId: string },
): Promise<{ id: string }> {
  const { places: entity, mayCreate } = kinds[level];
  const externalIds = ifGiven("externalIds", input.externalIds, checkExternalIds) ?? [];
  const configuration = ifGiven("configuration", input.configuration, (one) => one);
  const installation = await context.reader.found(installations, installationId, project(["organizationId"]));
  await requireAllowed(context, mayCreate, installation); // before errors can reveal anything about the space or site
  const { organizationId } = installation;
  const place = await context.reader.found(entity, placeId, project(["organizationId"]));
  if (place.organizationId !== organizationId) throw notFound(entity.noun);
  return change(context, mayCreate, installation, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const locked = await lockRow(transaction, "account", installationId);
    const settings = await settingsFor(transaction, level, { locked, placeId });
    const { integrationId } = locked;
    const added = { placeId, installationId, integrationId, organizationId, configuration, externalIds, settings };
    const [row] = (await addPlaces(transaction, level, [added])) as [Row]; // one row per input
    return { result: { id: row.id }, events: eventsOfNew(row) };
  });
}

interface PlaceSettings {
  readonly settings: LockedRow["settings"];
  readonly isMadeForIt: boolean;
  readonly isInstalled: boolean;
}

/** The declared settings for a place, which is locked. CONFLICT if the integration cannot be installed there. */
async function settingsFor(
  transaction: Transaction,
  level: Place,
  { locked, placeId }: { locked: LockedRow; placeId: string },
) {
  const { table, column } = levels[level];
  const { of } = places[level];
  const [place] = await transaction.$queryRaw<PlaceSettings[]>(sql`
    select ${settingsThatRun(level)} as settings, ${isMadeFor(level)} as "isMadeForIt",
      exists (select from ${identifier(table)} r
        where r."installationId" = i.id and ${identifier("r", column)} = x.id) as "isInstalled"
    from "IntegrationInstallation" i join "Integration" n on n.id = i."integrationId" ${joinAgreed}
      join ${identifier(of)} x on x."organizationId" = i."organizationId"
    where i.id = ${locked.id} and x.id = ${placeId} for key share of x`);
  if (!place) throw notFound(level);
  if (!place.isMadeForIt)
    throw new DomainError("CONFLICT", `The agreed target of this integration does not include ${level}s.`);
  if (place.isInstalled) throw new DomainError("CONFLICT", `The integration is already installed on this ${level}.`);
  return place.settings;
}

/** The installation on a place by its id; in /v1 by the id of the place, below that of the installation. */
async function rowOn({ reader, path }: Context, level: Place, id: string): Promise<PlaceRow | null> {
  const { rows, within } = kinds[level];
  const projection = project(["organizationId", "installationId", "integrationName"]);
  const installationId = path?.["installationId"];
  if (installationId === undefined) return reader.row(rows, id, projection);
  const request = { key: { [levels[level].column]: id }, projection };
  const row = await reader.pick(within, { id: installationId }, request);
  return row?.integrationName === path?.["integrationName"] ? row : null;
}

/** Throws NOT_FOUND unless the viewer sees it, INVALID_INPUT for an undeclared configuration. */
export async function updatePlace(
  context: Context,
  level: Place,
  { configuration, externalIds: ids, id: named }: Given & { readonly id: string },
): Promise<{ id: string }> {
  const { mayUpdate } = kinds[level];
  const externalIds = ifGiven("externalIds", ids, checkExternalIds);
  const row = found(await rowOn(context, level, named), kinds[level].rows.noun);
  const { id } = row;
  const { installation } = context.viewer;
  if (installation) await provideUser(context.database, installation.id);
  return changeIfAny(context, mayUpdate, row, async (transaction) => {
    await lockTrees(transaction, row.organizationId);
    const locked = await lockRow(transaction, level, id);
    const configured = ifGiven("configuration", configuration, (one) => configurationFor(context, locked, one));
    const update = { ...given({ externalIds }), ...configured };
    return { result: { id }, events: await rewrite(transaction, context, { locked, update }) };
  });
}

type Removed = Deleted & { readonly installationId: string | null };

/** Null if the viewer sees no such row. CONFLICT for an installation on all spaces or sites. */
export async function uninstallFromPlace(context: Context, level: Place, named: string): Promise<Removed> {
  const { mayDelete } = kinds[level];
  const { table, events } = levels[level];
  const { selection } = places[level];
  const row = await rowOn(context, level, named);
  if (!row) return { deletedId: null, installationId: null };
  const { id } = row;
  return answersWith(context, { installationId: row.installationId }, () =>
    deleteIfThere(context, mayDelete, row, async (transaction) => {
      await lockTrees(transaction, row.organizationId);
      const locked = await findAndLockRow(transaction, level, id);
      if (!locked) return null;
      if (locked[selection] === "all")
        throw new DomainError(
          "CONFLICT",
          `The integration is installed on all ${level}s: change its \`${selection}\` to SELECTED first, with updateInstallation.`,
        );
      await transaction.$executeRaw(sql`delete from ${identifier(table)} where id = ${id}`);
      return eventOf(locked, events.deleted);
    }),
  );
}
