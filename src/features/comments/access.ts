// Permissions of a viewer on a comment or reply: the flags of `permissions`.
import { itemRole, type ItemRoleParts } from "#src/access/content.ts";
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";
import { onSpace } from "#src/features/spaces/access.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** A comment or reply; `role` is the viewer's role on its space. */
interface Posted {
  readonly postedById: string;
  readonly role: Role | null;
}

interface PostedOn {
  readonly postedById: string;
  readonly space: ItemRoleParts;
}

export function commentPermissions(viewer: Viewer, { postedById, role }: Posted) {
  const isAuthor = postedById === viewer.userId;
  return {
    view: true,
    edit: isAuthor,
    reply: isAtLeast(role, "comment"),
    resolve: isAuthor || isAtLeast(role, "edit"),
    delete: isAuthor || isAtLeast(role, "admin"),
  };
}

const permissionsOn = (viewer: Viewer, { postedById, space }: PostedOn) =>
  commentPermissions(viewer, { postedById, role: itemRole(viewer, space) });

const onComment = actionsOn(permissionsOn);

export interface ChangedParts {
  readonly text: boolean;
  readonly reactions: boolean;
  /** Whether the status is to change; always false for replies. */
  readonly status: boolean;
}

const isUpdateAllowed: Action<PostedOn & { readonly parts: ChangedParts }>["isAllowed"] = ({ viewer }, posted) => {
  const { edit, reply, resolve } = permissionsOn(viewer, posted);
  const { text, reactions, status } = posted.parts;
  return (edit || reply) && (edit || !text) && (reply || !reactions) && (resolve || !status);
};

/** Covers comments on change requests of any status, too. */
export const mayCreateComment = onSpace(
  "comment",
  "comment.create",
  "You need the role comment on a space to comment there.",
);

/** The text requires the flag `edit` of the comment, reactions `reply`, the status `resolve`. */
export const mayUpdateComment: Action<PostedOn & { readonly parts: ChangedParts }> = {
  name: "comment.update",
  isAllowed: isUpdateAllowed,
  refusal:
    "Only the author may change the text of a comment; the author and editors of the space may resolve it; reactions require the role comment.",
};

export const mayDeleteComment = onComment(
  "delete",
  "comment.delete",
  "Only the author and admins of the space may delete a comment.",
);

export const mayCreateCommentReply = onComment(
  "reply",
  "commentReply.create",
  "You need the role comment on a space to reply to comments there.",
);

/** The text requires the flag `edit` of the reply, reactions require `reply`. */
export const mayUpdateCommentReply: Action<PostedOn & { readonly parts: ChangedParts }> = {
  name: "commentReply.update",
  isAllowed: isUpdateAllowed,
  refusal: "Only the author may change the text of a reply; reactions require the role comment.",
};

export const mayDeleteCommentReply = onComment(
  "delete",
  "commentReply.delete",
  "Only the author and admins of the space may delete a reply.",
);
