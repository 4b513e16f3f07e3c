// Reading revisions: visible with a role on their space; the active one of the main content with the space.
import { isAccessible, isOpenToAnyone } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { found } from "#src/base/errors.ts";
import { allOf, since, whenGiven } from "#src/db/filters.ts";
import { byTime, orderedBy, type Ordered } from "#src/db/orders.ts";
import { type Sql, sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import type { ContentState, ReusableContent } from "#src/features/content/model/content-state.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";
import type { SpaceRow } from "#src/features/spaces/reads.ts";
import type { RevisionType, SpaceVisibility } from "#src/generated/prisma/enums.ts";
import type { ChangeRequestModel, RevisionModel } from "#src/generated/prisma/models.ts";

export interface RevisionRow extends Omit<Stored<RevisionModel>, keyof ContentState>, ContentState {
  /** The visibility of the space whose main content it is now; null for revisions that are not active. */
  publishedAs: SpaceVisibility | null;
}

/** Whether the space of revision `t` fulfils a condition on space `t`; in it the revision is `r`. */
function spaceOfRevision(condition: Sql): Sql {
  return sql`exists (select from (values (t.id, t."spaceId")) r(id, "spaceId") join "Space" t on t.id = r."spaceId"
    where t."deletedAt" is null and ${condition})`;
}

/** Authors and messages are for those with a role on the space; others see only the content. */
export const forThoseWithAccess = (viewer: Viewer, column: Sql): Sql =>
  sql`case when ${spaceOfRevision(isAccessible(viewer))} then ${column} end`;

declare module "#src/db/entity.ts" {
  interface Rows {
    Revision: RevisionRow;
  }
}

export const revisions = entity<RevisionRow, Viewer>({
  kind: "Revision",
  derived: {
    authorId: (viewer) => forThoseWithAccess(viewer, sql`t."authorId"`),
    message: (viewer) => forThoseWithAccess(viewer, sql`t."message"`),
    publishedAs: () => sql`(select s.visibility from "Space" s where s.id = t."spaceId" and s."revisionId" = t.id)`,
  },
  visible: (viewer) =>
    spaceOfRevision(sql`(${isAccessible(viewer)} or (${isOpenToAnyone(viewer)} and t."revisionId" = r.id))`),
});

/** Newest first: no revision is older than its parents. */
const newestFirst = byTime("createdAt", "desc");

const revisionOrders = { createdAt: byTime("createdAt") };

interface RevisionFilter extends Ordered<keyof typeof revisionOrders> {
  /** Only revisions made in one of these ways. */
  readonly types?: readonly RevisionType[] | null | undefined;
  /** Ids of users: only revisions that one of them made. */
  readonly authorIds?: readonly string[] | null | undefined;
  /** Only revisions of this instant and later. */
  readonly createdSince?: Date | null | undefined;
}

const passes = ({ types, authorIds, createdSince }: RevisionFilter): Sql | null =>
  allOf(
    whenGiven(types, (values) => sql`t.type = any(${values}::"RevisionType"[])`),
    whenGiven(authorIds, (ids) => sql`t."authorId" = any(${ids}::text[])`),
    whenGiven(createdSince, (instant) => since(sql`t."createdAt"`, instant)),
  );

/** Below a space, or below a change request. */
const activeRevision: PageList<RevisionRow, Viewer> = {
  entity: revisions,
  parent: sql`t.id = coalesce((select s."revisionId" from "Space" s where s.id = p.id and s."deletedAt" is null),
    (select cr."revisionId" from "ChangeRequest" cr where cr.id = p.id))`,
  visible: "with parent",
  order: newestFirst,
};

export const revisionsOfSpace: PageList<RevisionRow, Viewer, RevisionFilter, Pick<SpaceRow, "id" | "isAccessible">> = {
  entity: revisions,
  guard: withRoleOnSpace,
  parent: sql`t."spaceId" = p.id and t."changeRequestId" is null`,
  visible: "with parent",
  order: orderedBy(revisionOrders, newestFirst),
  where: passes,
};

export const revisionsOfChangeRequest: PageList<RevisionRow, Viewer, RevisionFilter> = {
  entity: revisions,
  parent: sql`t."changeRequestId" = p.id and t."spaceId" = (select cr."spaceId" from "ChangeRequest" cr where cr.id = p.id)`,
  visible: "with parent",
  order: orderedBy(revisionOrders, newestFirst),
  where: passes,
};

/** A text that pages share, with its id. */
export interface ReusableContentRow extends ReusableContent {
  readonly reusableContentId: string;
}

/** The reusable contents of a revision in the order in which they were created, which is that of their ids. */
export function listReusableContents(contents: RevisionRow["reusableContents"]): ReusableContentRow[] {
  return Object.entries(contents)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([reusableContentId, content]) => ({ reusableContentId, ...content }));
}

/** A revision itself, by its id. */
const sameRevision: PageList<RevisionRow, Viewer> = {
  entity: revisions,
  parent: sql`t.id = p.id`,
  visible: "with parent",
  order: newestFirst,
};

/** More columns of a revision that the viewer sees, on whatever way it was found. */
export async function moreOf(context: Context, { id }: { id: string }, wanted: Wanted): Promise<RevisionRow> {
  const revision = await context.reader.pick(sameRevision, { id }, { key: {}, wanted });
  return found(revision, "revision");
}

/**
 * The active revision of a space, visible to all who may view the space, or of a change request. NOT_FOUND for a
 * deleted space.
 */
export async function contentOf(context: Context, { id }: { id: string }, wanted: Wanted): Promise<RevisionRow> {
  const revision = await context.reader.pick(activeRevision, { id }, { key: {}, wanted });
  return found(revision, "content"); // a deleted space shows none
}

type ChangeRequestRow = Stored<ChangeRequestModel>;

export const editableChangeRequests = entity<ChangeRequestRow, Viewer>({
  kind: "ChangeRequest",
  visible: (viewer) =>
    sql`exists (select from (values (t."spaceId")) r("spaceId") join "Space" t on t.id = r."spaceId"
      where t."deletedAt" is null and ${isAccessible(viewer)})`,
});
