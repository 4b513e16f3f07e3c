// Calls of the operations beyond the contract, in the shapes of the public client, for the examples of the description.
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { at as onDay } from "#src/demo/story.ts";
import type { Call } from "#test/contract/site-examples.ts";

const proposedReply = { commentId: "ownCommentId", commentReplyId: "ownReplyId" };

/** Calls before the next version of the integration, which is for spaces alone. */
export const installationWrites: Readonly<Record<string, Call>> = {
  renderIntegrationUIWithPost: {
    body: ({ spaceId }) => ({ componentId: "tide", props: { port: "Brest" }, context: { spaceId } }),
  },
  installIntegrationOnSpace: { body: ({ errorsId }) => ({ space: errorsId }) },
  installIntegrationOnSite: { body: ({ madeSiteId }) => ({ siteId: madeSiteId }) },
};

/** Write operations in a possible order, before those that merge the change request. */
export const additionWrites: Readonly<Record<string, Call>> = {
  createOrganization: { body: () => ({ title: "Tide Gauges", emailDomains: ["gauges.example.com"] }) },
  createSpace: { body: ({ referenceId }) => ({ title: "Field manual", emoji: "📗", parent: referenceId }) },
  updateChangeRequestContent: {
    body: ({ proposedPageId }) => ({
      changes: [
        { operation: "insert_page", title: "Cables", document: { markdown: "Use the thick ones.\n" } },
        { operation: "update_page", page: proposedPageId, description: "What to do first", at: 1 },
      ],
    }),
  },
  requestReviewersForChangeRequest: { body: ({ userId }) => ({ users: [userId] }) },
  submitChangeRequestReview: {
    at: { spaceId: "foreignSpaceId", changeRequestId: "foreignChangeId" },
    body: () => ({ status: "approved", comment: { markdown: "Clear and short." } }),
  },
  updateCommentReplyInChangeRequest: {
    at: proposedReply,
    body: () => ({ body: { markdown: "It is on its way, with a picture." } }),
  },
  createOrganizationInvite: { body: () => ({ role: "comment" }) },
  joinOrganizationWithInvite: { at: { organizationId: "opentideId", inviteId: "openInviteKey" } },
  updateOrganizationInviteById: { body: () => ({ role: "comment" }) },
  inviteUsersToOrganization: {
    body: () => ({ emails: ["nadia.berg@example.com", { email: "tom.ruiz@example.com", role: "edit" }], role: "read" }),
  },
  updateSiteCustomizationById: {
    body: () => ({
      title: "Harbour manuals",
      styling: { primaryColor: { light: "#2563eb", dark: "#93c5fd" }, font: "serif" },
      header: { links: [{ title: "Shop", to: { kind: "url", url: "https://shop.example.com/" }, links: [] }] },
      footer: { text: "Harbour Instruments" },
    }),
  },
  inviteToSpace: { body: ({ userId, teamId }) => ({ role: "edit", users: [userId], teams: [teamId] }) },
  inviteToCollection: { body: ({ userId }) => ({ role: "edit", users: [userId] }) },
  resolvePublishedContentByUrl: { body: ({ siteUrl }) => ({ url: siteUrl }) },
  updateUserPermissionInSpace: { body: () => ({ role: "edit" }) },
  updateTeamPermissionInSpace: { body: () => ({ role: "review" }) },
  updateUserPermissionInCollection: { body: () => ({ role: "edit" }) },
  updateTeamPermissionInCollection: { body: () => ({ role: "review" }) },
  runTranslation: {},
  unpublishSite: {},
  publishSite: {},
};

/** The ids for them, after rows that the demo lacks. */
export async function additionIds({ prisma }: Database, of: Readonly<Record<string, string>>) {
  const { organizationId = "", opentideId = "", spaceId = "", changeRequestId = "", userId = "", elifId = "" } = of;
  const change = await prisma.changeRequest.findUniqueOrThrow({ where: { id: changeRequestId } });
  const mara = await prisma.user.findFirstOrThrow({ where: { displayName: "Mara Lindqvist" } });
  const given = { changeRequestId, reviewerId: elifId, status: "approved", revisionId: change.revisionId } as const;
  await prisma.review.deleteMany({ where: { changeRequestId } });
  const review = await prisma.review.create({ data: { id: newId("Review"), ...given, reviewedAt: onDay(250) } });
  const asked = { reviewerId: userId, status: "requested", requestedById: mara.id, requestedAt: onDay(250) } as const;
  await prisma.review.create({ data: { id: newId("Review"), changeRequestId, ...asked } });
  const link = { role: "read", createdById: mara.id, createdAt: onDay(250) } as const;
  const inviteId = newId("InviteLink");
  await prisma.inviteLink.create({ data: { id: inviteId, organizationId, key: "one-key-for-readers", ...link } });
  await prisma.inviteLink.create({
    data: { id: newId("InviteLink"), organizationId: opentideId, key: "one-key", ...link },
  });
  const auditEventId = newId("AuditEntry");
  const entry = { type: "member.updated", organizationId, actorId: mara.id, subjectId: elifId, createdAt: onDay(250) };
  await prisma.auditEntry.create({ data: { id: auditEventId, ...entry, payload: { role: "edit" } } });
  const space = await prisma.space.findUniqueOrThrow({ where: { id: spaceId } });
  const foreign = await prisma.changeRequest.findFirstOrThrow({
    where: { status: "open", createdById: { not: mara.id }, organizationId },
  });
  return {
    reviewId: review.id,
    inviteId,
    auditEventId,
    openInviteKey: "one-key",
    revisionId: space.revisionId,
    foreignChangeId: foreign.id,
    foreignSpaceId: foreign.spaceId,
  };
}
