// Commands that create, change, sort and delete sites.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, changeIfAny, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Hook } from "#src/domain/hooks.ts";
import { checkText, checkWebAddress, given, ifGiven, oneOf, type Optional } from "#src/domain/input.ts";
import { enumValue, type SettingChange, settingChanges } from "#src/events/event.ts";
import { lockTrees } from "#src/features/collections/commands/place.ts";
import { freeSlug, slugOf } from "#src/base/text/slugs.ts";
import { checkSlug } from "#src/features/content/model/slug.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import {
  mayCreateSite,
  mayDeleteSite,
  maySortSiteStructure,
  mayUpdateSite,
  siteRoleColumns,
} from "#src/features/sites/access.ts";
import { asClaimed, checkHostname } from "#src/features/sites/commands/hostname.ts";
import { loadSite, loadSpaces, newSiteSpaces, type Within } from "#src/features/sites/commands/load.ts";
import {
  defaultChange,
  type DeletedOnSite,
  differing,
  nothingDeleted,
  onSite,
  rearrange,
  siteEvent,
} from "#src/features/sites/commands/rearrange.ts";
import { holdStructure, storeStructure } from "#src/features/sites/commands/structure.ts";
import { newShareKey } from "#src/features/sites/commands/visitors.ts";
import { siteEvents, siteTerminalEvents } from "#src/features/sites/events.ts";
import { sortStructure, type WishedEntry } from "#src/features/sites/model/sort.ts";
import { defaultOf, structureLimit } from "#src/features/sites/model/structure.ts";
import { sites } from "#src/features/sites/reads.ts";
import { addTopSpace } from "#src/features/spaces/commands/space.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteVisibility } from "#src/generated/prisma/enums.ts";
import type { SiteModel } from "#src/generated/prisma/models.ts";

const checkTitle = (title: string): string => checkText("title", title, { min: 2, max: 128 });

export const onSiteCreated = new Hook<{ readonly id: string; readonly organizationId: string }>("a site is created");

type NewSite = { readonly organizationId: string } & Optional<Pick<SiteModel, "type" | "title" | "visibility">> &
  Optional<{ spaceIds: readonly string[]; newSpace: Optional<{ title: string }> }>;

/** Creates an unpublished site with spaces at its root, or a new private space. INVALID_INPUT for too many spaces. */
export async function createSite(context: Context, input: NewSite): Promise<{ id: string }> {
  const title = ifGiven("title", input.title, checkTitle) ?? "Untitled site";
  const type = ifGiven("type", input.type, (one) => one) ?? "basic";
  const visible = asVisible(ifGiven("visibility", input.visibility, (one) => one) ?? "public");
  // The titles of spaces are shorter than those of sites.
  const spaceTitle = input.newSpace?.title ?? Array.from(title).slice(0, 50).join("").trim();
  const spaceIds = ifGiven("spaces", input.spaceIds, (ids) => ids) ?? [];
  if (spaceIds.length > structureLimit) throw invalidInput("spaces", `must contain at most ${structureLimit} spaces.`);
  const { id: organizationId } = await context.reader.found(organizations, input.organizationId, project(["id"]));
  // Before errors can reveal anything about the spaces.
  await requireAllowed(context, mayCreateSite, { organizationId, spaces: [] });
  const spaces = await loadSpaces(context, organizationId, spaceIds);
  return change(context, mayCreateSite, { organizationId, spaces }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const id = newId("Site");
    const basename = await freeBasename(transaction, organizationId, slugOf(title, "site"));
    const [createdById, createdAt] = [context.viewer.userId, context.clock.now()];
    const site = { id, organizationId, createdById };
    await transaction.site.create({ data: { ...site, type, title, basename, createdAt, ...visible } });
    await onSiteCreated.run(transaction, { id, organizationId });
    const held = await holdStructure(transaction, site);
    const own = input.newSpace && (await addTopSpace(transaction, context, { organizationId, title: spaceTitle }));
    const shown = own ? [own.id] : spaceIds;
    held.structure.addSiteSpaces(held.structure.root, await newSiteSpaces(transaction, organizationId, shown));
    await storeStructure(transaction, held);
    const payload = { title, visibility: visible.visibility.toUpperCase(), spaceIds: shown };
    const event = siteEvent(site, { type: siteEvents.created, subjectId: id, payload });
    return { result: { id }, events: own ? [event, own.event] : [event] };
  });
}

/** The basename, with a number if another site of the organization has it, whose trees are locked. */
async function freeBasename(transaction: Transaction, organizationId: string, wanted: string): Promise<string> {
  const start = Array.from(wanted).slice(0, 90).join("");
  const taken = await transaction.site.findMany({
    where: { organizationId, basename: { startsWith: start } },
    select: { basename: true },
  });
  const names = new Set(taken.map(({ basename }) => basename));
  return freeSlug(wanted, (one) => names.has(one));
}

