// Commands that place spaces on a site, change and move site spaces, and remove them.
import { type Sql, sql } from "#src/db/connection/database.ts";
import { requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { settingChanges } from "#src/events/event.ts";
import { beforeContentTransfer } from "#src/features/collections/commands/move.ts";
import { checkSlug } from "#src/features/content/model/slug.ts";
import {
  mayChangeSpaceOfSiteSpace,
  mayCreateSiteSpace,
  mayDeleteSiteSpace,
  mayMoveSiteSpace,
  mayUpdateSiteSpace,
} from "#src/features/sites/access.ts";
import { requireCondition } from "#src/features/sites/commands/adaptive.ts";
import {
  findPart,
  loadPart,
  loadSite,
  loadSpaces,
  newSiteSpaces,
  type Within,
} from "#src/features/sites/commands/load.ts";
import {
  checkCondition,
  type DeletedOnSite,
  differing,
  moveOnSite,
  nothingDeleted,
  onSite,
  type Place,
  rearrange,
} from "#src/features/sites/commands/rearrange.ts";
import { pathTaken } from "#src/features/sites/commands/section.ts";
import { siteSpaceEvents } from "#src/features/sites/events.ts";
import type { Structure } from "#src/features/sites/model/structure.ts";
import { siteSpaces } from "#src/features/sites/reads.ts";
import { onSpacesRemoved } from "#src/features/spaces/commands/delete.ts";
import type { SiteSpaceModel } from "#src/generated/prisma/models.ts";

type SiteSpacePlace = Within & { readonly siteSpaceId: string };

/** Places a space last in a section, by default the default one, or at the root of a site without sections. */
export async function createSiteSpace(
  context: Context,
  input: Within & { siteId: string; spaceId: string } & Optional<{ siteSectionId: string }>,
): Promise<{ id: string }> {
  const { spaceId } = input;
  const sectionId = ifGiven("siteSectionId", input.siteSectionId, (one) => one);
  const site = await loadSite(context, input.siteId, input);
  // Before errors can reveal anything about the space.
  await requireAllowed(context, mayCreateSiteSpace, { site, spaces: [] });
  const spaces = await loadSpaces(context, site.organizationId, [spaceId]);
  const placing = { action: mayCreateSiteSpace, subject: { site, spaces }, site, isPlacing: true };
  return rearrange(context, placing, async ({ structure }, transaction) => {
    const section = sectionId === undefined ? structure.defaultSection : structure.section(sectionId);
    const added = await newSiteSpaces(transaction, site.organizationId, [spaceId]);
    structure.addSiteSpaces(structure.siteSpacesIn(section), added);
    const id = added.map((one) => one.id).join(); // exactly one was added
    const { path = null, row } = added[0] ?? {};
    const payload = { title: row?.title ?? null, path, spaceId, siteSectionId: section?.id ?? null };
    return { result: { id }, event: { type: siteSpaceEvents.created, subjectId: id, payload } };
  });
}

type SiteSpaceUpdate = SiteSpacePlace & Optional<Pick<SiteSpaceModel, "title" | "path" | "condition" | "spaceId">>;

/** A new space replaces the title unless one is given, but not the path. CONFLICT for a taken path. */
export async function updateSiteSpace(context: Context, input: SiteSpaceUpdate): Promise<{ id: string }> {
  const { siteSpaceId: id } = input;
  const texts = given({
    title: ifGiven("title", input.title, (title) => checkText("title", title, { min: 1, max: 128 })),
    path: ifGiven("path", input.path, (path) => checkSlug("path", path)),
    condition: checkCondition(input.condition),
  });
  const spaceId = ifGiven("spaceId", input.spaceId, (one) => one);
  const site = await loadPart(context, siteSpaces, id, input);
  await requireAllowed(context, mayUpdateSiteSpace, site); // before errors can reveal anything about the space
  const spaces = await loadSpaces(context, site.organizationId, spaceId === undefined ? [] : [spaceId]);
  const isPlacing = spaceId !== undefined;
  const changing = { action: mayChangeSpaceOfSiteSpace, subject: { site, spaces }, site, isPlacing };
  return rearrange(context, changing, async ({ structure }, transaction) => {
    const { place, siteSpace } = structure.placeOf(id);
    const row = await transaction.siteSpace.findUniqueOrThrow({ where: { id } });
    await requireCondition(transaction, row, texts.condition);
    const isOther = spaceId !== undefined && spaceId !== row.spaceId;
    const [shown] = isOther ? await newSiteSpaces(transaction, site.organizationId, [spaceId]) : [];
    const changed = differing(row, { ...shown?.row, ...given({ title: texts.title }) });
    const clash = place.find((other) => other.path === texts.path && other !== siteSpace);
    if (clash) throw pathTaken(clash.path);
    Object.assign(siteSpace, given({ path: texts.path, condition: texts.condition }));
    const isWritten = Object.keys(changed).length > 0;
    if (isWritten) await transaction.siteSpace.update({ where: { id }, data: changed });
    const changes = settingChanges<SiteSpaceModel>(row, { ...texts, ...changed }, auditedColumns);
    return { result: { id }, event: { type: siteSpaceEvents.updated, subjectId: id, payload: { changes } }, isWritten };
  });
}

const auditedColumns = { title: "title", path: "path", condition: "condition", spaceId: "spaceId" } as const;

/** Moves a site space next to another one, into its section; a path taken there gets a number. Needs `admin`. */
export async function moveSiteSpace(
  context: Context,
  input: SiteSpacePlace & { place: Place },
): Promise<{ id: string }> {
  const { siteSpaceId: id } = input;
  return moveOnSite(context, id, { entity: siteSpaces, action: mayMoveSiteSpace, input }, (structure, beside) => {
    const from = sectionOf(structure, id);
    structure.moveSiteSpace(id, beside);
    const payload = { fromSiteSectionId: from, toSiteSectionId: sectionOf(structure, id) };
    return { type: siteSpaceEvents.moved, payload };
  });
}

/** Id of the section that contains a site space; null at the root. */
function sectionOf(structure: Structure, siteSpaceId: string): string | null {
  return structure.sections.find(({ siteSpaces: inside }) => inside.some(({ id }) => id === siteSpaceId))?.id ?? null;
}

/** Removes a site space from its site; the space itself stays. Needs `admin`. */
export async function deleteSiteSpace(context: Context, input: SiteSpacePlace): Promise<DeletedOnSite> {
  const { siteSpaceId: id } = input;
  const site = await findPart(context, siteSpaces, id, input);
  if (!site) return nothingDeleted(input);
  return rearrange(context, onSite(mayDeleteSiteSpace, site), async ({ structure }, transaction) => {
    const row = await transaction.siteSpace.findUnique({ where: { id }, select: { spaceId: true, title: true } });
    const siteSectionId = sectionOf(structure, id);
    const result = {
      deletedId: structure.removeSiteSpace(id) ? id : null,
      siteId: site.id,
      organizationId: site.organizationId,
    };
    return { result, event: { type: siteSpaceEvents.deleted, subjectId: id, payload: { ...row, siteSectionId } } };
  });
}

export const removeSiteSpacesOnTransfer = beforeContentTransfer.join((transaction, { spaces }) =>
  removeFromSites(transaction, spaces),
);

export const removeSiteSpacesOnRemoval = onSpacesRemoved.join((transaction, { spaces }) =>
  removeFromSites(transaction, spaces),
);

/** Removes spaces from all sites, and locks their structures for that. `spaces` is SQL that selects their ids. */
async function removeFromSites(transaction: Transaction, spaces: Sql): Promise<void> {
  await transaction.$executeRaw(
    sql`update "Site" set "structureVersion" = "structureVersion" + 1 where id in (select s.id from "Site" s
      where s.id in (select p."siteId" from "SiteSpace" p where p."spaceId" in (${spaces})) order by s.id for no key update)`,
  );
  await transaction.$executeRaw(
    sql`with gone as (delete from "SiteSpace" p where p."spaceId" in (${spaces}) returning p.*)
      insert into "OutboxEvent" (type, "subjectId", "organizationId", payload)
      select ${siteSpaceEvents.deleted}::text, g.id, s."organizationId", jsonb_build_object('siteId', g."siteId",
        'spaceId', g."spaceId", 'title', g."title", 'siteSectionId', g."sectionId")
      from gone g join "Site" s on s.id = g."siteId"`,
  );
}
