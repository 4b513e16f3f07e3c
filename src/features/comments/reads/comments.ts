// Reading comments and replies: seen by those with a role on their space.
import { canAccessSpace, isAccessible } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Instant } from "#src/base/time.ts";
import { joinSql, type Sql, sql } from "#src/db/database.ts";
import { isOneOf } from "#src/db/is-one-of.ts";
import { byTime } from "#src/db/orders.ts";
import { derive, entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { Page, PageArguments } from "#src/db/page.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { type PageInRevision, pageKey } from "#src/features/content/reads/pages.ts";
import { type SpaceRow, spaces } from "#src/features/spaces/reads.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";
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

/** The reactions of row `t`, grouped by emoji: the emoji that was used first comes first. */
function reactionsOn(column: Sql): Sql {
  return sql`(select coalesce(json_agg(json_build_object('emoji', r.emoji, 'count', r.n, 'users', r.users) order by r.since, r.emoji), '[]')
    from (select emoji, count(*)::int as n, min("reactedAt") as since, json_agg(json_build_object('userId', "userId",
      'reactedAt', to_char("reactedAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by "reactedAt", id) as users
      from "Reaction" where ${column} = t.id group by emoji) r)`;
}

declare module "#src/db/entity.ts" {
  interface Rows {
    CommentReply: CommentReplyRow;
    Comment: CommentRow;
  }
}

export const comments = entity<CommentRow, Viewer>({
  kind: "Comment",
  derived: {
    replyCount: () => sql`(select count(*)::int from "CommentReply" cr where cr."commentId" = t.id)`,
    reactions: () => reactionsOn(sql`"commentId"`),
  },
  texts: ["markdown"],
  visible: (viewer) => canAccessSpace(viewer, sql`t."spaceId"`),
});

export const replies = entity<CommentReplyRow, Viewer>({
  kind: "CommentReply",
  noun: "reply",
  derived: {
    spaceId: () => sql`(select c."spaceId" from "Comment" c where c.id = t."commentId")`,
    changeRequestId: () => sql`(select c."changeRequestId" from "Comment" c where c.id = t."commentId")`,
    reactions: () => reactionsOn(sql`"replyId"`),
  },
  texts: ["markdown"],
  visible: (viewer) =>
    sql`exists (select from "Comment" c where c.id = t."commentId" and ${canAccessSpace(viewer, sql`c."spaceId"`)})`,
});

declare module "#src/features/spaces/reads.ts" {
  interface SpaceRow {
    /** Open comments on the main content; 0 for those without a role on the space. */
    commentCount: number;
  }
}

derive(spaces, {
  commentCount: (viewer) => sql`case when ${isAccessible(viewer)} then (select count(*)::int from "Comment" cm
    where cm."spaceId" = t.id and cm."changeRequestId" is null and cm.status = 'open') else 0 end`,
});

declare module "#src/features/change-requests/reads/change-requests.ts" {
  interface ChangeRequestRow {
    /** Open comments on it. */
    commentCount: number;
  }
}

derive(changeRequests, {
  commentCount: () =>
    sql`(select count(*)::int from "Comment" cm where cm."changeRequestId" = t.id and cm.status = 'open')`,
});

export interface CommentFilter {
  readonly status: CommentStatus | "all";
  /** Id of a page: only comments on it. */
  readonly targetPage?: string | null | undefined;
  /** Ids of users: only comments by them. */
  readonly authors?: readonly string[] | null | undefined;
  readonly order: "asc" | "desc";
}

function passes({ status, targetPage, authors }: CommentFilter): Sql {
  const conditions = [sql`true`];
  if (status !== "all") conditions.push(sql`t.status = ${status}::"CommentStatus"`);
  if (targetPage != null) conditions.push(sql`t."pageId" = ${targetPage}`);
  if (authors) conditions.push(isOneOf(sql`t."postedById"`, authors));
  return joinSql(conditions, " and ");
}

/** Comments on the main content: those on change requests are lists of their own. */
export const commentsOfSpace: PageList<CommentRow, Viewer, CommentFilter, Pick<SpaceRow, "id" | "isAccessible">> = {
  entity: comments,
  parent: sql`t."spaceId" = p.id and t."changeRequestId" is null`,
  guard: withRoleOnSpace,
  visible: "with parent",
  order: ({ order }) => byTime("postedAt", order),
  where: passes,
};

export const commentsOfChangeRequest: PageList<CommentRow, Viewer, CommentFilter> = {
  entity: comments,
  parent: sql`t."changeRequestId" = p.id`,
  visible: "with parent",
  order: ({ order }) => byTime("postedAt", order),
  where: passes,
};

/** Comments on a page of the main content; the parent is its `pageKey`. */
const commentsOfMainPage: typeof commentsOfChangeRequest = {
  ...commentsOfChangeRequest,
  parent: sql`t."spaceId" = split_part(p.id, ' ', 1) and t."pageId" = split_part(p.id, ' ', 2) and t."changeRequestId" is null`,
  visible: "by its own rule",
};

/** Comments on a page of a change request. */
const commentsOfProposedPage: typeof commentsOfMainPage = {
  ...commentsOfMainPage,
  parent: sql`t."changeRequestId" = split_part(p.id, ' ', 1) and t."pageId" = split_part(p.id, ' ', 2)`,
};

const commentsOfPage = ({ revision }: PageInRevision) =>
  revision.changeRequestId === null ? commentsOfMainPage : commentsOfProposedPage;

/** A page of the comments on a page, in the content of its revision: for those with a role on the space. */
export function pageCommentsOn(
  { reader }: Context,
  page: PageInRevision,
  request: { page: PageArguments; args: CommentFilter; wanted: Wanted },
): Promise<Page<CommentRow>> {
  return reader.page(commentsOfPage(page), pageKey(page), request);
}

/** How many of them are open. One statement for any number of pages of one kind of content. */
export function countOpenOn({ reader }: Context, page: PageInRevision): Promise<number> {
  return reader.count(commentsOfPage(page), pageKey(page), { status: "open", order: "asc" });
}

/** What a list of comments of several spaces may be narrowed to. */
interface InboxFilter extends Pick<CommentFilter, "status" | "order"> {
  readonly authorIds?: readonly string[] | null | undefined;
  readonly spaceIds?: readonly string[] | null | undefined;
}

/** Those in all spaces that the viewer has a role on, on the main content and on change requests. */
export const commentsOfOrganization: PageList<CommentRow, Viewer, InboxFilter> = {
  entity: comments,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: ({ order }) => byTime("postedAt", order),
  where: ({ spaceIds, authorIds: authors, ...filter }) => {
    const passing = passes({ ...filter, authors });
    return spaceIds ? sql`${passing} and ${isOneOf(sql`t."spaceId"`, spaceIds)}` : passing;
  },
};

/** Those that a user posted, in whatever organizations. */
export const commentsOfUser: PageList<CommentRow, Viewer, InboxFilter> = {
  ...commentsOfOrganization,
  parent: sql`t."postedById" = p.id`,
};

export const commentsOfReview: PageList<CommentRow, Viewer> = {
  entity: comments,
  parent: sql`t."reviewId" = p.id`,
  visible: "with parent",
  order: byTime("postedAt"),
};

export const repliesOfComment: PageList<CommentReplyRow, Viewer> = {
  entity: replies,
  parent: sql`t."commentId" = p.id`,
  visible: "with parent",
  order: byTime("postedAt"),
};