/** The columns of a visibility; a share link gets a new secret. */
function asVisible(visibility: SiteVisibility): Pick<SiteModel, "visibility" | "shareKey"> {
  return { visibility, shareKey: visibility === "share_link" ? newShareKey() : null };
}

export const proxyPattern = String.raw`^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$`;
const proxyForm = new RegExp(proxyPattern);

/** The columns of a proxy `host/path`. INVALID_INPUT if malformed or longer than 512 characters. */
function readProxy(proxy: string | null | undefined): Optional<Pick<SiteModel, "proxyOrigin" | "proxyTarget">> {
  if (proxy === undefined) return {};
  if (proxy === null) return { proxyOrigin: null, proxyTarget: null };
  const text = checkText("proxy", proxy, { max: 512 });
  if (!proxyForm.test(text)) throw invalidInput("proxy", "must be a host and a path on it, such as example.com/docs.");
  const slash = text.indexOf("/");
  return { proxyOrigin: text.slice(0, slash), proxyTarget: text.slice(slash) };
}

type SiteUpdate = Within & { readonly siteId: string } & Optional<
    Pick<SiteModel, "title" | "visibility" | "basename" | "agentsContext">
  > &
  Optional<{
    hostname: string;
    icon: GivenSiteIcon;
    adaptiveContent: { readonly enabled: boolean };
    proxy: string;
    defaultSiteSpaceId: string;
    defaultSiteSectionId: string;
  }>;

function readUpdate(input: SiteUpdate): Partial<SiteModel> {
  return given({
    title: ifGiven("title", input.title, checkTitle),
    basename: ifGiven("basename", input.basename, (basename) => checkSlug("basename", basename)),
    agentsContext: ifGiven("agentsContext", input.agentsContext, (one) => one),
    adaptiveContentEnabled: ifGiven("adaptiveContent", input.adaptiveContent, ({ enabled }) => enabled),
    ...readProxy(input.proxy),
  }) as Partial<SiteModel>; // absent fields stay absent
}

/** A new hostname takes effect once DNS verifies it ({@link checkHostnames}); the old one is dropped at once. */
export async function updateSite(context: Context, input: SiteUpdate): Promise<{ id: string }> {
  const settings = readUpdate(input);
  const [hostname, icon] = [checkHostname(input.hostname), checkSiteIcon(input.icon)];
  const visibility = ifGiven("visibility", input.visibility, (one) => one);
  const sectionId = ifGiven("defaultSiteSectionId", input.defaultSiteSectionId, (one) => one);
  const siteSpaceId = ifGiven("defaultSiteSpaceId", input.defaultSiteSpaceId, (one) => one);
  const site = await loadSite(context, input.siteId, input);
  const { id } = site;
  return rearrange(context, onSite(mayUpdateSite, site), async ({ structure }, transaction) => {
    const { sections, defaultSection } = structure;
    const before = defaultOf(structure.siteSpacesIn(defaultSection));
    if (sectionId !== undefined) structure.chooseDefault(sections, sectionId, "defaultSiteSectionId");
    const place = structure.siteSpacesIn(structure.defaultSection);
    if (siteSpaceId !== undefined) structure.chooseDefault(place, siteSpaceId, "defaultSiteSpaceId");
    const row = await transaction.site.findUniqueOrThrow({ where: { id } });
    const visible = visibility === undefined || visibility === row.visibility ? {} : asVisible(visibility);
    const claimed = asClaimed(row, hostname, context.clock.now());
    const changed = differing(row, { ...settings, ...visible, ...claimed });
    await requireFree(transaction, site, changed);
    const ofIcon = icon === undefined ? [] : iconChanges(row.icon, icon);
    const data = { ...changed, ...(ofIcon.length > 0 && { icon: icon ?? Prisma.DbNull }) };
    const isWritten = Object.keys(data).length > 0;
    if (isWritten) await transaction.site.update({ where: { id }, data: data as never }); // its columns
    const chosen = [
      ...defaultChange("defaultSectionId", defaultSection, structure.defaultSection),
      ...defaultChange("defaultSiteSpaceId", before, defaultOf(place)),
    ];
    const payload = { changes: [...settingChanges<SiteModel>(row, changed, auditedColumns), ...ofIcon, ...chosen] };
    return { result: { id }, event: { type: siteEvents.updated, subjectId: id, payload }, isWritten };
  });
}

/** Without the secret of a share link. */
const auditedColumns = {
  title: "title",
  visibility: ["visibility", enumValue],
  basename: "basename",
  hostname: "hostname",
  claimedHostname: "hostnameClaim.hostname",
  adaptiveContentEnabled: "adaptiveContent.enabled",
  agentsContext: ["agentsContext", enumValue],
  proxyOrigin: "proxy.origin",
  proxyTarget: "proxy.target",
} as const;

