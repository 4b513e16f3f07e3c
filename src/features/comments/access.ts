// What a viewer may do with a comment or reply (the flags of `permissions`; design: who may do what).
import type { ItemRoleParts } from "#src/access/content.ts";
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Action } from "#src/domain/change.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

export interface CommentPermissions {
  view: boolean;
  edit: boolean;
  reply: boolean;
  delete: boolean;
}

/** The flags of a comment in hand; `role` is the viewer's on its space. */
export function commentPermissions(
  viewer: Viewer,
  comment: { postedById: string },
  role: Role | null,
): CommentPermissions {
  const isAuthor = comment.postedById === viewer.userId;
  return {
    view: true,
    edit: isAuthor,
    reply: isAtLeast(role, "comment"),
    delete: isAuthor || isAtLeast(role, "admin"),
  };
}

/** A comment or reply in hand; `role` is the viewer's on its space. */
interface Posted {
  readonly postedById: string;
  readonly role: Role | null;
}

/** The parts that an update asks to change. */
export interface AskedParts {
  readonly text: boolean;
  readonly reactions: boolean;
  /** Whether it is to be resolved or opened again; replies are neither. */
  readonly status: boolean;
}

const isUpdateAllowed: Action<Posted & { readonly asked: AskedParts }>["isAllowed"] = ({ viewer }, posted) => {
  const { edit, reply } = commentPermissions(viewer, posted, posted.role);
  const { text, reactions, status } = posted.asked;
  const canResolve = edit || isAtLeast(posted.role, "edit");
  return (edit || reply) && (edit || !text) && (reply || !reactions) && (canResolve || !status);
};

const isDeleteAllowed: Action<Posted>["isAllowed"] = ({ viewer }, posted) =>
  commentPermissions(viewer, posted, posted.role).delete;

/** Stands on the flag `comment` of the space, for comments on its change requests too, whatever their status. */
export const mayCreateComment: Action<ItemRoleParts> = {
  name: "comment.create",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).comment,
  refusal: "You need the role comment on a space to comment there.",
};

/** The text stands on the flag `edit` of the comment, reactions on `reply`; its author and those with the role `edit` resolve it. */
export const mayUpdateComment: Action<Posted & { readonly asked: AskedParts }> = {
  name: "comment.update",
  isAllowed: isUpdateAllowed,
  refusal:
    "Only its author changes the text of a comment; its author and editors of the space resolve it; reactions need the role comment.",
};

/** Stands on the flag `delete` of the comment. */
export const mayDeleteComment: Action<Posted> = {
  name: "comment.delete",
  isAllowed: isDeleteAllowed,
  refusal: "Only its author and admins of the space may delete a comment.",
};

/** Stands on the flag `reply` of the comment. */
export const mayCreateCommentReply: Action<Posted> = {
  name: "commentReply.create",
  isAllowed: ({ viewer }, comment) => commentPermissions(viewer, comment, comment.role).reply,
  refusal: "You need the role comment on a space to reply to comments there.",
};

/** The text stands on the flag `edit` of the reply, reactions on `reply`. */
export const mayUpdateCommentReply: Action<Posted & { readonly asked: AskedParts }> = {
  name: "commentReply.update",
  isAllowed: isUpdateAllowed,
  refusal: "Only its author changes the text of a reply; reactions need the role comment.",
};

/** Stands on the flag `delete` of the reply. */
export const mayDeleteCommentReply: Action<Posted> = {
  name: "commentReply.delete",
  isAllowed: isDeleteAllowed,
  refusal: "Only its author and admins of the space may delete a reply.",
};
