// The sites, sections, groups, site spaces and spaces that a command names, loaded for the viewer.
import { itemRoleColumns, type ItemRoleParts } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { found, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { type Entity, project } from "#src/db/reading/entity.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import type { Optional } from "#src/domain/input.ts";
import { slugOf } from "#src/base/text/slugs.ts";
import { siteRoleColumns, type SiteRoleParts } from "#src/features/sites/access.ts";
import type { PlacedSpace } from "#src/features/sites/model/structure.ts";
import { sites } from "#src/features/sites/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { whenAll } from "#src/runtime/waiting.ts";

/** The parents that the caller expects: NOT_FOUND unless they match. */
export type Within = Optional<{ organizationId: string; siteId: string }>;

export type LoadedSite = SiteRoleParts & { readonly id: string };

/** The site of this id. NOT_FOUND if the viewer may not see it, or if it belongs to another organization. */
export async function loadSite({ reader }: Context, siteId: string, { organizationId }: Within): Promise<LoadedSite> {
  const site = await reader.found(sites, siteId, project(siteRoleColumns));
  if (organizationId != null && organizationId !== site.organizationId) throw notFound("site");
  return site;
}

/** A section, group or site space of this id, and its site. NOT_FOUND if the viewer may not see it. */
export async function loadPart<Row extends { id: string; siteId: string }>(
  context: Context,
  entity: Entity<Row, Viewer>,
  id: string,
  within: Within,
): Promise<LoadedSite> {
  return found(await findPart(context, entity, id, within), entity.noun);
}

/** The site of a section, group or site space; null without it. NOT_FOUND if the given site does not exist. */
export async function findPart<Row extends { id: string; siteId: string }>(
  context: Context,
  entity: Entity<Row, Viewer>,
  id: string,
  within: Within,
): Promise<LoadedSite | null> {
  const named = within.siteId == null ? null : await loadSite(context, within.siteId, within);
  const row = await context.reader.row(entity, id, project(["siteId"]));
  if (!row || (named && named.id !== row.siteId)) return null;
  const site = named ?? (await loadSite(context, row.siteId, {}));
  const { organizationId = site.organizationId } = within;
  return organizationId === null || organizationId === site.organizationId ? site : null;
}

/** Spaces of the organization, in the order of the ids. NOT_FOUND if the viewer may not see one of them there. */
export function loadSpaces(
  { reader }: Context,
  organizationId: string,
  ids: readonly string[],
): Promise<ItemRoleParts[]> {
  return whenAll(
    ids.map(async (id) => {
      const space = await reader.found(spaces, id, project(itemRoleColumns));
      if (space.organizationId !== organizationId) throw notFound("space");
      return space;
    }),
  );
}

/** New site spaces, in the order of the ids. Locks the space trees. NOT_FOUND if a space was deleted. */
export async function newSiteSpaces(
  transaction: Transaction,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<(PlacedSpace & { readonly row: { readonly title: string; readonly spaceId: string } })[]> {
  const rows = await transaction.space.findMany({
    where: { id: { in: [...spaceIds] }, organizationId, deletedAt: null },
    select: { id: true, title: true },
  });
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  return spaceIds.map((spaceId) => {
    const given = titles.get(spaceId);
    if (given === undefined) throw notFound("space");
    const title = given.trim() || "Untitled";
    const row = { spaceId, title };
    return {
      id: newId("SiteSpace"),
      position: null,
      path: slugOf(title, "space"),
      condition: null,
      isDefault: false,
      row,
    };
  });
}