/** CONFLICT if another site has the claimed hostname or the proxy, or the basename in its organization. */
async function requireFree(
  transaction: Transaction,
  { id, organizationId }: { id: string; organizationId: string },
  { basename, claimedHostname, proxyOrigin, proxyTarget }: Partial<SiteModel>,
): Promise<void> {
  const others = { id: { not: id } };
  const taken = (path: string) =>
    new DomainError("CONFLICT", `Another site already has this ${path}: choose another one.`, [
      { path, message: "is taken." },
    ]);
  if (basename != null && (await transaction.site.count({ where: { ...others, organizationId, basename } })) > 0)
    throw taken("basename");
  if (
    claimedHostname != null &&
    (await transaction.site.count({ where: { ...others, hostname: claimedHostname } })) > 0
  )
    throw taken("hostname");
  if (proxyOrigin == null && proxyTarget == null) return;
  const now = await transaction.site.findUniqueOrThrow({ where: { id } });
  const proxy = { proxyOrigin: proxyOrigin ?? now.proxyOrigin, proxyTarget: proxyTarget ?? now.proxyTarget };
  if ((await transaction.site.count({ where: { ...others, ...proxy } })) > 0) throw taken("proxy");
}

/** Deletes a site with its structure; the spaces stay. Clears it as default content. Needs `admin`. */
export async function deleteSite(
  context: Context,
  { siteId: id, organizationId }: Within & { siteId: string },
): Promise<DeletedOnSite> {
  if (organizationId != null) await context.reader.found(organizations, organizationId, project(["id"]));
  const site = await context.reader.row(sites, id, project([...siteRoleColumns, "title"]));
  const owner = organizationId ?? site?.organizationId ?? null;
  if (!site || site.organizationId !== owner) return nothingDeleted({ organizationId: owner });
  return changeIfAny(context, mayDeleteSite, site, async (transaction) => {
    const defaultOf = { id: site.organizationId, defaultSiteId: id };
    await transaction.organization.updateMany({ where: defaultOf, data: { defaultSiteId: null } });
    const { count } = await transaction.site.deleteMany({ where: { id, organizationId: site.organizationId } });
    const event = { type: siteTerminalEvents.deleted, subjectId: id, payload: { title: site.title } };
    const result = { deletedId: count > 0 ? id : null, siteId: null, organizationId: owner };
    return { result, events: count > 0 ? [siteEvent(site, event)] : [] };
  });
}

export type StoredIcon =
  | { readonly icon: { readonly light?: string; readonly dark?: string } }
  | { readonly emoji: string };

type GivenSiteIcon = Optional<{ emoji: string; images: Optional<{ light: string; dark: string }> }>;

/** An icon as stored; null without one. INVALID_INPUT unless it is one emoji, or at least one picture. */
function checkSiteIcon(icon: GivenSiteIcon | null | undefined): StoredIcon | null | undefined {
  if (icon == null) return icon;
  const { emoji, images } = icon;
  oneOf("icon", { emoji, images });
  if (emoji != null) return { emoji: checkText("icon/emoji", emoji, { min: 1, max: 50 }) };
  const address = (theme: "light" | "dark") =>
    images?.[theme] == null ? undefined : checkWebAddress(`icon/images/${theme}`, images[theme]);
  const pictures = given({ light: address("light"), dark: address("dark") });
  if (Object.keys(pictures).length === 0)
    throw invalidInput("icon/images", "must have a picture for at least one theme.");
  return { icon: pictures };
}

/** The changes of an icon for an event. `before` has the stored form. */
function iconChanges(before: unknown, after: StoredIcon | null): SettingChange[] {
  const [old, present] = [namedIcon(before as StoredIcon | null), namedIcon(after)]; // the column has no other form
  return Object.keys(old).flatMap((name) => {
    const change = { field: `icon.${name}`, before: old[name] ?? null, after: present[name] ?? null };
    return change.before === change.after ? [] : [change];
  });
}

function namedIcon(icon: StoredIcon | null): Record<string, string | undefined> {
  const { light, dark } = icon && "icon" in icon ? icon.icon : {};
  return { emoji: icon && "emoji" in icon ? icon.emoji : undefined, "images.light": light, "images.dark": dark };
}

/** CONFLICT if the version is not `expectedVersion` and, with details, if the order omits or adds entries. */
export async function sortSiteStructure(
  context: Context,
  input: Within & { siteId: string; structure: readonly WishedEntry[] } & Optional<{ expectedVersion: number }>,
): Promise<{ id: string }> {
  const { structure: wished, expectedVersion } = input;
  const site = await loadSite(context, input.siteId, input);
  return rearrange(context, onSite(maySortSiteStructure, site), ({ structure, version }) => {
    sortStructure(structure, wished);
    if (expectedVersion != null && expectedVersion !== version)
      throw new DomainError(
        "CONFLICT",
        `The structure has version ${version}, not ${expectedVersion}: it was changed meanwhile. Read it again.`,
        [{ path: "expectedVersion", message: `is not ${version}.` }],
      );
    return {
      result: { id: site.id },
      event: { type: siteEvents.sorted, subjectId: site.id, payload: { version: version + 1 } },
    };
  });
}
