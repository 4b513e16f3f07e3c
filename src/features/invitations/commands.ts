// The commands that create, withdraw, accept and decline invitations.
import { DomainError, found, invalidInput, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { inFigures } from "#src/base/limits.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { removeOlder } from "#src/db/maintenance/remove-rows.ts";
import { project } from "#src/db/reading/entity.ts";
import { changeIfAny, type Deleted, deleteIfThere, requireAllowed, type Transaction } from "#src/domain/change.ts";
import { type Context, renewViewer } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { checkEmail, checkFuture, type Optional } from "#src/domain/input.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";
import type { DomainEvent } from "#src/events/event.ts";
import {
  mayAcceptInvitation,
  mayCreateInvitation,
  mayDeclineInvitation,
  mayWithdrawInvitation,
} from "#src/features/invitations/access.ts";
import { invitationEvents, refusalEvents } from "#src/features/invitations/events.ts";
import {
  findInviterName,
  findOwnInvitation,
  invitations,
  type OwnInvitation,
} from "#src/features/invitations/reads.ts";
import { joinEvents } from "#src/features/invite-links/events.ts";
import { writeNotice } from "#src/features/users/commands/notices.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import type { InvitationModel } from "#src/generated/prisma/models.ts";
import type { EmailKind } from "#src/jobs/emails.ts";
import { quoteInEmail } from "#src/net/mail.ts";
import { layOutEmail } from "#src/pages/email.ts";

/** Default validity of an invitation, in milliseconds: two weeks. */
const defaultValidityMs = 14 * 24 * 3_600_000;

/** Maximum number of invitation e-mails to one address per day. */
const emailsPerAddress = 3;
const dayMs = 24 * 3_600_000;

type ForOne = { readonly email: string } & Optional<{ role: Role }>;
type InvitationInput = ForOne & { organizationId: string } & Optional<{ expiresAt: Date }>;

/**
 * Invites an e-mail address. Does not look up or create a user: the result and its timing are the same whether the
 * address is known or not. A repeated call returns the open invitation. CONFLICT for members, an open invitation with
 * another role, or above the quota; RATE_LIMITED above the daily limit of e-mails.
 */
export async function createInvitation(
  context: Context,
  { organizationId, email, role, expiresAt }: InvitationInput,
): Promise<{ id: string }> {
  const one = { organizationId, expiresAt, people: [{ email, role }], paths: ["email"] };
  return invite(context, one, ([id = ""]) => ({ id }));
}

/** The most addresses that are invited at once. */
export const inviteeLimit = 50;

/** Invites several addresses, or none if one of them is refused. A repeated address counts once. Throws the same. */
export async function createInvitations(
  context: Context,
  { organizationId, people, role }: { organizationId: string; people: readonly ForOne[] } & Optional<{ role: Role }>,
): Promise<{ invitedCount: number }> {
  const { length } = people;
  if (length === 0 || length > inviteeLimit)
    throw invalidInput("people", `must have 1 to ${inviteeLimit} entries, and has ${length}.`);
  const all = people.map((one) => ({ email: one.email, role: one.role === undefined ? role : one.role }));
  const paths = people.map((_, index) => `people/${index}/email`);
  return invite(context, { organizationId, people: all, paths }, (ids) => ({ invitedCount: new Set(ids).size }));
}

interface Invitees {
  readonly organizationId: string;
  readonly people: readonly ForOne[];
  /** Where the input has their addresses, for errors. */
  readonly paths: readonly string[];
  readonly expiresAt?: Date | null | undefined;
}

/** Invites these people in one transaction. The result is made of the ids of their open invitations. */
async function invite<Result extends object>(
  context: Context,
  { organizationId, people, paths, ...given }: Invitees,
  resultOf: (ids: readonly string[]) => Result,
): Promise<Result> {
  const columns = project(["defaultRole", "title"]);
  const organization = await context.reader.found(organizations, organizationId, columns);
  const createdAt = context.clock.now();
  await requireAllowed(context, mayCreateInvitation, { organizationId });
  const createdById = context.viewer.userId;
  const expiresAt = given.expiresAt
    ? checkFuture("expiresAt", given.expiresAt, createdAt)
    : new Date(createdAt.getTime() + defaultValidityMs);
  const rows = people.map((one, index) => {
    const { email } = checkEmail(paths[index] ?? "", one.email);
    const role = one.role === undefined ? organization.defaultRole : one.role;
    return { id: newId("Invitation"), organizationId, email, role, createdById, createdAt, expiresAt };
  });
  let written: WrittenInvitation[] = [];
  const result = await changeIfAny(context, mayCreateInvitation, { organizationId }, async (transaction) => {
    await takeAdvisoryLock(transaction, `invitations of ${organizationId}`); // serializes the count
    written = [];
    // In the order of their addresses, so that concurrent calls take the locks of e-mails in one order.
    for (const row of rows.toSorted((one, other) => (one.email < other.email ? -1 : 1)))
      written.push(await writeInvitation(transaction, context, row));
    return { result: resultOf(written.map(({ id }) => id)), events: written.flatMap(({ event }) => event ?? []) };
  });
  const sent = { title: organization.title, publicUrl: context.publicUrl, inviterId: createdById };
  for (const { sendTo } of written)
    if (sendTo !== null) context.emails?.post(context, invitationEmail, { to: sendTo, ...sent });
  return result;
}

interface WrittenInvitation {
  readonly id: string;
  readonly event: DomainEvent | null;
  /** The address, if an e-mail is to be sent. */
  readonly sendTo: string | null;
}

async function writeInvitation(
  transaction: Transaction,
  context: Context,
  data: Omit<InvitationModel, "acceptedAt" | "createdById"> & { readonly createdById: string },
): Promise<WrittenInvitation> {
  const { id, organizationId, role, email } = data;
  await requireNotMember(transaction, data);
  const open = await findOpen(transaction, data);
  if (open) return { id: open.id, event: null, sendTo: null };
  await requireInvitationsLeft(transaction, context, organizationId);
  const isSent = context.emails ? await countEmail(transaction, context, data) : false;
  await transaction.invitation.create({ data });
  return { id, event: eventOf("created", data, { role }), sendTo: isSent ? email : null };
}

interface CountedEmail {
  readonly email: string;
  readonly organizationId: string;
  readonly createdById: string;
  readonly createdAt: Date;
}

/** Counts an e-mail across all gateways. False if the address has reached its limit; RATE_LIMITED for the sender. */
async function countEmail(
  transaction: Transaction,
  { quotas }: Context,
  { email, organizationId, createdById: senderId, createdAt: sentAt }: CountedEmail,
): Promise<boolean> {
  const since = { gt: new Date(sentAt.getTime() - dayMs) };
  const count = (where: { email: string } | { senderId: string } | { organizationId: string }) =>
    transaction.invitationEmail.count({ where: { ...where, sentAt: since } });
  // The caller has locked the organization.
  await takeAdvisoryLock(transaction, `invitation e-mails of ${senderId}`);
  if ((await count({ senderId })) >= quotas.invitationEmailsPerDay)
    throw tooManyEmails("You may", quotas.invitationEmailsPerDay);
  if ((await count({ organizationId })) >= quotas.invitationEmailsOfOrganizationPerDay)
    throw tooManyEmails("An organization may", quotas.invitationEmailsOfOrganizationPerDay);
  await takeAdvisoryLock(transaction, `invitation e-mails to ${email}`);
  if ((await count({ email })) >= emailsPerAddress) return false;
  await transaction.invitationEmail.create({ data: { email, senderId, organizationId, sentAt } });
  return true;
}

const tooManyEmails = (who: string, most: number) =>
  new DomainError(
    "RATE_LIMITED",
    `${who} send at most ${inFigures(most)} invitations by e-mail in 24 hours. Try again later, or create an invite link.`,
  );

/** Throws CONFLICT for the address of a member or guest of the organization. */
async function requireNotMember(
  transaction: Transaction,
  { organizationId, email }: { organizationId: string; email: string },
) {
  if ((await transaction.organizationMember.count({ where: { organizationId, user: { email } } })) > 0)
    throw new DomainError("CONFLICT", `${email} already belongs to the organization.`);
}

/** The open invitation of the address; deletes an accepted or expired one. CONFLICT if it has another role. */
async function findOpen(
  transaction: Transaction,
  { organizationId, email, role, createdAt }: Pick<InvitationModel, "organizationId" | "email" | "role" | "createdAt">,
): Promise<{ id: string } | null> {
  const where = { organizationId_email: { organizationId, email } };
  const invitation = await transaction.invitation.findUnique({ where });
  if (!invitation) return null;
  if (invitation.acceptedAt || invitation.expiresAt <= createdAt) {
    await transaction.invitation.delete({ where });
    return null;
  }
  if (invitation.role !== role)
    throw new DomainError("CONFLICT", `${email} has an invitation with another role. Withdraw it first.`);
  return { id: invitation.id };
}

async function requireInvitationsLeft(
  transaction: Transaction,
  { clock, quotas: { invitations: most } }: Context,
  organizationId: string,
): Promise<void> {
  const where = { organizationId, acceptedAt: null, expiresAt: { gt: clock.now() } };
  const count = await transaction.invitation.count({ where });
  if (count >= most)
    throw new DomainError(
      "CONFLICT",
      `An organization may have at most ${inFigures(most)} open invitations, and has ${inFigures(count)}. Withdraw one first.`,
    );
}

function eventOf(
  verb: keyof typeof invitationEvents,
  { id, organizationId }: { id: string; organizationId: string },
  payload: DomainEvent["payload"] & object,
): DomainEvent {
  return { type: invitationEvents[verb], subjectId: id, organizationId, payload };
}

interface SentInvitation {
  readonly to: string;
  readonly title: string;
  readonly publicUrl: string;
  /** Absent in e-mails that a former release has queued. */
  readonly inviterId?: string;
}

export const invitationEmail: EmailKind<SentInvitation> = {
  name: "An invitation",
  async write({ database }, { to, title, publicUrl, inviterId }) {
    const inviter = inviterId === undefined ? null : await findInviterName(database, inviterId);
    const invites = inviter === null ? `${to} is invited` : `${quoteInEmail(inviter)} invites ${to}`;
    const letter = {
      subject: "An invitation to an organization on docgraph",
      title: "You are invited",
      says: [`${invites} to join an organization on docgraph. Its name is:`],
      quoted: quoteInEmail(title),
      button: { label: "See the invitation", address: `${publicUrl}/invitations` },
      after: [
        "To accept or decline the invitation, sign in with the e-mail address that received this message.",
        "If you do not know the sender, ignore this e-mail. The sender does not learn whether you have an account.",
      ],
    };
    const [user] = await database.query<{ id: string }>(sql`select id from "User" where email = ${to}`);
    if (!user) return layOutEmail({ ...letter, to });
    return writeNotice({ database }, user.id, { ...letter, kind: "invitation", publicUrl });
  },
};

/** Withdraws an open invitation. FORBIDDEN unless the viewer is an admin, even if the invitation does not exist. */
export async function withdrawInvitation(
  context: Context,
  { organizationId, invitationId }: { organizationId: string; invitationId: string },
): Promise<Deleted> {
  await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayWithdrawInvitation, { organizationId });
  const invitation = await context.reader.row(invitations, invitationId, project(["organizationId"]));
  if (invitation?.organizationId !== organizationId) return { deletedId: null };
  return deleteIfThere(context, mayWithdrawInvitation, { organizationId }, async (transaction) => {
    const [deleted] = await transaction.$queryRaw<{ role: Role | null }[]>`
      delete from "Invitation" where id = ${invitation.id} and "acceptedAt" is null returning role::text`;
    return deleted ? eventOf("withdrawn", invitation, deleted) : null;
  });
}

