// Reads of organizations: members and guests see their own.
import { containsText, whenGiven } from "#src/db/reading/filters.ts";
import { byName, byText, byTime, orderedBy, type Ordered } from "#src/db/reading/orders.ts";
import type { Instant } from "#src/base/time.ts";
import { found, invalidInput } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { entity, type Stored, project, type Projection } from "#src/db/reading/entity.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { pageSize } from "#src/db/reading/page.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Context } from "#src/domain/context.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import type { OrganizationModel } from "#src/generated/prisma/models.ts";

export interface OrganizationRow extends Omit<Stored<OrganizationModel>, "visitorKey" | "createdById"> {
  emailDomainClaims: readonly EmailDomainRow[];
}

/** The facts about an e-mail domain of an organization, with times in the format of the database. */
export interface EmailDomainRow {
  readonly domain: string;
  readonly isVerified: boolean;
  readonly claimedAt: string;
  readonly checkedAt: string | null;
  readonly verifiedAt: string | null;
  readonly missingSince: string | null;
}

/** Only the command that signs reads the key, and only the quota reads the creator. */
const { visitorKey: _secret, createdById: _creator, ...columns } = Prisma.OrganizationScalarFieldEnum;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Organization: OrganizationRow;
  }
}

export const organizations = entity<OrganizationRow, Viewer>({
  kind: "Organization",
  stored: columns,
  derived: {
    emailDomainClaims: () => sql`(select coalesce(json_agg(json_build_object('domain', n.domain,
        'isVerified', d."verifiedDomain" is not null, 'claimedAt', coalesce(d."claimedAt", t."createdAt"),
        'checkedAt', d."checkedAt", 'verifiedAt', d."verifiedAt", 'missingSince', d."missingSince") order by n.domain), '[]')
      from unnest(t."emailDomains") n(domain)
      left join "EmailDomain" d on d."organizationId" = t.id and d.domain = n.domain)`,
  },
  visible: (viewer) => sql`t.id = any(${viewer.organizations}::text[])`,
});

/** The publisher of open content: visible with it, as a preview for outsiders. */
export const publishers = { ...organizations, visible: () => sql`true` };

const organizationOrders = { title: byName("title"), createdAt: byTime("createdAt") };

interface OrganizationFilter extends Ordered<keyof typeof organizationOrders> {
  readonly title?: string | null | undefined;
}

/** Nobody is in thousands of organizations, so sorting on read is cheap. */
export const organizationsOfViewer: PageList<OrganizationRow, Viewer, OrganizationFilter, object> = {
  entity: organizations,
  under: ({ userId }) => userId,
  parent: sql`p.id is not null`,
  visible: "by its own rule",
  order: orderedBy(organizationOrders, byText("title")),
  where: ({ title }) => whenGiven(title, (text) => containsText(sql`t."title"`, text)),
};

/**
 * The organizations of an e-mail domain (the parent) that the viewer may find: their own, and, so that people find the
 * one of their company, the one that has verified the domain of their own address, unless their membership is disabled.
 */
const organizationsOfDomain: PageList<OrganizationRow, Viewer> = {
  entity: organizations,
  parent: sql`t."emailDomains" @> array[p.id]`,
  // By the condition below, which is wider than the entity's own: the added ones are only shown as previews.
  visible: "with parent",
  order: byText("title"),
  where: (_args, viewer) => sql`(${organizations.visible(viewer)}
    or (p.id = ${ownDomain(viewer)} and ${countsFor(sql`p.id`)} and ${hasNoMembership(viewer)}))`,
};

const ownDomain = ({ userId }: Viewer) =>
  sql`(select split_part(u.email, '@', 2) from "User" u where u.id = ${userId})`;

/** Whether organization `t` has verified an e-mail domain. */
const countsFor = (domain: Sql) =>
  sql`exists (select from "EmailDomain" d where d."verifiedDomain" = ${domain} and d."organizationId" = t.id)`;

/** Whether the viewer has no membership in the organization `t`, not even a disabled one. */
const hasNoMembership = ({ userId }: Viewer) =>
  sql`not exists (select from "OrganizationMember" m where m."organizationId" = t.id and m."userId" = ${userId})`;

/**
 * The public profile of an organization, or null: for people of its verified e-mail domains, and for everybody
 * if outsiders can see one of its spaces or published sites, even if only by a link.
 */
export async function findPreview(
  { database, viewer }: Context,
  id: string,
): Promise<Pick<OrganizationRow, "title" | "hostname" | "logoURL"> | null> {
  const open = sql`s."organizationId" = t.id and s."visibility" in ('public', 'unlisted', 'share_link')`;
  const [preview] = await database.query<Pick<OrganizationRow, "title" | "hostname" | "logoURL">>(sql`
    select t.title, t.hostname, t."logoURL" from "Organization" t where t.id = ${id}
      and (exists (select from "Space" s where s."deletedAt" is null and ${open})
        or exists (select from "Site" s where s."published" and ${open})
        or (${countsFor(ownDomain(viewer))} and ${hasNoMembership(viewer)}))`);
  return preview ?? null;
}

/** The organizations of an e-mail domain that the viewer may find, by title, at most {@link pageSize}.max. */
export async function findOrganizationsByEmailDomain(
  context: Context,
  domain: string,
  projection: Projection,
): Promise<readonly OrganizationRow[]> {
  const first = { page: { first: pageSize.max }, args: {}, projection };
  const { nodes } = await context.reader.page(organizationsOfDomain, { id: domain.trim().toLowerCase() }, first);
  return nodes;
}

/** An organization of the viewer, by its id, its hostname, or the first label of that. INVALID_INPUT if ambiguous. */
export async function findOrganizationNamed(context: Context, name: string): Promise<{ id: string }> {
  if (isIdOf("Organization", name)) return context.reader.found(organizations, name, project(["id"]));
  const rows = await context.database.query<{ id: string; isExact: boolean }>(sql`
    select t.id, t.hostname = lower(${name}) as "isExact" from "Organization" t
    where ${organizations.visible(context.viewer)} and lower(${name}) in (t.hostname, split_part(t.hostname, '.', 1))
    order by t.hostname = lower(${name}) desc limit 2`);
  const [only, other] = rows;
  if (other && !only?.isExact)
    throw invalidInput("organizationId", "is the subdomain of several organizations: give an id.");
  return found(only ?? null, organizations.noun);
}

export interface Visitor {
  id: string;
  organizationId: string;
  userId: string;
  role: Role | null;
  lastSeenAt: Instant | null;
  email: string;
  displayName: string;
  /** Sealed. */
  visitorKey: Uint8Array | null;
}

/** The viewer as an active member or guest of the organization, or null. `id` is that of the membership. */
export async function findVisitor(context: Context, organizationId: string): Promise<Visitor | null> {
  const [visitor] = await context.database.query<Visitor>(sql`
    select m.id, m."organizationId", m."userId", m.role, m."lastSeenAt", u.email, u."displayName", o."visitorKey"
    from "OrganizationMember" m join "User" u on u.id = m."userId" join "Organization" o on o.id = m."organizationId"
    where m."organizationId" = ${organizationId} and m."userId" = ${context.viewer.userId} and not m.disabled`);
  return visitor ?? null;
}
