// Reading change requests: seen by whoever has a role on their space.
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { identifier, joinSql, sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { emptyPage, type Page, type PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import type { SpaceRow } from "#src/features/spaces/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { ChangeRequestStatus } from "#src/generated/prisma/enums.ts";
import type { ChangeRequestModel } from "#src/generated/prisma/models.ts";

/** What its reviews come to. */
export type ChangeRequestReviewStatus = "none" | "pending" | "approved" | "changes_requested";

export interface ChangeRequestRow extends Stored<ChangeRequestModel> {
  /** Open comments on it. */
  commentCount: number;
  reviewStatus: ChangeRequestReviewStatus;
  /** Whether the main content has moved on since it was started or last updated. */
  outdated: boolean;
}

const definition = {
  kind: "ChangeRequest",
  stored: Prisma.ChangeRequestScalarFieldEnum,
  derived: {
    commentCount: () =>
      sql`(select count(*)::int from "Comment" cm where cm."changeRequestId" = t.id and cm.status = 'open')`,
    reviewStatus:
      () => sql`(select case when count(*) = 0 then 'none' when bool_or(rv.status = 'changes_requested') then 'changes_requested'
      when bool_or(rv.status = 'requested') then 'pending' else 'approved' end from "Review" rv where rv."changeRequestId" = t.id)`,
    outdated: () => sql`(t.status <> 'merged' and coalesce(t."revisionMergedAncestorId", t."revisionInitialId")
      <> (select s."revisionId" from "Space" s where s.id = t."spaceId"))`,
  },
  visible: (viewer: Viewer) => canAccessSpace(viewer, sql`t."spaceId"`),
} as const;

const changeRequests = entity<ChangeRequestRow, Viewer>(definition);

/** What lists go by is taken from the rows of the contributors, which have an index for it. */
const contributionColumns = Object.values(Prisma.ChangeRequestScalarFieldEnum).map((name) => {
  if (name === "id") return sql`cc."changeRequestId" as id`;
  return identifier(name === "spaceId" || name === "number" || name === "status" ? "cc" : "cr", name);
});

/** Change requests once for each of those who created them or made a revision in them: `contributorId`. */
const contributions = entity<ChangeRequestRow, Viewer>({
  ...definition,
  table: sql`(select cc."userId" as "contributorId", ${joinSql(contributionColumns)}
    from "ChangeRequestContributor" cc join "ChangeRequest" cr on cr.id = cc."changeRequestId")`,
});

export interface ChangeRequestFilter {
  /** Null takes every status. */
  readonly status: ChangeRequestStatus | null;
  /** Id of a user: only change requests that they created, or made a revision in. */
  readonly contributor: string | null;
}

/** Newest first: the number counts up within the space. */
const byNumber = { name: "number", key: sql`t."number"`, type: "int4", direction: "desc" } as const;

const ofStatus = (status: ChangeRequestStatus | null) => status && sql`t.status = ${status}::"ChangeRequestStatus"`;

const changeRequestsOfSpace: PageList<ChangeRequestRow, Viewer, { status: ChangeRequestStatus | null }> = {
  name: "Space.changeRequests",
  entity: changeRequests,
  parent: sql`t."spaceId" = p.id`,
  visible: "with parent",
  order: () => byNumber,
  where: ({ status }) => ofStatus(status),
};

const contributionsInSpace: PageList<
  ChangeRequestRow,
  Viewer,
  { status: ChangeRequestStatus | null; contributor: string }
> = {
  ...changeRequestsOfSpace,
  name: "Space.changeRequests by contributor",
  entity: contributions,
  where: ({ status, contributor }) => {
    const byContributor = sql`t."contributorId" = ${contributor}`;
    return status ? sql`${byContributor} and ${ofStatus(status)}` : byContributor;
  },
};

const changeRequestOfSpace: PageList<ChangeRequestRow, Viewer, { id: string } | { number: number }> = {
  name: "Space.changeRequest",
  entity: changeRequests,
  parent: sql`t."spaceId" = p.id`,
  visible: "with parent",
  order: () => byNumber,
  where: (args) => ("id" in args ? sql`t.id = ${args.id}` : sql`t."number" = ${args.number}`),
};

export function findChangeRequest(context: Context, id: string, wanted: Wanted): Promise<ChangeRequestRow | null> {
  return context.reader.row(changeRequests, id, wanted);
}

/** What a text names, as in the paths of /v1: the number of a change request within its space, or its id. */
export function namedBy(text: string): { id: string } | { number: number } {
  // Ten digits and more are beyond int4, and so no number that was ever given.
  return /^[1-9][0-9]{0,8}$/.test(text) ? { number: Number(text) } : { id: text };
}

/** The change request of this id or number in a space, or null. */
export async function findChangeRequestIn(
  context: Context,
  space: Pick<SpaceRow, "id" | "isAccessible">,
  args: { id: string } | { number: number },
  wanted: Wanted,
): Promise<ChangeRequestRow | null> {
  return space.isAccessible ? context.reader.first(changeRequestOfSpace, space.id, { args, wanted }) : null;
}

export async function pageChangeRequests(
  context: Context,
  space: Pick<SpaceRow, "id" | "isAccessible">,
  { status, contributor, ...page }: PageArguments & ChangeRequestFilter,
  wanted: Wanted,
): Promise<Page<ChangeRequestRow>> {
  if (!space.isAccessible) return emptyPage;
  return contributor === null
    ? context.reader.page(changeRequestsOfSpace, space.id, { page, args: { status }, wanted })
    : context.reader.page(contributionsInSpace, space.id, { page, args: { status, contributor }, wanted });
}
