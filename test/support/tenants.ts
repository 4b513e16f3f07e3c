// Tenants for tests: organizations with one of everything in them, the ids of that, and all that they have as text.
import { type IdKind, idPrefixes, newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/database.ts";
import { addReply } from "#test/features/comments/factory.ts";
import { giveContent, giveFiles } from "#test/features/content/factory.ts";
import { addMember } from "#test/features/members/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSection, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { fromFeatures } from "#test/support/features.ts";
import { nextNumber, type Rows } from "#test/support/rows.ts";
import { createWorld, type World } from "#test/support/world.ts";

/** The id of one thing of each kind, and an e-mail address. */
export type Ids = Readonly<
  Partial<Record<IdKind, string>> & Record<"Organization" | "User", string> & { email: string }
>;

/**
 * What a feature adds to a tenant, and its id: exported as `part` by `tenant.ts` among the tests of the feature.
 * @public `npm run new` writes such files; until there is one, only its template names this type.
 */
export type MakeTenantPart = (
  rows: Rows,
  tenant: Awaited<ReturnType<World["everything"]>>,
) => Partial<Record<IdKind, string>>;

const parts = (await fromFeatures<{ part: MakeTenantPart }>("tenant.ts")).map(({ part }) => part);

/** An organization with one of everything, closed to the rest of the world. */
export async function makeTenant(database: Database) {
  const world = createWorld(database);
  const byLink = { visibility: "share_link", shareKey: `secret-${nextNumber()}` } as const;
  const made = await world.everything({ site: { published: false }, space: byLink });
  const { organization, editor, admin } = made;
  const organizationId = organization.id;
  const extra = await world.insert((rows) => {
    return {
      review: addReview(rows, { changeRequest: made.changeRequest, reviewerId: admin.id }),
      given: addReview(rows, { changeRequest: made.changeRequest, reviewerId: made.creator.id, status: "approved" }),
      reply: addReply(rows, { commentId: made.spaceComment.id, postedById: editor.id }),
      deleted: addSpace(rows, { organizationId, parent: made.collection, deletedAt: new Date() }),
      apiToken: addToken(rows, { userId: admin.id }),
      section: addSection(rows, { siteId: made.site.id }),
      siteSpace: addSiteSpace(rows, { siteId: made.site.id, sectionId: made.section.id, spaceId: made.space.id }),
      // All parts, in one object.
      ids: Object.assign({}, ...parts.map((part) => part(rows, made))) as Partial<Record<IdKind, string>>,
    };
  });
  const byAdmin = { data: { postedById: admin.id } }; // who writes something may change it
  await database.prisma.comment.updateMany({ where: { spaceId: made.space.id }, ...byAdmin });
  await database.prisma.commentReply.updateMany({ where: { comment: { spaceId: made.space.id } }, ...byAdmin });
  const link = { id: newId("InviteLink"), organizationId, key: `key-${nextNumber()}` };
  await database.prisma.inviteLink.create({ data: link });
  const [pageId] = await giveContent(database, made.space.revisionId, ["Page"]);
  const [fileId] = await giveFiles(database, made.space.revisionId, ["notes.txt"]);
  const { treeHash, filesHash } = await database.prisma.revision.findUniqueOrThrow({
    where: { id: made.space.revisionId },
  });
  const proposed = { where: { id: made.changeRequest.revisionId }, data: { treeHash, filesHash } };
  await database.prisma.revision.update(proposed); // the change request has the same page and the same file
  const ids: Ids = {
    Organization: organizationId,
    OrganizationMember: editor.memberId,
    User: editor.id,
    Team: made.team.id,
    Collection: made.collection.id,
    Space: made.space.id,
    InviteLink: link.id,
    ApiToken: extra.apiToken.id,
    ChangeRequest: made.changeRequest.id,
    Revision: made.space.revisionId,
    ...(pageId !== undefined && { Page: pageId }),
    ...(fileId !== undefined && { File: fileId }),
    Review: extra.review.id,
    Comment: made.comment.id,
    CommentReply: made.reply.id,
    Site: made.site.id,
    SiteSectionGroup: made.sectionGroup.id,
    SiteSection: made.section.id,
    SiteSpace: made.siteSpace.id,
    ...extra.ids,
    email: editor.email,
  };
  return {
    ids,
    admin,
    reviewerId: made.reviewer.id,
    givenReviewId: extra.given.id,
    linkKey: link.key,
    deletedSpaceId: extra.deleted.id,
    spaceCommentId: made.spaceComment.id,
    spaceReplyId: extra.reply.id,
    siblings: { sectionId: extra.section.id, siteSpaceId: extra.siteSpace.id },
  };
}

/** Everything that a tenant has, as text. */
export async function rowsOf(database: Database, ids: Ids): Promise<string> {
  const { rows } = await database.pool.query<{ text: string }>(
    `select concat_ws(E'\n',
      (select o::text from "Organization" o where id = $1),
      (select string_agg(m::text, E'\n' order by id) from "OrganizationMember" m where "organizationId" = $1),
      (select string_agg(t::text, E'\n' order by id) from "Team" t where "organizationId" = $1),
      (select string_agg(t::text, E'\n' order by id) from "TeamMember" t where "organizationId" = $1),
      (select string_agg(g::text, E'\n' order by id) from "Grant" g where "organizationId" = $1),
      (select string_agg(l::text, E'\n' order by id) from "InviteLink" l where "organizationId" = $1),
      (select string_agg(c::text, E'\n' order by id) from "Collection" c where "organizationId" = $1),
      (select string_agg(s::text, E'\n' order by id) from "Space" s where "organizationId" = $1),
      (select string_agg(s::text, E'\n' order by id) from "Site" s where "organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "SiteSection" x join "Site" s on s.id = x."siteId" where s."organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "SiteSectionGroup" x join "Site" s on s.id = x."siteId" where s."organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "SiteSpace" x join "Site" s on s.id = x."siteId" where s."organizationId" = $1)) as text`,
    [ids.Organization],
  );
  return rows[0]?.text ?? "";
}

/** The viewer's own organization; they are admin of the second one, too. */
export async function makeOwn(database: Database, second: Ids) {
  const own = await makeTenant(database);
  await createWorld(database).insert((rows) =>
    addMember(rows, { organizationId: second.Organization, userId: own.admin.id, role: "admin" }),
  );
  return own;
}

export type Own = Awaited<ReturnType<typeof makeOwn>>;

/**
 * What a field of this name refers to, if it says so; `kind` is that of what the operation answers, for fields named
 * just `id`.
 */
export function kindOf(name: string, kind: string): IdKind | undefined {
  const noun = name
    .replace(/Ids?$/, "")
    .replace(/^ids?$/, kind)
    .replace(/^(before|after|default)(?=[A-Z])/, "");
  const kinds: Readonly<Record<string, IdKind>> = {
    parent: "Collection",
    owner: "User",
    reviewer: "User",
    user: "User",
    members: "User",
    author: "User",
    authors: "User",
    resolvedBy: "User",
    contributor: "User",
    member: "OrganizationMember",
    invite: "InviteLink",
    reply: "CommentReply",
    section: "SiteSection",
    group: "SiteSectionGroup",
    sections: "SiteSection",
    siteSpacesTo: "SiteSection",
    sectionGroup: "SiteSectionGroup",
    Node: "Organization",
  };
  const found = kinds[noun] ?? noun.charAt(0).toUpperCase() + noun.slice(1);
  return found in idPrefixes ? (found as IdKind) : undefined; // a key of the prefixes
}

export function unknownKind(name: string): never {
  throw new Error(`What does ${name} refer to? Say it in kindOf.`);
}
