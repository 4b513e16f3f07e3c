// Reading organizations: members and guests see those that they are in.
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import { sql } from "#src/db/database.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Context } from "#src/domain/context.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { OrganizationModel } from "#src/generated/prisma/models.ts";

export interface OrganizationRow extends Stored<OrganizationModel> {
  /** Whether the viewer owns a team of the organization. */
  ownsTeam: boolean;
}

export const organizations = entity<OrganizationRow, Viewer>({
  kind: "Organization",
  stored: Prisma.OrganizationScalarFieldEnum,
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
