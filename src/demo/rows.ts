// The rows of the demo, collected table by table, and the one place that writes them.
import type { Prisma } from "#src/generated/prisma/client.ts";

/** What is to be written. The parts of the demo add to it. */
export function noRows() {
  return {
    users: [] as Prisma.UserCreateManyInput[],
    tokens: [] as Prisma.ApiTokenCreateManyInput[],
    organizations: [] as Prisma.OrganizationCreateManyInput[],
    members: [] as Prisma.OrganizationMemberCreateManyInput[],
    teams: [] as Prisma.TeamCreateManyInput[],
    teamMembers: [] as Prisma.TeamMemberCreateManyInput[],
    collections: [] as Prisma.CollectionCreateManyInput[],
    spaces: [] as Prisma.SpaceCreateManyInput[],
    revisions: [] as Prisma.RevisionCreateManyInput[],
    grants: [] as Prisma.GrantCreateManyInput[],
    changeRequests: [] as Prisma.ChangeRequestCreateManyInput[],
    reviews: [] as Prisma.ReviewCreateManyInput[],
    comments: [] as Prisma.CommentCreateManyInput[],
    replies: [] as Prisma.CommentReplyCreateManyInput[],
    reactions: [] as Prisma.ReactionCreateManyInput[],
    sites: [] as Prisma.SiteCreateManyInput[],
    sectionGroups: [] as Prisma.SiteSectionGroupCreateManyInput[],
    sections: [] as Prisma.SiteSectionCreateManyInput[],
    siteSpaces: [] as Prisma.SiteSpaceCreateManyInput[],
  };
}

export type DemoRows = ReturnType<typeof noRows>;

/**
 * Writes the rows, one statement a table, parents first. Spaces come before the revisions that they name: that key is checked on commit.
 * What an organization opens on is left out of `organizations`: its site or space is written later.
 */
export async function writeRows(transaction: Prisma.TransactionClient, rows: DemoRows): Promise<void> {
  await transaction.user.createMany({ data: rows.users });
  await transaction.apiToken.createMany({ data: rows.tokens });
  await transaction.organization.createMany({ data: rows.organizations });
  await transaction.organizationMember.createMany({ data: rows.members });
  await transaction.team.createMany({ data: rows.teams });
  await transaction.teamMember.createMany({ data: rows.teamMembers });
  await transaction.collection.createMany({ data: rows.collections });
  await transaction.space.createMany({ data: rows.spaces });
  await transaction.revision.createMany({ data: rows.revisions });
  await transaction.grant.createMany({ data: rows.grants });
  await transaction.changeRequest.createMany({ data: rows.changeRequests });
  await transaction.review.createMany({ data: rows.reviews });
  await transaction.comment.createMany({ data: rows.comments });
  await transaction.commentReply.createMany({ data: rows.replies });
  await transaction.reaction.createMany({ data: rows.reactions });
  await transaction.site.createMany({ data: rows.sites });
  await transaction.siteSectionGroup.createMany({ data: rows.sectionGroups });
  await transaction.siteSection.createMany({ data: rows.sections });
  await transaction.siteSpace.createMany({ data: rows.siteSpaces });
}
