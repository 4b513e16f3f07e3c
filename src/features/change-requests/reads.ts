// Reading change requests: seen by whoever has a role on their space.
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { emptyPage, type Page, type PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import type { SpaceRow } from "#src/features/spaces/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { ChangeRequestStatus } from "#src/generated/prisma/enums.ts";
import type { ChangeRequestModel } from "#src/generated/prisma/models.ts";

export interface ChangeRequestRow extends Stored<ChangeRequestModel> {
  /** Open comments on it. */
  commentCount: number;
  /** Whether the main content has moved on since it was started or last updated. */
  outdated: boolean;
}

const changeRequests = entity<ChangeRequestRow, Viewer>({
  kind: "ChangeRequest",
  stored: Prisma.ChangeRequestScalarFieldEnum,
  derived: {
    commentCount: () =>
      sql`(select count(*)::int from "Comment" cm where cm."changeRequestId" = t.id and cm.status = 'open')`,
    outdated: () => sql`(t.status <> 'merged' and coalesce(t."revisionMergedAncestorId", t."revisionInitialId")
      <> (select s."revisionId" from "Space" s where s.id = t."spaceId"))`,
  },
  visible: (viewer) => canAccessSpace(viewer, sql`t."spaceId"`),
});

export interface ChangeRequestFilter {
  /** Null takes every status. */
  readonly status: ChangeRequestStatus | null;
  /** Id of a user: only change requests that they created. */
  readonly contributor: string | null;
}

/** Newest first: the number counts up within the space. */
const byNumber = { name: "number", key: sql`t."number"`, type: "int4", direction: "desc" } as const;

const changeRequestsOfSpace: PageList<ChangeRequestRow, Viewer, ChangeRequestFilter> = {
  name: "Space.changeRequests",
  entity: changeRequests,
  parent: sql`t."spaceId" = p.id`,
  visible: "with parent",
  order: () => byNumber,
  where: ({ status, contributor }) => {
    const byStatus = status && sql`t.status = ${status}::"ChangeRequestStatus"`;
    const byContributor = contributor && sql`t."createdById" = ${contributor}`;
    return byStatus && byContributor ? sql`${byStatus} and ${byContributor}` : byStatus || byContributor || null;
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
  return context.reader.page(changeRequestsOfSpace, space.id, { page, args: { status, contributor }, wanted });
}
