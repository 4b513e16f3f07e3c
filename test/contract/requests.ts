// Valid requests for the operations of the contract: ids for every path and a body for every operation that takes one, over a world of rows.
import type { ContractOperation } from "#test/contract/contract.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addComment, addReply } from "#test/features/comments/factory.ts";
import { addInviteLink } from "#test/features/invite-links/factory.ts";
import { addMember } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import type { Rows } from "#test/support/rows.ts";
import type { World } from "#test/support/world.ts";

export type Stage = Awaited<ReturnType<typeof setStage>>;

/** One of everything, with siblings to move by, and a second organization of which the admin is admin, too. */
export async function setStage(world: World) {
  const made = await world.everything({ organization: { emailDomains: ["stage.example.com"] } });
  const organizationId = made.organization.id;
  return world.insert((rows) => {
    addMember(rows, { organizationId: made.elsewhere.id, userId: made.admin.id, role: "admin" });
    return {
      ...made,
      siblingCollection: addCollection(rows, { organizationId }),
      siblingSpace: addSpace(rows, { organizationId, parent: made.collection }),
      deletedSpace: addSpace(rows, { organizationId, deletedAt: new Date() }),
      inviteLink: addInviteLink(rows, { organizationId }),
      spaceReply: addReply(rows, { commentId: made.spaceComment.id, postedById: made.commenter.id }),
      ...discussion(rows, made),
    };
  });
}

/** What the admin said: only authors change a text. */
function discussion(rows: Rows, { admin, space, changeRequest }: Awaited<ReturnType<World["everything"]>>) {
  const here = { spaceId: space.id, postedById: admin.id };
  const ownSpaceComment = addComment(rows, here);
  const ownComment = addComment(rows, { ...here, changeRequestId: changeRequest.id });
  const ownSpaceReply = addReply(rows, { commentId: ownSpaceComment.id, postedById: admin.id });
  return { ownSpaceComment, ownComment, ownSpaceReply };
}

/** The comment and the reply that an operation is about. */
function commentIds(stage: Stage, { operationId, path }: ContractOperation) {
  const isUpdate = operationId.startsWith("update");
  const [comment, reply] = path.includes("{changeRequestId}")
    ? [isUpdate ? stage.ownComment : stage.comment, stage.reply]
    : isUpdate
      ? [stage.ownSpaceComment, stage.ownSpaceReply]
      : [stage.spaceComment, stage.spaceReply];
  return { commentId: comment.id, commentReplyId: reply.id };
}

/** The path parameters of an operation on a stage. */
export function idsOn(stage: Stage, operation: ContractOperation): Readonly<Record<string, string>> {
  const { operationId } = operation;
  return {
    organizationId: stage.organization.id,
    emailDomain: "stage.example.com",
    inviteId: stage.inviteLink.id,
    collectionId: stage.collection.id,
    spaceId: operationId === "restoreSpace" ? stage.deletedSpace.id : stage.space.id,
    userId: operationId.includes("Team") ? stage.teamOwner.id : stage.editor.id,
    teamId: stage.team.id,
    changeRequestId: stage.changeRequest.id,
    ...commentIds(stage, operation),
    siteId: stage.site.id,
    siteSectionId: stage.section.id,
    siteSectionGroupId: stage.sectionGroup.id,
    siteSpaceId: stage.siteSpace.id,
  };
}

/** The path of an operation with these ids. Throws for a parameter that none is known for. */
export function pathOf({ operationId, path }: ContractOperation, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${operationId} needs a ${name}: say one in test/contract/requests.ts.`);
    return id;
  });
}

const newComment = () => ({
  node: "key-1",
  page: "pag_1",
  body: { markdown: "Why?" },
  tableCell: { record: "row-1", definition: "column-1" },
});
const replyChanges = () => ({ body: { markdown: "Because." }, addedReactions: ["🎉"], removedReactions: ["👍"] });
const commentChanges = () => ({ resolved: true, ...replyChanges() });
const newReply = () => ({ body: { markdown: "Indeed." } });

/** A valid body of every operation that takes one, with every property. */
const bodies: Readonly<Record<string, (stage: Stage) => object>> = {
  updateOrganization: ({ site }) => ({
    title: "Renamed",
    emailDomains: ["renamed.example.com"],
    hostname: "renamed.example.com",
    defaultRole: "read",
    defaultContent: { type: "site", site: site.id },
    logo: "https://example.com/logo.png",
    sso: false,
    ai: true,
    inviteLinks: true,
  }),
  createCollection: ({ siblingCollection }) => ({ title: "New", parent: siblingCollection.id }),
  updateCollection: () => ({ title: "Renamed", description: "What is in it.", defaultLevel: "read" }),
  moveCollection: ({ siblingCollection }) => ({
    parent: null,
    position: { after: { type: "collection", collection: siblingCollection.id } },
  }),
  transferCollection: ({ elsewhere }) => ({ organization: elsewhere.id }),
  updateSpace: () => ({ editMode: "locked", title: "Renamed", defaultLevel: "read", emoji: "📗" }),
  moveSpace: ({ collection, siblingSpace }) => ({
    parent: collection.id,
    position: { before: { type: "space", space: siblingSpace.id } },
  }),
  transferSpace: ({ elsewhere }) => ({ organization: elsewhere.id }),
  updateOrganizationMember: () => ({ role: "comment" }),
  createTeam: ({ reader }) => ({ title: "New", members: [reader.id] }),
  updateTeam: () => ({ title: "Renamed" }),
  updateTeamMembers: ({ reader, teamGuest, teamOwner }) => ({
    add: [reader.email],
    remove: [teamGuest.id],
    memberships: { [teamOwner.id]: { role: "member" } },
  }),
  setTeamMember: () => ({ role: "member" }),
  createChangeRequest: () => ({ subject: "New", agentTaskId: "task-1" }),
  updateChangeRequest: () => ({ subject: "Renamed", status: "archived" }),
  createSpaceComment: newComment,
  updateSpaceComment: commentChanges,
  createSpaceCommentReply: newReply,
  updateSpaceCommentReply: replyChanges,
  createChangeRequestComment: newComment,
  updateChangeRequestComment: commentChanges,
  createChangeRequestCommentReply: newReply,
};

/** A valid body of an operation; undefined where it takes none. Throws where it takes one that is not known. */
export function bodyOn(stage: Stage, { operationId, body }: ContractOperation): object | undefined {
  if (!body) return undefined;
  const make = bodies[operationId];
  if (!make) throw new Error(`${operationId} takes a body: say a valid one in test/contract/requests.ts.`);
  return make(stage);
}
