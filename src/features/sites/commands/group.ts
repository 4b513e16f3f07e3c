// Creating, changing, moving and deleting the section groups of a site, and what is in them.
import { newId } from "#src/base/ids.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { settingChanges } from "#src/events/event.ts";
import {
  mayCreateSiteSectionGroup,
  mayDeleteSiteSectionGroup,
  mayMoveSiteSectionGroup,
  mayUpdateSiteSectionGroup,
} from "#src/features/sites/access.ts";
import {
  checkIcon,
  type DeletedOnSite,
  differing,
  moveOnSite,
  nothingDeleted,
  onSite,
  type Place,
  rearrange,
} from "#src/features/sites/commands/rearrange.ts";
import { findPart, loadPart, loadSite, type Within } from "#src/features/sites/commands/load.ts";
import { groupOf, movedEvent } from "#src/features/sites/commands/section.ts";
import { siteSectionGroupEvents } from "#src/features/sites/events.ts";
import { groups } from "#src/features/sites/reads.ts";
import type { SiteSectionGroupModel } from "#src/generated/prisma/models.ts";

interface GroupPlace extends Within {
  readonly siteSectionGroupId: string;
}

const checkTitle = (title: string): string => checkText("title", title, { min: 1, max: 100 });

/** Adds a group behind everything else on a site, and moves these sections into it. Needs `admin`. */
export async function createSiteSectionGroup(
  context: Context,
  input: Within & { siteId: string; title: string } & Optional<{ icon: string; siteSectionIds: readonly string[] }>,
): Promise<{ id: string }> {
  const [title, icon] = [checkTitle(input.title), checkIcon(input.icon) ?? null];
  const sectionIds = ifGiven("siteSectionIds", input.siteSectionIds, (ids) => ids) ?? [];
  const site = await loadSite(context, input.siteId, input);
  return rearrange(context, onSite(mayCreateSiteSectionGroup, site), ({ structure }) => {
    const id = newId("SiteSectionGroup");
    structure.addGroup({ id, row: { title, icon } });
    for (const sectionId of sectionIds) structure.putIntoGroup(structure.section(sectionId), structure.group(id));
    return { result: { id }, event: { type: siteSectionGroupEvents.created, subjectId: id, payload: { title } } };
  });
}

/** Changes the given fields; null removes the icon. Needs `admin`. */
export async function updateSiteSectionGroup(
  context: Context,
  input: GroupPlace & Optional<Pick<SiteSectionGroupModel, "title" | "icon">>,
): Promise<{ id: string }> {
  const { siteSectionGroupId: id } = input;
  const data = given({ title: ifGiven("title", input.title, checkTitle), icon: checkIcon(input.icon) });
  const site = await loadPart(context, groups, id, input);
  return rearrange(context, onSite(mayUpdateSiteSectionGroup, site), async ({ structure }, transaction) => {
    structure.group(id);
    const row = await transaction.siteSectionGroup.findUniqueOrThrow({ where: { id } });
    const changed = differing(row, data);
    const isWritten = Object.keys(changed).length > 0;
    if (isWritten) await transaction.siteSectionGroup.update({ where: { id }, data: changed });
    const payload = { changes: settingChanges<SiteSectionGroupModel>(row, changed, { title: "title", icon: "icon" }) };
    return { result: { id }, event: { type: siteSectionGroupEvents.updated, subjectId: id, payload }, isWritten };
  });
}

/**
 * Puts a group, with its sections, beside another group or section. INVALID_INPUT for a neighbour in the group itself.
 */
export async function moveSiteSectionGroup(
  context: Context,
  input: GroupPlace & { place: Place },
): Promise<{ id: string }> {
  const { siteSectionGroupId: id } = input;
  return moveOnSite(context, id, { entity: groups, action: mayMoveSiteSectionGroup, input }, (structure, beside) => {
    structure.moveGroup(id, beside);
    return { type: siteSectionGroupEvents.moved };
  });
}

/** Deletes a group; its sections stay in its place. Needs `admin`. */
export async function deleteSiteSectionGroup(context: Context, input: GroupPlace): Promise<DeletedOnSite> {
  const { siteSectionGroupId: id } = input;
  const site = await findPart(context, groups, id, input);
  if (!site) return nothingDeleted(input);
  return rearrange(context, onSite(mayDeleteSiteSectionGroup, site), async ({ structure }, transaction) => {
    const row = await transaction.siteSectionGroup.findUnique({ where: { id }, select: { title: true } });
    const group = structure.groups.find((one) => one.id === id);
    if (group) structure.removeGroup(group);
    const result = { deletedId: group ? id : null, siteId: site.id, organizationId: site.organizationId };
    const payload = { title: row?.title ?? null };
    return { result, event: { type: siteSectionGroupEvents.deleted, subjectId: id, payload } };
  });
}

type InGroup = GroupPlace & { readonly siteSectionId: string };

/** Puts a section last in a group, out of its former one; no change if it is in it already. Needs `admin`. */
export async function addSectionToGroup(context: Context, input: InGroup): Promise<{ id: string }> {
  const { siteSectionGroupId: id, siteSectionId } = input;
  const site = await loadPart(context, groups, id, input);
  return rearrange(context, onSite(mayUpdateSiteSectionGroup, site), ({ structure }) => {
    const before = groupOf(structure, siteSectionId);
    structure.putIntoGroup(structure.section(siteSectionId), structure.group(id));
    return { result: { id }, event: movedEvent(siteSectionId, { before, after: id }) };
  });
}

/** Puts a section of a group right behind the group; returns null if it is not in it. Needs `admin`. */
export async function removeSectionFromGroup(
  context: Context,
  input: InGroup,
): Promise<{ removedId: string | null; id: string }> {
  const { siteSectionGroupId: id, siteSectionId } = input;
  const site = await loadPart(context, groups, id, input);
  return rearrange(context, onSite(mayUpdateSiteSectionGroup, site), ({ structure }) => {
    const section = structure.sections.find((one) => one.id === siteSectionId);
    const isRemoved = section !== undefined && structure.takeOutOfGroup(section, structure.group(id));
    const result = { removedId: isRemoved ? siteSectionId : null, id };
    return { result, event: movedEvent(siteSectionId, { before: id, after: null }) };
  });
}
