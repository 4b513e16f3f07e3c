// Inviting somebody into an organization by their e-mail address.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { want } from "#src/db/entity.ts";
import { change } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText } from "#src/domain/input.ts";
import { mayInviteMember } from "#src/features/members/access.ts";
import { memberEvents } from "#src/features/members/events.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** Longest address and local part that mail can be sent to (RFC 5321, section 4.5.3.1, and its erratum 1690). */
const longest = { address: 254, local: 64 } as const;

/**
 * Something, an at sign, and a domain of at least two labels; only an e-mail to it can show whether the mailbox exists.
 */
const form =
  /^[^\s\p{C}@"(),:;<>[\\\]]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;

/** The address in lower case, and its local part. INVALID_INPUT when it has not the form of one. */
function checkEmail(path: string, text: string): { email: string; local: string } {
  const email = checkText(path, text, { min: 3, max: longest.address }).toLowerCase();
  const [local = ""] = email.split("@");
  if (!form.test(email) || local.length > longest.local)
    throw invalidInput(path, "must be an e-mail address such as ann@example.com.");
  return { email, local };
}

/**
 * Makes the user of an e-mail address a member of the organization. An unknown person becomes a user, named by the
 * local part.
 *
 * The role is the organization's `defaultRole` when left out; null makes a guest. INVALID_INPUT for what is not an
 * address, CONFLICT for somebody who is in the organization, disabled or not.
 */
export async function inviteMember(
  context: Context,
  input: { organizationId: string; email: string; role?: Role | null | undefined },
): Promise<{ id: string }> {
  const organization = await context.reader.found(organizations, input.organizationId, want(["defaultRole"]));
  const { email, local: displayName } = checkEmail("email", input.email);
  const role = input.role === undefined ? organization.defaultRole : input.role;
  const organizationId = organization.id;
  const now = context.clock.now();
  return change(context, mayInviteMember, { organizationId }, async (transaction) => {
    // Several may invite one unknown address at once, in any organizations: the first of them makes the user.
    const user = { id: newId("User"), email, displayName, createdAt: now };
    await transaction.user.createMany({ data: [user], skipDuplicates: true });
    const { id: userId } = await transaction.user.findUniqueOrThrow({ where: { email }, select: { id: true } });
    const id = newId("OrganizationMember");
    const member = { id, organizationId, userId, role, joinedAt: now };
    const { count } = await transaction.organizationMember.createMany({ data: [member], skipDuplicates: true });
    if (count === 0) throw new DomainError("CONFLICT", `${email} is in the organization already.`);
    return {
      result: { id },
      events: [{ type: memberEvents.invited, subjectId: id, organizationId, payload: { userId } }],
    };
  });
}
