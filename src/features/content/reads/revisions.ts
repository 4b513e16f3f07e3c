// Reads of revisions: visible with a role on their space; the current main revision is visible with the space.
import { isAccessible, isOpenToAnyone } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { found } from "#src/base/errors.ts";
import { idInRevision, partsOfId } from "#src/base/ids.ts";
import { identifier, joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import { derive, entity, type Stored, project, type Projection } from "#src/db/reading/entity.ts";
import { allOf, isOneOf, since, whenGiven } from "#src/db/reading/filters.ts";
import { byTime, orderedBy, type Ordered } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import type { Optional } from "#src/domain/input.ts";
import type { ContentState, ReusableContent } from "#src/features/content/model/content-state.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";
import { type SpaceRow, spaces } from "#src/features/spaces/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { RevisionType, SpaceVisibility } from "#src/generated/prisma/enums.ts";
import type { ChangeRequestModel, RevisionModel } from "#src/generated/prisma/models.ts";

export interface RevisionRow extends Omit<Stored<RevisionModel>, keyof ContentState>, ContentState {
  /** The visibility of the space whose current main revision it is; null for other revisions. */
  publishedAs: SpaceVisibility | null;
  shareKey: string | null;
}

/** Whether the space of revision `t` fulfils a condition, in which `t` is the space and `r` the revision. */
function spaceOfRevision(condition: Sql): Sql {
  return sql`exists (select from (values (t.id, t."spaceId")) r(id, "spaceId") join "Space" t on t.id = r."spaceId"
    where t."deletedAt" is null and ${condition})`;
}

/** Authors and messages are visible only with a role on the space; other viewers see only the content. */
export const forThoseWithAccess = (viewer: Viewer, column: Sql): Sql =>
  sql`case when ${spaceOfRevision(isAccessible(viewer))} then ${column} end`;

declare module "#src/db/reading/entity.ts" {
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
    shareKey: () => sql`(select s."shareKey" from "Space" s where s.id = t."spaceId" and s.visibility = 'share_link')`,
  },
  visible: (viewer) =>
    spaceOfRevision(sql`(${isAccessible(viewer)} or (${isOpenToAnyone(viewer)} and t."revisionId" = r.id))`),
});

declare module "#src/features/spaces/reads.ts" {
  interface SpaceRow {
    /** The hash of the tree of its current content; null for an empty one. */
    contentTreeHash: string | null;
  }
}

derive(spaces, {
  contentTreeHash: () => sql`(select r."treeHash" from "Revision" r where r.id = t."revisionId")`,
});

/** A revision that a visible object references: visible with that object. */
export const namedRevisions: typeof revisions = { ...revisions, visible: () => sql`true` };

const newestFirst = byTime("createdAt", "desc");

const revisionOrders = { createdAt: byTime("createdAt") };

type RevisionFilter = Ordered<keyof typeof revisionOrders> &
  Optional<{ types: readonly RevisionType[]; authorIds: readonly string[]; createdSince: Date }>;

const passes = ({ types, authorIds, createdSince }: RevisionFilter): Sql | null =>
  allOf(
    whenGiven(types, (values) => isOneOf(sql`t.type`, values, sql`"RevisionType"`)),
    whenGiven(authorIds, (ids) => isOneOf(sql`t."authorId"`, ids)),
    whenGiven(createdSince, (instant) => since(sql`t."createdAt"`, instant)),
  );

const activeRevision: PageList<RevisionRow, Viewer> = {
  entity: revisions,
  parent: sql`t.id = coalesce((select s."revisionId" from "Space" s where s.id = p.id and s."deletedAt" is null),
    (select cr."revisionId" from "ChangeRequest" cr where cr.id = p.id))`,
  visible: "with parent",
  order: newestFirst,
};

export const revisionsOfSpace: PageList<RevisionRow, Viewer, RevisionFilter, Pick<SpaceRow, "id" | "isAccessible">> = {
  entity: revisions,
  policy: withRoleOnSpace,
  parent: sql`t."spaceId" = p.id and t."changeRequestId" is null`,
  visible: "with parent",
  order: orderedBy(revisionOrders, newestFirst),
  where: passes,
};

/** Revisions of its main content and of its change requests. */
export const anyRevisionOfSpace: PageList<RevisionRow, Viewer> = {
  entity: revisions,
  parent: sql`t."spaceId" = p.id`,
  visible: "by its own rule",
  order: newestFirst,
};

