// Creating, changing, moving and deleting the sections and section groups of a site.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { settingChanges } from "#src/events/event.ts";
import { slugOf } from "#src/base/text/slugs.ts";
import { checkSlug } from "#src/features/content/model/slug.ts";
import {
  mayCreateSiteSection,
  mayCreateSiteSectionGroup,
  mayDeleteSiteSection,
  mayDeleteSiteSectionGroup,
  mayMoveSiteSection,
  mayMoveSiteSectionGroup,
  mayUpdateSiteSection,
  mayUpdateSiteSectionGroup,
} from "#src/features/sites/access.ts";
import { requireCondition } from "#src/features/sites/commands/adaptive.ts";
import {
  findPart,
  type LoadedSite,
  loadPart,
  loadSite,
  loadSpaces,
  newSiteSpaces,
  type Within,
} from "#src/features/sites/commands/load.ts";
import {
  checkCondition,
  checkIcon,
  defaultChange,
  type DeletedOnSite,
  differing,
  moveOnSite,
  nothingDeleted,
  onSite,
  type Place,
  rearrange,
  type SiteEvent,
} from "#src/features/sites/commands/rearrange.ts";
import { siteSectionEvents, siteSectionGroupEvents } from "#src/features/sites/events.ts";
import { defaultOf, type Structure } from "#src/features/sites/model/structure.ts";
import { groups, sections } from "#src/features/sites/reads.ts";
import type { SiteSectionGroupModel, SiteSectionModel } from "#src/generated/prisma/models.ts";

type SectionPlace = Within & { readonly siteSectionId: string };

const checkTitle = (title: string): string => checkText("title", title, { min: 2, max: 128 });

/** Adds a section with a space in it; first moves the site spaces at the root into a section of their own. */
export async function createSiteSection(
  context: Context,
  input: Within & { siteId: string; spaceId: string } & Optional<{ title: string; icon: string }>,
): Promise<{ id: string }> {
  const title = input.title == null ? undefined : checkTitle(input.title);
  const icon = checkIcon(input.icon) ?? null;
  const site = await loadSite(context, input.siteId, input);
  const { organizationId } = site;
  // Before errors can reveal anything about the space.
  await requireAllowed(context, mayCreateSiteSection, { site, spaces: [] });
  const spaces = await loadSpaces(context, organizationId, [input.spaceId]);
  const placing = { action: mayCreateSiteSection, subject: { site, spaces }, site, isPlacing: true };
  return rearrange(context, placing, async ({ structure }, transaction) => {
    const added = await newSiteSpaces(transaction, organizationId, [input.spaceId]);
    const first = structure.root.length > 0 ? await sectionOfRoot(transaction, structure, site) : undefined;
    const shown = title ?? added.map(({ row }) => row.title).find((text) => text.length > 1) ?? "Untitled";
    const id = newId("SiteSection");
    const section = structure.addSection({ id, path: slugOf(shown, "section"), row: { title: shown, icon } });
    structure.addSiteSpaces(section.siteSpaces, added);
    const payload = { title: shown, path: section.path, spaceId: input.spaceId };
    return { result: { id }, event: { type: siteSectionEvents.created, subjectId: id, payload }, first };
  });
}

/** Moves the site spaces at the root of a site into a new section with the title of the site. Returns its event. */
async function sectionOfRoot(transaction: Transaction, structure: Structure, { id }: LoadedSite): Promise<SiteEvent> {
  const { title } = await transaction.site.findUniqueOrThrow({ where: { id }, select: { title: true } });
  const subjectId = newId("SiteSection");
  const section = structure.addSection({ id: subjectId, path: slugOf(title, "section"), row: { title, icon: null } });
  structure.putRootInto(section);
  return { type: siteSectionEvents.created, subjectId, payload: { title, path: section.path } };
}

type SectionUpdate = SectionPlace &
  Optional<Pick<SiteSectionModel, "title" | "path" | "condition" | "icon" | "description">> &
  Optional<{ defaultSiteSpaceId: string }>;

/** CONFLICT if another section has the path, INVALID_INPUT if the default site space is not in the section. */
export async function updateSiteSection(context: Context, input: SectionUpdate): Promise<{ id: string }> {
  const { siteSectionId: id } = input;
  const data = given({
    title: ifGiven("title", input.title, checkTitle),
    path: ifGiven("path", input.path, (path) => checkSlug("path", path)),
    condition: checkCondition(input.condition),
    icon: checkIcon(input.icon),
    description: input.description && (checkText("description", input.description, { max: 256 }) || null),
  });
  const defaultId = ifGiven("defaultSiteSpaceId", input.defaultSiteSpaceId, (one) => one);
  const site = await loadPart(context, sections, id, input);
  return rearrange(context, onSite(mayUpdateSiteSection, site), async ({ structure }, transaction) => {
    const section = structure.section(id);
    const clash = structure.sections.find((other) => other.path === data.path && other.id !== id);
    if (clash) throw pathTaken(clash.path);
    const before = defaultOf(section.siteSpaces);
    if (defaultId !== undefined) structure.chooseDefault(section.siteSpaces, defaultId, "defaultSiteSpaceId");
    const row = await transaction.siteSection.findUniqueOrThrow({ where: { id } });
    await requireCondition(transaction, row, data.condition);
    const changed = differing(row, data);
    const isWritten = Object.keys(changed).length > 0;
    if (isWritten) await transaction.siteSection.update({ where: { id }, data: changed });
    const chosen = defaultChange("defaultSiteSpaceId", before, defaultOf(section.siteSpaces));
    const payload = { changes: [...settingChanges<SiteSectionModel>(row, changed, auditedColumns), ...chosen] };
    return { result: { id }, event: { type: siteSectionEvents.updated, subjectId: id, payload }, isWritten };
  });
}