/** NOT_FOUND for an invitation to another user, or one that was withdrawn or has expired. Idempotent. */
export async function acceptInvitation(context: Context, invitationId: string): Promise<{ organizationId: string }> {
  const invitation = found(await findOwnInvitation(context, invitationId), "invitation");
  const { organizationId } = invitation;
  const accepted = await changeIfAny(context, mayAcceptInvitation, invitation, async (transaction) => ({
    result: { organizationId },
    events: await join(transaction, context, invitation),
  }));
  await renewViewer(context); // they may have joined after their permissions were read
  return accepted;
}

async function join(
  transaction: Transaction,
  { viewer: { userId }, clock }: Context,
  { id, organizationId }: OwnInvitation,
): Promise<DomainEvent[]> {
  const [locked] = await transaction.$queryRaw<{ role: Role | null; acceptedAt: Date | null; expiresAt: Date }[]>`
    select role::text, "acceptedAt", "expiresAt" from "Invitation" where id = ${id} for update`;
  const now = clock.now();
  const isMember = (await transaction.organizationMember.count({ where: { organizationId, userId } })) > 0;
  if (locked?.acceptedAt && isMember) return [];
  if (!locked || locked.acceptedAt || locked.expiresAt <= now) throw notFound("invitation");
  const { role } = locked;
  await transaction.invitation.update({ where: { id }, data: { acceptedAt: now } });
  const member = { id: newId("OrganizationMember"), organizationId, userId, role, joinedAt: now };
  const { count } = await transaction.organizationMember.createMany({ data: [member], skipDuplicates: true });
  const accepted = eventOf("accepted", { id, organizationId }, { userId });
  const payload = { userId, role, invitationId: id };
  const joined = { type: joinEvents.joined, subjectId: member.id, organizationId, payload };
  return count > 0 ? [accepted, joined] : [accepted];
}

