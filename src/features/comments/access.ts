// What a viewer may do with a comment or reply (the flags of `permissions`; design: who may do what).
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
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
