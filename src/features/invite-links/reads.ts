// Reading invite links: admins of the organization see them, and whoever has the key may follow it.
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { requireListInviteLinks } from "#src/features/invite-links/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { InviteLinkModel } from "#src/generated/prisma/models.ts";

export type InviteLinkRow = Stored<InviteLinkModel>;

const inviteLinks = entity<InviteLinkRow, Viewer>({
  kind: "InviteLink",
  stored: Prisma.InviteLinkScalarFieldEnum,
  visible: (viewer) => sql`t."organizationId" = any(${viewer.adminOf}::text[])`,
});

const inviteLinksOfOrganization: PageList<InviteLinkRow, Viewer, object> = {
  name: "Organization.inviteLinks",
  entity: inviteLinks,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: () => ({ name: "createdAt", key: sql`t."createdAt"`, type: "timestamptz", direction: "desc" }),
};

export function findInviteLink(context: Context, id: string, wanted: Wanted): Promise<InviteLinkRow | null> {
  return context.reader.row(inviteLinks, id, wanted);
}

/** A page of the invite links of an organization, expired ones too. FORBIDDEN for who is no admin of it. */
export async function pageInviteLinks(
  context: Context,
  organization: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<InviteLinkRow>> {
  requireListInviteLinks(context.viewer, organization);
  return context.reader.page(inviteLinksOfOrganization, organization.id, { page, args: {}, wanted });
}

/** What a key leads the viewer to: the organization, and the membership that they have there already. */
export interface Invitation {
  id: string;
  organizationId: string;
  membership: { disabled: boolean } | null;
}

/** The invitation that a key is good for now, or null: it is unknown or expired, or the organization has its links turned off. */
export async function findInvitation(context: Context, key: string): Promise<Invitation | null> {
  const now = context.clock.now().toISOString();
  const [invitation] = await context.database.query<Invitation>(sql`
    select l.id, l."organizationId", (select json_build_object('disabled', m.disabled) from "OrganizationMember" m
      where m."organizationId" = l."organizationId" and m."userId" = ${context.viewer.userId}) as membership
    from "InviteLink" l join "Organization" o on o.id = l."organizationId"
    where l.key = ${key} and o."inviteLinks" and (l."expiresAt" is null or l."expiresAt" > ${now}::timestamptz)`);
  return invitation ?? null;
}
