// Reads of comments, replies and mentions: visible with a role on their space; mentions only to the mentioned user.
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { lastingId } from "#src/base/ids.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { allOf, isOneOf, since, whenGiven } from "#src/db/reading/filters.ts";
import { derive, entity, type Stored, type Projection } from "#src/db/reading/entity.ts";
import { byTime, type Ordered, orderedBy } from "#src/db/reading/orders.ts";
import type { Page, PageArguments } from "#src/db/reading/page.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { type PageInRevision, pageKey } from "#src/features/content/reads/pages.ts";
import type { SpaceRow } from "#src/features/spaces/reads.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";
import type { CommentStatus } from "#src/generated/prisma/enums.ts";
import type { CommentModel, CommentReplyModel, MentionModel, ReactionModel } from "#src/generated/prisma/models.ts";

export interface ReactionGroup {
  readonly emoji: string;
  readonly count: number;
  readonly viewerHasReacted: boolean;
  /** The id of the comment or reply and the emoji: the parent key of the list `reactors`. */
  readonly key: string;
  readonly users: readonly ReactionRow[];
}

/** A user with replies to a comment. */
export interface Replier {
  readonly userId: string;
  readonly count: number;
  readonly updatedAt: string;
}

export interface CommentRow extends Stored<CommentModel> {
  replyCount: number;
  repliers: readonly Replier[];
  reactions: readonly ReactionGroup[];
}

export interface CommentReplyRow extends Stored<CommentReplyModel> {
  spaceId: string;
  changeRequestId: string | null;
  reactions: readonly ReactionGroup[];
}

/** The reactions on row `t`, grouped by emoji, ordered by the first use of the emoji. */
function reactionsOn(column: Sql, { userId }: Viewer): Sql {
  return sql`(select coalesce(json_agg(json_build_object('key', t.id || ' ' || r.emoji, 'emoji', r.emoji, 'count', r.n,
    'viewerHasReacted', r.own, 'users', r.users) order by r.since, r.emoji), '[]')
    from (select emoji, count(*)::int as n, min("reactedAt") as since, bool_or("userId" = ${userId}) as own, json_agg(json_build_object('id', id, 'userId', "userId",
      'reactedAt', to_char("reactedAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by "reactedAt", id) as users
      from "Reaction" where ${column} = t.id group by emoji) r)`;
}

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    CommentReply: CommentReplyRow;
    Comment: CommentRow;
    Mention: MentionRow;
  }
}

export const comments = entity<CommentRow, Viewer>({
  kind: "Comment",
  derived: {
    replyCount: () => sql`(select count(*)::int from "CommentReply" cr where cr."commentId" = t.id)`,
    repliers: () => sql`(select coalesce(json_agg(json_build_object('userId', r.id, 'count', r.n,
      'updatedAt', to_char(r.latest, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by r.first, r.id), '[]')
      from (select "postedById" as id, count(*)::int as n, min("postedAt") as first, max("postedAt") as latest
        from "CommentReply" where "commentId" = t.id group by "postedById") r)`,
    reactions: (viewer) => reactionsOn(sql`"commentId"`, viewer),
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
    reactions: (viewer) => reactionsOn(sql`"replyId"`, viewer),
  },
  texts: ["markdown"],
  visible: (viewer) =>
    sql`exists (select from "Comment" c where c.id = t."commentId" and ${canAccessSpace(viewer, sql`c."spaceId"`)})`,
});

export type ReactionRow = Pick<Stored<ReactionModel>, "id" | "userId" | "reactedAt">;

/** Single reactions: read only under a comment or reply, which checks visibility. */
const reactions = entity<ReactionRow, Viewer>({ kind: "Reaction", visible: () => sql`true` });

declare module "#src/features/change-requests/reads/change-requests.ts" {
  interface ChangeRequestRow {
    commentCount: number;
  }
}

derive(changeRequests, {
  commentCount: () =>
    sql`(select count(*)::int from "Comment" cm where cm."changeRequestId" = t.id and cm.status = 'open')`,
});

/** The sort orders of comments. A deleted reply does not count as activity. */
const commentOrders = {
  postedAt: byTime("postedAt"),
  lastActivityAt: { ...byTime("lastActivityAt"), key: sql`coalesce(t."lastReplyAt", t."postedAt")` },
};

export interface CommentFilter extends Ordered<keyof typeof commentOrders> {
  readonly status: CommentStatus | "all";
  readonly pageId?: string | null | undefined;
  readonly authorIds?: readonly string[] | null | undefined;
  readonly spaceIds?: readonly string[] | null | undefined;
  readonly nodeKey?: string | null | undefined;
  readonly resolvedById?: string | null | undefined;
  readonly postedSince?: Date | null | undefined;
  readonly mine?: boolean | null | undefined;
}

