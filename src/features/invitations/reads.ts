// Reads of invitations: visible to admins of the organization, and to the user with the invited e-mail address.
import type { Viewer } from "#src/access/viewer.ts";
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { mayListInvitations } from "#src/features/invitations/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { InvitationModel } from "#src/generated/prisma/models.ts";

type InvitationRow = Omit<Stored<InvitationModel>, "acceptedAt">;

const { acceptedAt: _over, ...columns } = Prisma.InvitationScalarFieldEnum;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Invitation: InvitationRow;
  }
}

/**
 * Whether row `t` is for the viewer. The address of a single sign-on user is verified only by the provider of one
 * organization, so such a session or token has no invitations elsewhere.
 */
const isFor = ({ userId, onlyIn, isService }: Viewer): Sql =>
  onlyIn === null && !isService ? sql`t.email = (select u.email from "User" u where u.id = ${userId})` : sql`false`;

export const invitations = entity<InvitationRow, Viewer>({
  kind: "Invitation",
  stored: columns,
  visible: (viewer) =>
    sql`(t."acceptedAt" is null and (t."organizationId" = any(${viewer.adminOf}::text[]) or ${isFor(viewer)}))`,
});

export const invitationsOfOrganization: PageList<InvitationRow, Viewer> = {
  entity: invitations,
  parent: sql`t."organizationId" = p.id`,
  policy: mayListInvitations,
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
};

export const invitationsOfViewer: PageList<InvitationRow, Viewer, object, object> = {
  entity: invitations,
  under: ({ userId }) => userId,
  parent: sql`t.email = (select u.email from "User" u where u.id = p.id)`,
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
  where: (_args, viewer) => sql`${isFor(viewer)} and t."expiresAt" > now()`,
};

/** An invitation to the viewer. */
export interface OwnInvitation {
  readonly id: string;
  readonly organizationId: string;
  readonly membership: { readonly disabled: boolean } | null;
}

/** The invitation with this id if it is for the viewer, also an accepted or expired one; otherwise null. */
export async function findOwnInvitation({ database, viewer }: Context, id: string): Promise<OwnInvitation | null> {
  const [invitation] = await database.query<OwnInvitation>(sql`
    select t.id, t."organizationId", (select json_build_object('disabled', m.disabled) from "OrganizationMember" m
      where m."organizationId" = t."organizationId" and m."userId" = ${viewer.userId}) as membership
    from "Invitation" t where t.id = ${id} and ${isFor(viewer)}`);
  return invitation ?? null;
}

export interface ShownInvitation {
  readonly id: string;
  readonly title: string;
  readonly inviter: string | null;
}

/** The invitations that the viewer may accept, newest first, at most a hundred. */
export async function findShownInvitations({ database, viewer, clock }: Context): Promise<ShownInvitation[]> {
  const now = clock.now().toISOString();
  return database.query<ShownInvitation>(sql`
    select t.id, o.title, u."displayName" as inviter from "Invitation" t
    join "Organization" o on o.id = t."organizationId" left join "User" u on u.id = t."createdById"
    where ${isFor(viewer)} and t."acceptedAt" is null and t."expiresAt" > ${now}::timestamptz
    order by t."createdAt" desc, t.id desc limit 100`);
}

/** The name of the user who invites, for the e-mail. */
export async function findInviterName({ prisma }: Database, id: string): Promise<string | null> {
  return (await prisma.user.findUnique({ where: { id }, select: { displayName: true } }))?.displayName ?? null;
}

/** Whether an address, in lower case, has an open invitation. */
export async function isInvited({ invitation }: Pick<Transaction, "invitation">, email: string, now: Date) {
  return (await invitation.count({ where: { email, acceptedAt: null, expiresAt: { gt: now } }, take: 1 })) > 0;
}
