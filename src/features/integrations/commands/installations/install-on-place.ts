// Commands that install integrations on single spaces and sites, configure these installations, and remove them.
import type { Viewer } from "#src/access/viewer.ts";
import { DomainError, notFound } from "#src/base/errors.ts";
import { identifier, sql } from "#src/db/connection/database.ts";
import { type Entity, project } from "#src/db/reading/entity.ts";
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
import { installations, integrationSites, integrationSpaces } from "#src/features/integrations/reads/installations.ts";
import { isMadeFor, joinAgreed, settingsThatRun } from "#src/features/integrations/reads/terms.ts";
import type { InOrganization } from "#src/features/organizations/access.ts";
import { sites } from "#src/features/sites/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";

type PlaceRow = InOrganization & { readonly id: string; readonly installationId: string };

const kinds = {
  space: {
    rows: integrationSpaces as Entity<PlaceRow, Viewer>,
    places: spaces as Entity<InOrganization & { id: string }, Viewer>,
    mayCreate: mayInstallOnSpace,
    mayUpdate: mayUpdateIntegrationSpace,
    mayDelete: mayUninstallFromSpace,
  },
  site: {
    rows: integrationSites as Entity<PlaceRow, Viewer>,
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

/** Throws NOT_FOUND unless the viewer sees it, INVALID_INPUT for an undeclared configuration. */
export async function updatePlace(
  context: Context,
  level: Place,
  { id, ...input }: Given & { readonly id: string },
): Promise<{ id: string }> {
  const { rows, mayUpdate } = kinds[level];
  const externalIds = ifGiven("externalIds", input.externalIds, checkExternalIds);
  const row = await context.reader.found(rows, id, project(["organizationId"]));
  return changeIfAny(context, mayUpdate, row, async (transaction) => {
    await lockTrees(transaction, row.organizationId);
    const locked = await lockRow(transaction, level, id);
    const configured = ifGiven("configuration", input.configuration, (one) => configurationFor(locked, one));
    const update = { ...given({ externalIds }), ...configured };
    return { result: { id }, events: await rewrite(transaction, context, { locked, update }) };
  });
}

type Removed = Deleted & { readonly installationId: string | null };

/** Null if the viewer sees no such row. CONFLICT for an installation on all spaces or sites. */
export async function uninstallFromPlace(context: Context, level: Place, id: string): Promise<Removed> {
  const { rows, mayDelete } = kinds[level];
  const { table, events } = levels[level];
  const { selection } = places[level];
  const row = await context.reader.row(rows, id, project(["organizationId", "installationId"]));
  if (!row) return { deletedId: null, installationId: null };
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
