// One event of every type that is told, with every fact that any of them may carry.
import { newId } from "#src/base/ids.ts";
import { allEventTypes } from "#src/graph/events.ts";
import type { TestApp } from "#test/support/app.ts";
import { awkwardTexts } from "#test/support/awkward-texts.ts";

interface Where {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly collectionId: string;
  readonly changeRequestId: string;
  readonly userId: string;
  readonly memberId: string;
  readonly teamId: string;
}

/** Writes the events, as if a user had done all of it to the same few things. */
export async function tellEverything({ database: { prisma } }: TestApp, where: Where): Promise<void> {
  const { organizationId, spaceId, collectionId, changeRequestId, userId, memberId, teamId } = where;
  const space = await prisma.space.findUniqueOrThrow({ where: { id: spaceId } });
  const reply = await prisma.commentReply.findFirst();
  const review = await prisma.review.findFirst({ where: { changeRequestId } });
  const link = await prisma.inviteLink.findFirst({ where: { organizationId } });
  const subjects: Record<string, string | undefined> = {
    organization: organizationId,
    space: spaceId,
    collection: collectionId,
    changeRequest: changeRequestId,
    commentReply: reply?.id,
    review: review?.id,
    member: memberId,
    memberSso: memberId,
    inviteLink: link?.id,
  };
  const [text = "", other = ""] = awkwardTexts;
  const { revisionId } = space;
  const ids = { userId, teamId, collectionId, changeRequestId, revisionId, commentId: reply?.commentId ?? null };
  const facts = {
    ...ids,
    title: text,
    subject: text,
    subjectBefore: other,
    agentTaskId: other,
    emoji: "🎉",
    number: 7,
    parentId: collectionId,
    fromParentId: collectionId,
    toParentId: collectionId,
    fromOrganizationId: organizationId,
    role: "edit",
    roleBefore: "read",
    teamRole: "owner",
    teamRoleBefore: "member",
    statusBefore: "draft",
    revisionBeforeId: revisionId,
    mergedRevisionId: revisionId,
    copyId: spaceId,
    reviewerId: userId,
    inviteLinkId: link?.id ?? null,
    expiresAt: "2100-01-01T00:00:00.000Z",
    userIds: [userId],
    removedUserIds: [userId],
    wasForMembers: true,
    changes: [
      { field: "title", before: text, after: other },
      { field: "emailDomains", before: [], after: ["example.com"] },
      { field: "sso", before: null, after: true },
    ],
  };
  await prisma.outboxEvent.createMany({
    data: allEventTypes().map((type) => ({
      type,
      subjectId: subjects[type.split(".")[0] ?? ""] ?? newId("Grant"),
      organizationId,
      spaceId,
      actorId: userId,
      payload: { ...facts, status: type.startsWith("review.") ? "approved" : "open" },
    })),
  });
}
