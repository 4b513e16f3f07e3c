// The kinds of organization events about invitations, each with the mutation that causes it.
import { addPerson } from "#test/features/members/factory.ts";
import { done, listen } from "#test/live/kinds.ts";
import type { TestApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

/** Creates invitations, which are accepted, declined and withdrawn; returns the kinds of the events. */
export async function hearInvitations(app: TestApp, world: World): Promise<string[]> {
  const { organization, admin } = await world.organization();
  const organizationId = organization.id;
  const stream = await listen(app, admin, `organizationEvents(of: { organizationId: "${organizationId}" })`);
  const [newcomer, other] = await world.insert((rows) => [addPerson(rows), addPerson(rows)] as const);
  const invite = async (email: string) => {
    const input = { organizationId, email, role: "EDIT", answer: "invitation { id }" };
    const made = await stream.delivers(
      done<{ invitation: { id: string } }>(app, admin.token, "createInvitation", input),
      { __typename: "InvitationCreated", facts: { role: "EDIT" } },
    );
    return made.invitation.id;
  };
  const accepted = await invite(newcomer.email);
  const actor = { id: newcomer.id };
  await stream.delivers(
    done(app, newcomer.token, "acceptInvitation", { invitationId: accepted }),
    { __typename: "InvitationAccepted", actor, facts: { invitationId: accepted, userId: newcomer.id } },
    { __typename: "MemberJoined", actor, facts: { userId: newcomer.id, role: "EDIT", invitationId: accepted } },
  );
  const declined = await invite(other.email);
  await stream.delivers(done(app, other.token, "declineInvitation", { invitationId: declined }), {
    __typename: "InvitationDeclined",
    actor: null,
    facts: { invitationId: declined, role: "EDIT" },
  });
  const withdrawn = await invite(other.email);
  await stream.delivers(done(app, admin.token, "withdrawInvitation", { organizationId, invitationId: withdrawn }), {
    __typename: "InvitationWithdrawn",
    facts: { invitationId: withdrawn, role: "EDIT" },
  });
  return stream.end(7);
}
