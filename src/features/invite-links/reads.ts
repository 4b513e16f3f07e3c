// Reads of invite links: visible to admins of the organization, usable by every user with the key.
import { byTime } from "#src/db/reading/orders.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { mayListInviteLinks } from "#src/features/invite-links/access.ts";
import type { InviteLinkModel } from "#src/generated/prisma/models.ts";

type InviteLinkRow = Stored<InviteLinkModel>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    InviteLink: InviteLinkRow;
  }
}

export const inviteLinks = entity<InviteLinkRow, Viewer>({
  kind: "InviteLink",
  visible: (viewer) => sql`t."organizationId" = any(${viewer.adminOf}::text[])`,
});

export const inviteLinksOfOrganization: PageList<InviteLinkRow, Viewer> = {
  entity: inviteLinks,
  parent: sql`t."organizationId" = p.id`,
  policy: mayListInviteLinks,
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
};

/** The organization of a key, and the existing membership of the viewer there. */
type Invitation = { id: string; organizationId: string; title: string; membership: { disabled: boolean } | null };

/** The invitation of a key; null if it is unknown or has expired, or if links are turned off. */
export async function findInvitation(context: Context, key: string): Promise<Invitation | null> {
  const now = context.clock.now().toISOString();
  const [invitation] = await context.database.query<Invitation>(sql`
    select l.id, l."organizationId", o.title, (select json_build_object('disabled', m.disabled) from "OrganizationMember" m
      where m."organizationId" = l."organizationId" and m."userId" = ${context.viewer.userId}) as membership
    from "InviteLink" l join "Organization" o on o.id = l."organizationId"
    where l.key = ${key} and o."inviteLinks" and (l."expiresAt" is null or l."expiresAt" > ${now}::timestamptz)`);
  return invitation ?? null;
}
