// Reading comments and replies: seen by whoever has a role on their space.
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Instant } from "#src/base/time.ts";
import { joinSql, type Sql, sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { emptyPage, type Page, type PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import type { ChangeRequestRow } from "#src/features/change-requests/reads/change-requests.ts";
import type { SpaceRow } from "#src/features/spaces/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { CommentStatus } from "#src/generated/prisma/enums.ts";
import type { CommentModel, CommentReplyModel } from "#src/generated/prisma/models.ts";

/** One emoji on a comment or reply, with who put it there. */
export interface ReactionGroup {
  readonly emoji: string;
  readonly count: number;
  readonly users: readonly { readonly userId: string; readonly reactedAt: Instant }[];
}

export interface CommentRow extends Stored<CommentModel> {
  replyCount: number;
  reactions: readonly ReactionGroup[];
}

export interface CommentReplyRow extends Stored<CommentReplyModel> {
  /** Ids of the space and change request of its comment. */
  spaceId: string;
  changeRequestId: string | null;
  reactions: readonly ReactionGroup[];
}

/** The reactions of row `t`, grouped by emoji: the emoji used first stands first. */
function reactionsOn(column: Sql): Sql {
  return sql`(select coalesce(json_agg(json_build_object('emoji', r.emoji, 'count', r.n, 'users', r.users) order by r.since, r.emoji), '[]')
    from (select emoji, count(*)::int as n, min("reactedAt") as since, json_agg(json_build_object('userId', "userId",
      'reactedAt', to_char("reactedAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by "reactedAt", id) as users
      from "Reaction" where ${column} = t.id group by emoji) r)`;
}

const comments = entity<CommentRow, Viewer>({
  kind: "Comment",
  stored: Prisma.CommentScalarFieldEnum,
  derived: {
    replyCount: () => sql`(select count(*)::int from "CommentReply" cr where cr."commentId" = t.id)`,
    reactions: () => reactionsOn(sql`"commentId"`),
  },
  visible: (viewer) => canAccessSpace(viewer, sql`t."spaceId"`),
});

const replies = entity<CommentReplyRow, Viewer>({
  kind: "CommentReply",
  stored: Prisma.CommentReplyScalarFieldEnum,
  derived: {
    spaceId: () => sql`(select c."spaceId" from "Comment" c where c.id = t."commentId")`,
    changeRequestId: () => sql`(select c."changeRequestId" from "Comment" c where c.id = t."commentId")`,
    reactions: () => reactionsOn(sql`"replyId"`),
  },
  visible: (viewer) =>
    sql`exists (select from "Comment" c where c.id = t."commentId" and ${canAccessSpace(viewer, sql`c."spaceId"`)})`,
});

export interface CommentFilter {
  /** Null takes every status. */
  readonly status: CommentStatus | null;
  /** Id of a page: only comments on it. */
  readonly targetPage: string | null;
  /** Ids of users: only comments by them. */
  readonly authors: readonly string[] | null;
  readonly order: "asc" | "desc";
}

function passes({ status, targetPage, authors }: CommentFilter): Sql {
  const conditions = [sql`true`];
  if (status) conditions.push(sql`t.status = ${status}::"CommentStatus"`);
  if (targetPage !== null) conditions.push(sql`t."pageId" = ${targetPage}`);
  if (authors) conditions.push(sql`t."postedById" = any(${authors}::text[])`);
  return joinSql(conditions, " and ");
}

const byTime = (direction: "asc" | "desc") =>
  ({ name: "postedAt", key: sql`t."postedAt"`, type: "timestamptz", direction }) as const;

/** Comments on the main content: those on change requests are lists of their own. */
const commentsOfSpace: PageList<CommentRow, Viewer, CommentFilter> = {
  name: "Space.comments",
  entity: comments,
  parent: sql`t."spaceId" = p.id and t."changeRequestId" is null`,
  visible: "with parent",
  order: ({ order }) => byTime(order),
  where: passes,
};

const commentsOfChangeRequest: PageList<CommentRow, Viewer, CommentFilter> = {
  name: "ChangeRequest.comments",
  entity: comments,
  parent: sql`t."changeRequestId" = p.id`,
  visible: "with parent",
  order: ({ order }) => byTime(order),
  where: passes,
};

const repliesOfComment: PageList<CommentReplyRow, Viewer, object> = {
  name: "Comment.replies",
  entity: replies,
  parent: sql`t."commentId" = p.id`,
  visible: "with parent",
  order: () => byTime("asc"),
};

/** The same lists, asked for one of their rows. */
const one = { order: () => byTime("desc"), where: ({ id }: { id: string }) => sql`t.id = ${id}` };
const commentInSpace: PageList<CommentRow, Viewer, { id: string }> = {
  ...commentsOfSpace,
  ...one,
  name: "Space.comment",
};
const commentInChangeRequest: PageList<CommentRow, Viewer, { id: string }> = {
  ...commentsOfChangeRequest,
  ...one,
  name: "ChangeRequest.comment",
};
const replyInComment: PageList<CommentReplyRow, Viewer, { id: string }> = {
  ...repliesOfComment,
  ...one,
  name: "Comment.reply",
};

type Space = Pick<SpaceRow, "id" | "isAccessible">;
type ChangeRequest = Pick<ChangeRequestRow, "id">;

export function findComment(context: Context, id: string, wanted: Wanted): Promise<CommentRow | null> {
  return context.reader.row(comments, id, wanted);
}

export function findReply(context: Context, id: string, wanted: Wanted): Promise<CommentReplyRow | null> {
  return context.reader.row(replies, id, wanted);
}

export async function pageCommentsOfSpace(
  context: Context,
  space: Space,
  { status, targetPage, authors, order, ...page }: PageArguments & CommentFilter,
  wanted: Wanted,
): Promise<Page<CommentRow>> {
  if (!space.isAccessible) return emptyPage;
  return context.reader.page(commentsOfSpace, space.id, { page, args: { status, targetPage, authors, order }, wanted });
}

export function pageCommentsOfChangeRequest(
  context: Context,
  changeRequest: ChangeRequest,
  { status, targetPage, authors, order, ...page }: PageArguments & CommentFilter,
  wanted: Wanted,
): Promise<Page<CommentRow>> {
  return context.reader.page(commentsOfChangeRequest, changeRequest.id, {
    page,
    args: { status, targetPage, authors, order },
    wanted,
  });
}

export function pageReplies(
  context: Context,
  comment: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<CommentReplyRow>> {
  return context.reader.page(repliesOfComment, comment.id, { page, args: {}, wanted });
}

/** The comment of this id on the main content of the space, or null. */
export async function findCommentInSpace(
  context: Context,
  space: Space,
  id: string,
  wanted: Wanted,
): Promise<CommentRow | null> {
  return space.isAccessible ? context.reader.first(commentInSpace, space.id, { args: { id }, wanted }) : null;
}

/** The comment of this id on the change request, or null. */
export function findCommentInChangeRequest(
  context: Context,
  changeRequest: ChangeRequest,
  id: string,
  wanted: Wanted,
): Promise<CommentRow | null> {
  return context.reader.first(commentInChangeRequest, changeRequest.id, { args: { id }, wanted });
}

/** The reply of this id to the comment, or null. */
export function findReplyInComment(
  context: Context,
  comment: { id: string },
  id: string,
  wanted: Wanted,
): Promise<CommentReplyRow | null> {
  return context.reader.first(replyInComment, comment.id, { args: { id }, wanted });
}
