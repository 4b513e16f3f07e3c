// One event of every delivered type, with every fact that any of them may have.
import { newId } from "#src/base/ids.ts";
import { allEventTypes } from "#src/graph/schema/events.ts";
import type { TestApp } from "#test/support/app.ts";
import { edgeCaseTexts } from "#test/support/edge-case-texts.ts";

interface Where {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly collectionId: string;
  readonly changeRequestId: string;
  readonly userId: string;
  readonly memberId: string;
  readonly teamId: string;
  readonly pageId: string;
}

/** Writes the events, as if caused by one user on the same few objects. */
export async function writeEveryEvent({ database: { prisma } }: TestApp, where: Where): Promise<void> {
  const { organizationId, spaceId, collectionId, changeRequestId, userId, memberId, teamId, pageId } = where;
  const space = await prisma.space.findUniqueOrThrow({ where: { id: spaceId } });
  const reply = await prisma.commentReply.findFirst();
  const review = await prisma.review.findFirst({ where: { changeRequestId } });
  const link = await prisma.inviteLink.findFirst({ where: { organizationId } });
  const invitation = await prisma.invitation.findFirst({ where: { organizationId } });
  const site = await prisma.site.findFirst({ where: { organizationId, hostname: { not: null } } });
  const onSite = { where: { siteId: site?.id ?? "" } };
  const section = await prisma.siteSection.findFirst(onSite);
  const group = await prisma.siteSectionGroup.findFirst(onSite);
  const siteSpace = await prisma.siteSpace.findFirst(onSite);
  const spec = await prisma.openApiSpec.findFirst({ where: { lastVersionId: { not: null } } });
  const integration = await prisma.integration.findFirst({ where: { organizationId } });
  const installation = await prisma.integrationInstallation.findFirst({
    where: { organizationId },
    include: { spaces: true, sites: true, integration: true },
  });
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
    invitation: invitation?.id,
    site: site?.id,
    siteSection: section?.id,
    siteSectionGroup: group?.id,
    siteSpace: siteSpace?.id,
    openApiSpec: spec?.id,
    integration: integration?.id,
    integrationInstallation: installation?.id,
    integrationSpace: installation?.spaces[0]?.id,
    integrationSite: installation?.sites[0]?.id,
  };
  const [text = "", other = ""] = edgeCaseTexts;
  const { revisionId } = space;
  const ids = {
    userId,
    teamId,
    pageId,
    collectionId,
    changeRequestId,
    revisionId,
    commentId: reply?.commentId ?? null,
  };
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
    invitationId: invitation?.id ?? null,
    integrationId: installation?.integrationId ?? null,
    integrationName: installation?.integration.name ?? null,
    installationId: installation?.id ?? null,
    expiresAt: "2100-01-01T00:00:00.000Z",
    siteId: site?.id ?? null,
    spaceIds: [spaceId],
    fromSiteSectionGroupId: group?.id ?? null,
    toSiteSectionGroupId: group?.id ?? null,
    siteSectionId: section?.id ?? null,
    fromSiteSectionId: section?.id ?? null,
    toSiteSectionId: section?.id ?? null,
    hostname: site?.hostname ?? null,
    state: "missing",
    version: 7,
    domain: "example.com",
    slug: text,
    name: text,
    visibility: "unlisted",
    all: true,
    sourceURL: other,
    errorCode: "PARSE_ERROR",
    versionId: spec?.lastVersionId ?? null,
    path: text,
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
      payload: {
        ...facts,
        status: type.startsWith("review.") ? "approved" : "open",
        ...(type.startsWith("openApiSpec.") && { state: "progress" }),
      },
    })),
  });
}