const auditedColumns = {
  title: "title",
  path: "path",
  condition: "condition",
  icon: "icon",
  description: "description",
} as const;

/** The error for a path that a sibling section or site space already has. */
export const pathTaken = (path: string): DomainError =>
  new DomainError("CONFLICT", `The path ${path} is already taken: choose another one.`, [
    { path: "path", message: "is taken." },
  ]);

/** Moves a section next to another section or group, into its neighbour's group or out of its own. Needs `admin`. */
export async function moveSiteSection(
  context: Context,
  input: SectionPlace & { place: Place },
): Promise<{ id: string }> {
  const { siteSectionId: id } = input;
  return moveOnSite(context, id, { entity: sections, action: mayMoveSiteSection, input }, (structure, beside) => {
    const before = groupOf(structure, id);
    structure.moveSection(id, beside);
    return movedEvent(id, { before, after: groupOf(structure, id) });
  });
}

/** Id of the group that contains a section; null without one. */
function groupOf(structure: Structure, sectionId: string): string | null {
  return structure.groups.find(({ sections: inside }) => inside.some(({ id }) => id === sectionId))?.id ?? null;
}

/** The event of a moved section, with its former and its new group. */
const movedEvent = (id: string, { before, after }: { before: string | null; after: string | null }) => ({
  type: siteSectionEvents.moved,
  subjectId: id,
  payload: { fromSiteSectionGroupId: before, toSiteSectionGroupId: after },
});

/** Moves its site spaces, with its condition, to another section. INVALID_INPUT if conditions cannot be joined. */
export async function deleteSiteSection(
  context: Context,
  input: SectionPlace & Optional<{ toSiteSectionId: string }>,
): Promise<DeletedOnSite> {
  const { siteSectionId: id, toSiteSectionId = null } = input;
  const site = await findPart(context, sections, id, input);
  if (!site) return nothingDeleted(input);
  if (toSiteSectionId === id) throw invalidInput("toSiteSectionId", "must be another section.");
  return rearrange(context, onSite(mayDeleteSiteSection, site), async ({ structure }, transaction) => {
    const section = structure.sections.find((one) => one.id === id);
    const to = toSiteSectionId === null ? undefined : structure.section(toSiteSectionId);
    const target = section && structure.removeSection(section, to);
    const row = await transaction.siteSection.findUnique({ where: { id }, select: { title: true } });
    const payload = { title: row?.title ?? null, toSiteSectionId: target?.id ?? null };
    const result = { deletedId: section ? id : null, siteId: site.id, organizationId: site.organizationId };
    return { result, event: { type: siteSectionEvents.deleted, subjectId: id, payload } };
  });
}

type GroupPlace = Within & { readonly siteSectionGroupId: string };

const checkGroupTitle = (title: string): string => checkText("title", title, { min: 1, max: 100 });

/** Adds a group at the end of a site, and moves these sections into it. Needs `admin`. */
export async function createSiteSectionGroup(
  context: Context,
  input: Within & { siteId: string; title: string } & Optional<{ icon: string; siteSectionIds: readonly string[] }>,
): Promise<{ id: string }> {
  const [title, icon] = [checkGroupTitle(input.title), checkIcon(input.icon) ?? null];
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
  const data = given({ title: ifGiven("title", input.title, checkGroupTitle), icon: checkIcon(input.icon) });
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

/** Moves a group next to another group or section. INVALID_INPUT if that section is in the group itself. */
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

/** Moves a section to the end of a group; no change if it is already in it. Needs `admin`. */
export async function addSectionToGroup(context: Context, input: InGroup): Promise<{ id: string }> {
  const { siteSectionGroupId: id, siteSectionId } = input;
  const site = await loadPart(context, groups, id, input);
  return rearrange(context, onSite(mayUpdateSiteSectionGroup, site), ({ structure }) => {
    const before = groupOf(structure, siteSectionId);
    structure.putIntoGroup(structure.section(siteSectionId), structure.group(id));
    return { result: { id }, event: movedEvent(siteSectionId, { before, after: id }) };
  });
}

/** Moves a section out of a group, right after it; returns null if the group does not contain it. Needs `admin`. */
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
