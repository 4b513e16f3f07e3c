// Tenants for tests: organizations with one object of each kind, their ids, and all their rows as text.
import { type IdKind, idPrefixes, newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { addReply } from "#test/features/comments/factory.ts";
import { giveContent, giveFiles, giveSameContent } from "#test/features/content/factory.ts";
import { addMember } from "#test/features/members/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSection, addSiteSpace, schemaOf } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { fromFeatures } from "#test/support/features.ts";
import { nextNumber, type Rows } from "#test/support/rows.ts";
import { createWorld, times, withEverything } from "#test/support/world.ts";

/** The id of one object of each kind, and an e-mail address. */
export type Ids = Readonly<
  Partial<Record<IdKind, string>> & Record<"Organization" | "User", string> & { email: string }
>;

/**
 * Adds a feature's object to a tenant and returns its id: exported as `part` by a feature's `tenant.ts`.
 * @public `npm run new` writes such files; until there is one, only its template names this type.
 */
export type MakeTenantPart = (rows: Rows, tenant: ReturnType<typeof withEverything>) => Partial<Record<IdKind, string>>;

const parts = (await fromFeatures<{ part: MakeTenantPart }>("tenant.ts")).map(({ part }) => part);

/** Makes private organizations with one object of each kind. The last statements add content. */
export async function makeTenants(database: Pick<Database, "pool" | "prisma">, count: number) {
  const tenants = await createWorld(database).insert((rows) => times(count, () => tenantIn(rows)));
  return giveEachContent(database, tenants);
}

type Made = ReturnType<typeof tenantIn>;

function tenantIn(rows: Rows) {
  const byLink = { visibility: "share_link", shareKey: `secret-${nextNumber()}` } as const;
  const made = withEverything(rows, {
    organization: { emailDomains: ["tenant.example.com"] },
    site: { published: false, adaptiveSchema: schemaOf("customer"), ...byLink },
    space: byLink,
  });
  const { organization, editor, admin } = made;
  const organizationId = organization.id;
  const siteId = made.site.id;
  const extra = {
    review: addReview(rows, { changeRequest: made.changeRequest, reviewerId: admin.id }),
    given: addReview(rows, { changeRequest: made.changeRequest, reviewerId: made.creator.id, status: "approved" }),
    reply: addReply(rows, { commentId: made.spaceComment.id, postedById: editor.id }),
    deleted: addSpace(rows, { organizationId, parent: made.collection, deletedAt: new Date() }),
    apiToken: addToken(rows, { userId: admin.id }),
    section: addSection(rows, { siteId }),
    siteSpace: addSiteSpace(rows, { siteId, sectionId: made.section.id, spaceId: made.space.id }),
    link: rows.add("InviteLink", { id: newId("InviteLink"), organizationId, key: `key-${nextNumber()}` }),
    signingKey: rows.add("SiteSigningKey", { id: newId("SiteSigningKey"), siteId, secret: Buffer.from("sealed") }),
    // All parts, in one object.
    ids: Object.assign({}, ...parts.map((part) => part(rows, made))) as Partial<Record<IdKind, string>>,
  };
  // Authors may change their own texts.
  for (const post of [made.comment, made.spaceComment, made.reply, extra.reply]) post.postedById = admin.id;
  return { made, extra };
}

/** One page and one file in the space and in the change request, shared by all tenants. */
async function giveEachContent(database: Pick<Database, "pool" | "prisma">, tenants: readonly Made[]) {
  const [first] = tenants;
  if (!first) return [];
  const from = first.made.space.revisionId;
  const [pageId] = await giveContent(database, from, ["Page"]);
  const [fileId] = await giveFiles(database, from, ["notes.txt"]);
  const revisions = tenants.flatMap(({ made }) => [made.space.revisionId, made.changeRequest.revisionId]);
  await giveSameContent(database, from, revisions);
  const content = { ...(pageId !== undefined && { Page: pageId }), ...(fileId !== undefined && { File: fileId }) };
  return tenants.map(({ made, extra }) => ({
    ids: { ...idsOf(made, extra), ...content, ...extra.ids },
    admin: made.admin,
    reviewerId: made.reviewer.id,
    givenReviewId: extra.given.id,
    linkKey: extra.link.key,
    deletedSpaceId: extra.deleted.id,
    spaceCommentId: made.spaceComment.id,
    spaceReplyId: extra.reply.id,
    siblings: { sectionId: extra.section.id, siteSpaceId: extra.siteSpace.id },
  }));
}

function idsOf(made: Made["made"], extra: Made["extra"]): Ids {
  return {
    Organization: made.organization.id,
    OrganizationMember: made.editor.memberId,
    User: made.editor.id,
    Team: made.team.id,
    Collection: made.collection.id,
    Space: made.space.id,
    InviteLink: extra.link.id,
    ApiToken: extra.apiToken.id,
    ChangeRequest: made.changeRequest.id,
    Revision: made.space.revisionId,
    Review: extra.review.id,
    Comment: made.comment.id,
    CommentReply: made.reply.id,
    Site: made.site.id,
    SiteSectionGroup: made.sectionGroup.id,
    SiteSection: made.section.id,
    SiteSpace: made.siteSpace.id,
    SiteSigningKey: extra.signingKey.id,
    email: made.editor.email,
  };
}

/** All rows of a tenant as text. */
export async function rowsOf(database: Pick<Database, "pool">, ids: Ids): Promise<string> {
  const { rows } = await database.pool.query<{ text: string }>(
    `select concat_ws(E'\n',
      (select o::text from "Organization" o where id = $1),
      (select string_agg(m::text, E'\n' order by id) from "OrganizationMember" m where "organizationId" = $1),
      (select string_agg(t::text, E'\n' order by id) from "Team" t where "organizationId" = $1),
      (select string_agg(t::text, E'\n' order by id) from "TeamMember" t where "organizationId" = $1),
      (select string_agg(g::text, E'\n' order by id) from "Grant" g where "organizationId" = $1),
      (select string_agg(l::text, E'\n' order by id) from "InviteLink" l where "organizationId" = $1),
      (select string_agg(i::text, E'\n' order by id) from "Invitation" i where "organizationId" = $1),
      (select string_agg(c::text, E'\n' order by id) from "Collection" c where "organizationId" = $1),
      (select string_agg(s::text, E'\n' order by id) from "Space" s where "organizationId" = $1),
      (select string_agg(s::text, E'\n' order by id) from "Site" s where "organizationId" = $1),
      (select string_agg(o::text, E'\n' order by id) from "OpenApiSpec" o where "organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "OpenApiSpecVersion" x join "OpenApiSpec" o on o.id = x."specId" where o."organizationId" = $1),
      (select string_agg(t::text, E'\n' order by id) from "Translation" t where "organizationId" = $1),
      (select string_agg(g::text, E'\n' order by id) from "GlossaryTerm" g where "organizationId" = $1),
      (select string_agg(i::text, E'\n' order by id) from "Integration" i where "organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "IntegrationVersion" x join "Integration" i on i.id = x."integrationId" where i."organizationId" = $1),
      (select string_agg(i::text, E'\n' order by id) from "IntegrationInstallation" i where "organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "IntegrationSpace" x join "IntegrationInstallation" i on i.id = x."installationId" where i."organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "IntegrationSite" x join "IntegrationInstallation" i on i.id = x."installationId" where i."organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "IntegrationEvent" x join "IntegrationInstallation" i on i.id = x."installationId" where i."organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "SiteSection" x join "Site" s on s.id = x."siteId" where s."organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "SiteSectionGroup" x join "Site" s on s.id = x."siteId" where s."organizationId" = $1),
      (select string_agg(x::text, E'\n' order by x.id) from "SiteSpace" x join "Site" s on s.id = x."siteId" where s."organizationId" = $1)) as text`,
    [ids.Organization],
  );
  return rows[0]?.text ?? "";
}

export type Own = Awaited<ReturnType<typeof makeTenants>>[number];

/** Makes organizations of viewers who are also admins of the second one. */
export async function makeOwns(
  database: Pick<Database, "pool" | "prisma">,
  second: Ids,
  count: number,
): Promise<Own[]> {
  const owns = await makeTenants(database, count);
  await createWorld(database).insert((rows) => {
    for (const { admin } of owns)
      addMember(rows, { organizationId: second.Organization, userId: admin.id, role: "admin" });
  });
  return owns;
}

/**
 * The kind of id of a field by its name, if that implies one; `kind` is the result of the operation, for fields named
 * just `id`.
 */
export function kindOf(name: string, kind: string): IdKind | undefined {
  const noun = name
    .replace(/Ids?$/, "")
    .replace(/^ids?$/, kind)
    .replace(/^(before|after|default|expected|since|to)(?=[A-Z])/, "");
  const kinds: Readonly<Record<string, IdKind>> = {
    parent: "Collection",
    owner: "User",
    reviewer: "User",
    user: "User",
    members: "User",
    author: "User",
    creator: "User",
    requestedReviewer: "User",
    actor: "User",
    authors: "User",
    resolvedBy: "User",
    contributor: "User",
    member: "OrganizationMember",
    import: "ContentImport",
    auditEvent: "AuditEntry",
    users: "User",
    installation: "IntegrationInstallation",
    invite: "InviteLink",
    reply: "CommentReply",
    section: "SiteSection",
    group: "SiteSectionGroup",
    sections: "SiteSection",
    siteSpacesTo: "SiteSection",
    sectionGroup: "SiteSectionGroup",
    signingKey: "SiteSigningKey",
    Node: "Organization",
    publishedSite: "Site",
    PublishedSite: "Site",
    teams: "Team",
    targetPage: "Page",
    fileDark: "File",
    version: "OpenApiSpecVersion",
    Version: "OpenApiSpecVersion",
    integrationName: "Integration", // the name of a tenant's integration is its id
  };
  const found = kinds[noun] ?? noun.charAt(0).toUpperCase() + noun.slice(1);
  return found in idPrefixes ? (found as IdKind) : undefined; // a key of the prefixes
}

export function unknownKind(name: string): never {
  throw new Error(`What does ${name} refer to? Say it in kindOf.`);
}
