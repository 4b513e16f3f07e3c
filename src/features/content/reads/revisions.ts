// Reading revisions: seen by whoever has a role on their space; the active one of the main content also by whoever may view the space.
import { isAccessible, isOpenToAnyone } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { found } from "#src/base/errors.ts";
import { type Sql, sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { emptyPage, type Page, type PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import type { SpaceRow } from "#src/features/spaces/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SpaceVisibility } from "#src/generated/prisma/enums.ts";
import type { ChangeRequestModel, RevisionModel } from "#src/generated/prisma/models.ts";

/** A text that pages share. */
export interface ReusableContent {
  readonly title: string;
  /** Null for an empty text. */
  readonly documentHash: string | null;
}

/** What a revision holds: equal hashes, and equal values, are equal content. */
export interface ContentState {
  /** Of the pages (`readTrees`); null for none. */
  readonly treeHash: string | null;
  /** Of the list of files; null for none. */
  readonly filesHash: string | null;
  /** Values that texts of all pages refer to, by name. */
  readonly variables: Readonly<Record<string, string>>;
  /** Texts that pages share, by their ids. */
  readonly reusableContents: Readonly<Record<string, ReusableContent>>;
}

/** The columns of a revision that hold its content. */
export const contentColumns = ["treeHash", "filesHash", "variables", "reusableContents"] as const;

export interface RevisionRow extends Omit<Stored<RevisionModel>, keyof ContentState>, ContentState {
  /** The change request whose merge made it. */
  mergedFromId: string | null;
  /** The visibility of the space whose main content it is now; null for revisions that are not active. */
  publishedAs: SpaceVisibility | null;
}

/** Whether the space of revision `t` fulfils a condition on space `t`; in it the revision is `r`. */
function spaceOfRevision(condition: Sql): Sql {
  return sql`exists (select from (values (t.id, t."spaceId")) r(id, "spaceId") join "Space" t on t.id = r."spaceId"
    where t."deletedAt" is null and ${condition})`;
}

/** Who wrote what, and why, is for those with a role on the space; others see the content alone. */
const forThoseWithAccess = (viewer: Viewer, column: Sql): Sql =>
  sql`case when ${spaceOfRevision(isAccessible(viewer))} then ${column} end`;

const revisions = entity<RevisionRow, Viewer>({
  kind: "Revision",
  stored: Prisma.RevisionScalarFieldEnum,
  derived: {
    authorId: (viewer) => forThoseWithAccess(viewer, sql`t."authorId"`),
    message: (viewer) => forThoseWithAccess(viewer, sql`t."message"`),
    mergedFromId: (viewer) =>
      forThoseWithAccess(
        viewer,
        sql`case t.type when 'merge' then (select cr.id from "ChangeRequest" cr where cr."revisionMergedId" = t.id order by cr.number limit 1) end`,
      ),
    publishedAs: () => sql`(select s.visibility from "Space" s where s.id = t."spaceId" and s."revisionId" = t.id)`,
  },
  visible: (viewer) =>
    spaceOfRevision(sql`(${isAccessible(viewer)} or (${isOpenToAnyone(viewer)} and t."revisionId" = r.id))`),
});

/** Newest first: no revision is older than those that it stands on. */
const byTime = { name: "createdAt", key: sql`t."createdAt"`, type: "timestamptz", direction: "desc" } as const;

/** Below a space, or below a change request. */
const activeRevision: PageList<RevisionRow, Viewer, object> = {
  name: "content",
  entity: revisions,
  parent: sql`t.id = coalesce((select s."revisionId" from "Space" s where s.id = p.id),
    (select cr."revisionId" from "ChangeRequest" cr where cr.id = p.id))`,
  visible: "with parent",
  order: () => byTime,
};

const revisionsOfSpace: PageList<RevisionRow, Viewer, object> = {
  name: "Space.revisions",
  entity: revisions,
  parent: sql`t."spaceId" = p.id and t."changeRequestId" is null`,
  visible: "with parent",
  order: () => byTime,
};

const revisionsOfChangeRequest: PageList<RevisionRow, Viewer, object> = {
  name: "ChangeRequest.revisions",
  entity: revisions,
  parent: sql`t."changeRequestId" = p.id and t."spaceId" = (select cr."spaceId" from "ChangeRequest" cr where cr.id = p.id)`,
  visible: "with parent",
  order: () => byTime,
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
const sameRevision: PageList<RevisionRow, Viewer, object> = {
  name: "Revision.same",
  entity: revisions,
  parent: sql`t.id = p.id`,
  visible: "with parent",
  order: () => byTime,
};

/** A revision in hand with further columns: whoever has it may see them, by whatever way it came. */
export async function moreOf(context: Context, { id }: { id: string }, wanted: Wanted): Promise<RevisionRow> {
  const revision = await context.reader.first(sameRevision, id, { args: {}, wanted });
  return found(revision, "revision");
}

export function findRevision(context: Context, id: string, wanted: Wanted): Promise<RevisionRow | null> {
  return context.reader.row(revisions, id, wanted);
}

/** The active revision of a space in hand, which shows it to whoever may view the space, or of a change request in hand. */
export async function contentOf(context: Context, { id }: { id: string }, wanted: Wanted): Promise<RevisionRow> {
  const revision = await context.reader.first(activeRevision, id, { args: {}, wanted });
  if (!revision) throw new Error(`${id} has no active revision`); // a foreign key prevents it
  return revision;
}

/** The revisions of the main content; those of change requests stand with these. */
export async function pageRevisionsOfSpace(
  context: Context,
  space: Pick<SpaceRow, "id" | "isAccessible">,
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<RevisionRow>> {
  return space.isAccessible ? context.reader.page(revisionsOfSpace, space.id, { page, args: {}, wanted }) : emptyPage;
}

/** The revisions made in a change request in hand. */
export function pageRevisionsOfChangeRequest(
  context: Context,
  changeRequest: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<RevisionRow>> {
  return context.reader.page(revisionsOfChangeRequest, changeRequest.id, { page, args: {}, wanted });
}

type ChangeRequestRow = Stored<ChangeRequestModel>;

const changeRequests = entity<ChangeRequestRow, Viewer>({
  kind: "ChangeRequest",
  stored: Prisma.ChangeRequestScalarFieldEnum,
  visible: (viewer) =>
    sql`exists (select from (values (t."spaceId")) r("spaceId") join "Space" t on t.id = r."spaceId"
      where t."deletedAt" is null and ${isAccessible(viewer)})`,
});

/** The change request whose content is to be written: the feature of change requests stands on this one. */
export function findChangeRequestToEdit(
  context: Context,
  id: string,
  wanted: Wanted,
): Promise<ChangeRequestRow | null> {
  return context.reader.row(changeRequests, id, wanted);
}