const passes = (args: CommentFilter, { userId }: Viewer): Sql | null =>
  allOf(
    args.status === "all" ? null : sql`t.status = ${args.status}::"CommentStatus"`,
    whenGiven(args.pageId, (id) => sql`t."pageId" = ${lastingId("Page", id)}`),
    whenGiven(args.authorIds, (ids) => isOneOf(sql`t."postedById"`, ids)),
    whenGiven(args.spaceIds, (ids) => isOneOf(sql`t."spaceId"`, ids)),
    whenGiven(args.nodeKey, (key) => sql`t."nodeId" = ${key}`),
    whenGiven(args.resolvedById, (id) => sql`t."resolvedById" = ${id}`),
    whenGiven(args.postedSince, (instant) => since(sql`t."postedAt"`, instant)),
    whenGiven(args.mine, (mine) => (mine ? sql`t."postedById" = ${userId}` : sql`t."postedById" <> ${userId}`)),
  );

const orderOfComments = orderedBy(commentOrders, byTime("postedAt", "desc"));

/** Comments on the main content, without those on change requests. */
export const commentsOfSpace: PageList<CommentRow, Viewer, CommentFilter, Pick<SpaceRow, "id" | "isAccessible">> = {
  entity: comments,
  parent: sql`t."spaceId" = p.id and t."changeRequestId" is null`,
  policy: withRoleOnSpace,
  visible: "with parent",
  order: orderOfComments,
  where: passes,
};

export const commentsOfChangeRequest: PageList<CommentRow, Viewer, CommentFilter> = {
  entity: comments,
  parent: sql`t."changeRequestId" = p.id`,
  visible: "with parent",
  order: orderOfComments,
  where: passes,
};

/** Comments on a page of the main content; the parent key is its `pageKey`. */
const commentsOfMainPage: typeof commentsOfChangeRequest = {
  ...commentsOfChangeRequest,
  parent: sql`t."spaceId" = split_part(p.id, ' ', 1) and t."pageId" = split_part(p.id, ' ', 2) and t."changeRequestId" is null`,
  visible: "by its own rule",
};

const commentsOfProposedPage: typeof commentsOfMainPage = {
  ...commentsOfMainPage,
  parent: sql`t."changeRequestId" = split_part(p.id, ' ', 1) and t."pageId" = split_part(p.id, ' ', 2)`,
};

const commentsOfPage = ({ revision }: PageInRevision) =>
  revision.changeRequestId === null ? commentsOfMainPage : commentsOfProposedPage;

export function pageCommentsOn(
  { reader }: Context,
  page: PageInRevision,
  request: { page: PageArguments; args: CommentFilter; projection: Projection },
): Promise<Page<CommentRow>> {
  return reader.page(commentsOfPage(page), pageKey(page), request);
}

/** The number of open comments. Batches all pages of the same kind of content into one statement. */
export function countOpenOn({ reader }: Context, page: PageInRevision): Promise<number> {
  return reader.count(commentsOfPage(page), pageKey(page), { status: "open" });
}

/** Comments on main contents and change requests of all spaces on which the viewer has a role. */
export const commentsOfOrganization: typeof commentsOfChangeRequest = {
  ...commentsOfChangeRequest,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
};

export const commentsOfUser: typeof commentsOfOrganization = {
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

export const reactionsOfGroup: PageList<ReactionRow, Viewer, object, ReactionGroup> = {
  entity: reactions,
  under: "key",
  parent: sql`coalesce(t."commentId", t."replyId") = split_part(p.id, ' ', 1) and t.emoji = split_part(p.id, ' ', 2)`,
  visible: "with parent",
  order: byTime("reactedAt"),
};

type MentionRow = Stored<MentionModel>;

export const mentions = entity<MentionRow, Viewer>({
  kind: "Mention",
  visible: (viewer) => sql`(t."userId" = ${viewer.userId} and ${canAccessSpace(viewer, sql`t."spaceId"`)})`,
});

/** Mentions of the viewer, newest first; empty for other users. */
export const mentionsOfUser: PageList<MentionRow, Viewer, Pick<CommentFilter, "spaceIds">> = {
  entity: mentions,
  parent: sql`t."userId" = p.id`,
  visible: "by its own rule",
  order: () => byTime("mentionedAt", "desc"),
  where: ({ spaceIds }) => (spaceIds ? sql`t."spaceId" = any(${spaceIds}::text[])` : sql`true`),
};