/** Deletes an invitation to the viewer's e-mail address. The event does not name the viewer. */
export async function declineInvitation(
  context: Context,
  invitationId: string,
): Promise<Deleted & { readonly userId: string }> {
  const by = { userId: context.viewer.userId };
  const invitation = await findOwnInvitation(context, invitationId);
  if (!invitation) return { deletedId: null, ...by };
  const { id, organizationId } = invitation;
  const decline = () =>
    deleteIfThere(context, mayDeclineInvitation, invitation, async (transaction) => {
      const [deleted] = await transaction.$queryRaw<{ role: Role | null }[]>`
        delete from "Invitation" where id = ${id} and "acceptedAt" is null returning role::text`;
      return deleted
        ? { type: refusalEvents.declined, subjectId: id, organizationId, payload: deleted, isByNobody: true }
        : null;
    });
  return answersWith(context, by, decline);
}

/** Deletes invitations that expired a month ago, and old counts of e-mails, so that addresses are not retained. */
export async function removeOverInvitations(database: Pick<Database, "query">, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - dayMs);
  await removeOlder(database, { table: "InvitationEmail", column: "sentAt", before: dayAgo });
  const before = new Date(now.getTime() - 30 * dayMs);
  await removeOlder(database, { table: "Invitation", column: "expiresAt", before });
}
