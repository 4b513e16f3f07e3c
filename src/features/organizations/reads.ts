// Reading organizations: members and guests see those that they are in.
import type { Instant } from "#src/base/time.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import { sql } from "#src/db/database.ts";
import type { PageList } from "#src/db/page-list.ts";
import { type Page, type PageArguments, pageSize } from "#src/db/reader.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Context } from "#src/domain/context.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import type { OrganizationModel } from "#src/generated/prisma/models.ts";

export interface OrganizationRow extends Omit<Stored<OrganizationModel>, "visitorKey"> {
  /** Whether the viewer owns a team of the organization. */
  ownsTeam: boolean;
}

/** The key is read by the one command that signs with it. */
const { visitorKey: _secret, ...columns } = Prisma.OrganizationScalarFieldEnum;

export const organizations = entity<OrganizationRow, Viewer>({
  kind: "Organization",
  stored: columns,
  derived: {
    ownsTeam: (viewer) => sql`exists (select from "TeamMember" tm
      where tm."organizationId" = t.id and tm."userId" = ${viewer.userId} and tm.role = 'owner')`,
  },
  visible: (viewer) => sql`t.id = any(${viewer.organizations}::text[])`,
});

const organizationsOfViewer: PageList<OrganizationRow, Viewer, object> = {
  name: "Viewer.organizations",
  entity: organizations,
  parent: sql`p.id is not null`,
  visible: "by its own rule",
  order: () => ({ name: "title", key: sql`t."title"`, type: "text", direction: "asc" }),
};

/**
 * The organizations of an e-mail domain, which is the parent, that the viewer may find: those that they are in, and, for people to find
 * that of their company, those of the domain of their own e-mail address. Not where their membership is switched off.
 */
const organizationsOfDomain: PageList<OrganizationRow, Viewer, object> = {
  name: "Query.organizationsByEmailDomain",
  entity: organizations,
  parent: sql`t."emailDomains" @> array[p.id]`,
  visible: "with parent", // by the condition below, which is wider than the entity's own: only a preview is shown of what it adds
  order: () => ({ name: "title", key: sql`t."title"`, type: "text", direction: "asc" }),
  where: (_args, viewer) => sql`(${organizations.visible(viewer)}
    or (p.id = (select split_part(u.email, '@', 2) from "User" u where u.id = ${viewer.userId})
      and not exists (select from "OrganizationMember" m where m."organizationId" = t.id and m."userId" = ${viewer.userId})))`,
};

export function findOrganization(context: Context, id: string, wanted: Wanted): Promise<OrganizationRow | null> {
  return context.reader.row(organizations, id, wanted);
}

export function pageOrganizations(
  context: Context,
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<OrganizationRow>> {
  return context.reader.page(organizationsOfViewer, context.viewer.userId, { page, args: {}, wanted });
}

/** The organizations of an e-mail domain that the viewer may find, by title, at most {@link pageSize}.max of them. They may be in some of them only. */
export async function findOrganizationsByEmailDomain(
  context: Context,
  domain: string,
  wanted: Wanted,
): Promise<readonly OrganizationRow[]> {
  const page = { first: pageSize.max };
  const parent = domain.trim().toLowerCase();
  return (await context.reader.page(organizationsOfDomain, parent, { page, args: {}, wanted })).nodes;
}

/** What a ping needs to know of the viewer in an organization. */
export interface Visitor {
  id: string;
  organizationId: string;
  userId: string;
  role: Role | null;
  lastSeenAt: Instant | null;
  email: string;
  displayName: string;
  visitorKey: string | null;
}

/** The viewer as an active member or guest of the organization, or null. `id` is that of the membership. */
export async function findVisitor(context: Context, organizationId: string): Promise<Visitor | null> {
  const [visitor] = await context.database.query<Visitor>(sql`
    select m.id, m."organizationId", m."userId", m.role, m."lastSeenAt", u.email, u."displayName", o."visitorKey"
    from "OrganizationMember" m join "User" u on u.id = m."userId" join "Organization" o on o.id = m."organizationId"
    where m."organizationId" = ${organizationId} and m."userId" = ${context.viewer.userId} and not m.disabled`);
  return visitor ?? null;
}