/** Columns that lists filter and sort by come from the rows of changed pages, which have an index for them. */
const changeColumns = Object.values(Prisma.RevisionScalarFieldEnum).map((name) => {
  if (name === "id") return sql`cp."revisionId" as id`;
  return identifier(name === "createdAt" ? "cp" : "r", name);
});

const changesOfPages: typeof revisions = {
  ...revisions,
  table: sql`(select cp."contentId", cp."pageId", ${joinSql(changeColumns)}
    from "ChangedPage" cp join "Revision" r on r.id = cp."revisionId")`,
};

/** The revisions of a content in which a page changed; the parent key is the `pageKey`. */
export const historyOfPage: PageList<RevisionRow, Viewer> = {
  entity: changesOfPages,
  parent: sql`t."contentId" = split_part(p.id, ' ', 1) and t."pageId" = split_part(p.id, ' ', 2)`,
  visible: "by its own rule",
  order: newestFirst,
};

export const revisionsOfChangeRequest: PageList<RevisionRow, Viewer, RevisionFilter> = {
  entity: revisions,
  parent: sql`t."changeRequestId" = p.id and t."spaceId" = (select cr."spaceId" from "ChangeRequest" cr where cr.id = p.id)`,
  visible: "with parent",
  order: orderedBy(revisionOrders, newestFirst),
  where: passes,
};

export interface ReusableContentRow extends ReusableContent {
  readonly id: string;
  readonly reusableContentId: string;
}

export const reusableContentIn = (
  revision: { readonly id: string },
  reusableContentId: string,
  content: ReusableContent,
): ReusableContentRow => ({ id: idInRevision(revision.id, reusableContentId), reusableContentId, ...content });

/** The reusable contents of a revision by time of creation, which is the order of their ids. */
export function listReusableContents(revision: Pick<RevisionRow, "id" | "reusableContents">): ReusableContentRow[] {
  return Object.entries(revision.reusableContents)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, content]) => reusableContentIn(revision, id, content));
}

/** The text with this id, which names the revision, visible with the revision; null if it does not exist. */
export async function findReusableContentById({ reader }: Context, id: string): Promise<ReusableContentRow | null> {
  const parts = partsOfId("ReusableContent", id);
  const revision = parts && (await reader.row(revisions, parts.revisionId, project(["reusableContents"])));
  const content = revision && Object.hasOwn(revision.reusableContents, parts.id) && revision.reusableContents[parts.id];
  return content ? reusableContentIn(revision, parts.id, content) : null;
}

const sameRevision: typeof activeRevision = { ...activeRevision, parent: sql`t.id = p.id` };

/** More columns of a revision that is known to be visible. */
export async function moreOf(context: Context, { id }: { id: string }, projection: Projection): Promise<RevisionRow> {
  const revision = await context.reader.pick(sameRevision, { id }, { key: {}, projection });
  return found(revision, "revision");
}

/** The current revision of a visible space or change request. NOT_FOUND if the space was deleted. */
export async function contentOf(context: Context, of: { id: string }, projection: Projection): Promise<RevisionRow> {
  const revision = await context.reader.pick(activeRevision, { id: of.id }, { key: {}, projection });
  return found(revision, "content"); // null if the space was deleted
}

type ChangeRequestRow = Stored<ChangeRequestModel>;

export const editableChangeRequests = entity<ChangeRequestRow, Viewer>({
  kind: "ChangeRequest",
  visible: (viewer) =>
    sql`exists (select from (values (t."spaceId")) r("spaceId") join "Space" t on t.id = r."spaceId"
      where t."deletedAt" is null and ${isAccessible(viewer)})`,
});

export const editableChangeRequestsOfSpace: PageList<ChangeRequestRow, Viewer> = {
  entity: editableChangeRequests,
  parent: sql`t."spaceId" = p.id`,
  visible: "by its own rule", // empty for viewers who may only view the space
  order: byTime("createdAt", "desc"),
};

/** Parses a key in a path of /v1: the number of a change request within its space, or its id. */
export function namedBy(text: string): { id: string } | { number: number } {
  // Numbers of ten and more digits may exceed int4, and are never assigned.
  return /^[1-9][0-9]{0,8}$/.test(text) ? { number: Number(text) } : { id: text };
}
