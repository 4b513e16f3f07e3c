// Editing content and bringing back earlier revisions: one revision each.
import { found, invalidInput } from "#src/base/errors.ts";
import { lastingId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { want } from "#src/db/reading/entity.ts";
import { requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { mayEditContent, mayRestoreRevision } from "#src/features/content/access.ts";
import { computeAtOnce } from "#src/features/content/commands/compute-at-once.ts";
import { computedKinds } from "#src/features/content/commands/computed.ts";
import { deriveAgain } from "#src/features/content/commands/derive.ts";
import { removeFiles, requireFiles } from "#src/features/content/commands/files.ts";
import { type ContentPlace, type Head, readHead } from "#src/features/content/commands/lock.ts";
import { checkMessage, contentInHand, revise, type Revised } from "#src/features/content/commands/revise.ts";
import { readTree, storeContent } from "#src/features/content/commands/store.ts";
import { applyEdits, type ContentEdit, writeDocumentsIn } from "#src/features/content/model/apply-edits.ts";
import { Draft } from "#src/features/content/model/draft.ts";
import { IncludesDraft } from "#src/features/content/model/includes.ts";
import { rememberTree } from "#src/features/content/reads/trees.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";

/** The most edits of a batch. */
const batchLimit = 1000;

/**
 * Edits the main content of a space, or that of a change request: all edits in one revision, or none at all. Needs
 * `edit`. Without `expectedRevisionId` the edits apply to the current content. Edits that change nothing make no
 * revision. Answers which files it deletes, too: what uses them is left as it is.
 *
 * Throws NOT_FOUND for a target, page, parent, neighbour or file of a cover that is not there, CONFLICT for a locked
 * space, a change request that is neither draft nor open, a stale `expectedRevisionId` (naming the current one) and
 * slugs that are taken, INVALID_INPUT for bad values.
 */
export async function editContent(
  context: Context,
  input: Revised & { readonly edits: readonly ContentEdit[] },
): Promise<{ revisionId: string; deletedFileIds: readonly string[] }> {
  const target = await contentInHand(context, input);
  const { edits } = input;
  const message = checkMessage(input.message);
  if (edits.length > batchLimit)
    throw invalidInput("edits", `must have at most ${batchLimit} entries, and has ${edits.length}.`);
  await requireAllowed(context, mayEditContent, target.space); // checked here, too, before the work that documents make
  if (edits.length === 0) return { revisionId: target.revisionId, deletedFileIds: [] };
  const deletedFileIds = edits.flatMap(({ deleteFile }) => (deleteFile ? [lastingId("File", deleteFile.fileId)] : []));
  await requireSeenSpecs(context, target.place, edits);
  const written = await writeDocumentsIn(edits);
  const edit = () =>
    revise(context, mayEditContent, target, {
      type: "edits",
      expectedRevisionId: input.expectedRevisionId,
      message,
      async build(transaction, head) {
        const tree = await readTree(transaction, head.treeHash);
        const draft = { pages: new Draft(tree, context.clock.now()), includes: new IncludesDraft(head) };
        applyEdits(draft, edits, written);
        const pages = draft.pages.finish();
        const { documents, ...includes } = draft.includes.finish();
        const filesHash = await removeFiles(transaction, head.filesHash, deletedFileIds);
        await requireFiles(transaction, filesHash, coverFilesIn(edits));
        const made = { ...pages, documents: new Map([...pages.documents, ...documents]) };
        const store = () => {
          rememberTree({ hash: head.treeHash, tree }, made); // for the next edit, which may begin now
          return storeContent(transaction, made, target.place.spaceId);
        };
        return { ...head, ...includes, treeHash: pages.treeHash, filesHash, store };
      },
      storesLater: deletedFileIds.length === 0, // else the list of the others is stored at once
    });
  const answer = await answersWith(context, { deletedFileIds }, edit);
  const computed = computedIn(edits).length > 0 ? await computeAtOnce(context, target.place) : null;
  return { ...answer, revisionId: computed ?? answer.revisionId };
}

const computedIn = (edits: readonly ContentEdit[]) =>
  edits.flatMap(({ createPage, updatePage }, index) => {
    const computed = createPage?.type === "computed" ? createPage.computed : updatePage?.computed;
    return computed
      ? [{ computed, at: `edits/${index}/${createPage ? "createPage" : "updatePage"}/computed/spec` }]
      : [];
  });

/** INVALID_INPUT for pages that are to be computed from what the viewer does not see: all who see them see it then. */
async function requireSeenSpecs(
  context: Context,
  { organizationId }: ContentPlace,
  edits: readonly ContentEdit[],
): Promise<void> {
  for (const { computed, at } of computedIn(edits)) {
    const kind = computedKinds.get(computed.type);
    if (!(await kind?.isSeen(context, { organizationId, spec: computed.spec })))
      throw invalidInput(at, "must be the slug or id of an OpenAPI specification of the organization that you see.");
  }
}

/** The files that the edits use as covers of pages. */
function coverFilesIn(edits: readonly ContentEdit[]): ReadonlySet<string> {
  const covers = edits.map(({ createPage, updatePage }) => (createPage ?? updatePage)?.cover);
  const files = covers.flatMap((cover) => [cover?.fileId, cover?.fileDarkId]).filter((id) => id != null);
  return new Set(files.map((file) => lastingId("File", file)));
}

/**
 * Makes the content of an earlier revision of the same space a new revision; nothing in between is lost. Needs `edit`.
 * A change request that goes back to one of its own revisions is then based on the main content of that time: merging
 * it does not undo what it was updated with since.
 *
 * Throws NOT_FOUND for a target or revision that is not there, and CONFLICT as `editContent` does.
 */
export async function restoreRevision(
  context: Context,
  input: Revised & { readonly revisionId: string },
): Promise<{ revisionId: string }> {
  const target = await contentInHand(context, input);
  const message = checkMessage(input.message);
  const wanted = want(["spaceId", "treeHash", "filesHash", "variables", "reusableContents"]);
  const revision = await context.reader.found(revisions, input.revisionId, wanted);
  const isHere = revision.spaceId === target.place.spaceId;
  const content = found(isHere ? revision : null, "revision");
  const { expectedRevisionId } = input;
  const mergedIn = (transaction: Transaction) => mainUnder(transaction, target.place, input.revisionId);
  return revise(context, mayRestoreRevision, target, {
    type: "edits",
    expectedRevisionId,
    message,
    async build(transaction, head) {
      await deriveAgain(transaction, target.place.spaceId, { from: head.treeHash, to: content.treeHash });
      return content;
    },
    mergedIn,
  });
}

/**
 * The revision of the main content that a change request was based on at one of its revisions, or at the one that it
 * started from, when it is not the same as now; undefined otherwise. Whenever the base changes, the new revision names
 * it as its second parent.
 */
async function mainUnder(
  transaction: Transaction,
  { changeRequestId }: ContentPlace,
  revisionId: string,
): Promise<Head | undefined> {
  if (changeRequestId === null) return undefined;
  const [found] = await transaction.$queryRaw<{ then: string | null; now: string }[]>(
    sql`select coalesce(cr."revisionMergedAncestorId", cr."revisionInitialId") as now, case
        when at.id = cr."revisionInitialId" then at.id
        when at."changeRequestId" = cr.id then coalesce((select r.parents[2] from "Revision" r
          where r."spaceId" = cr."spaceId" and r."changeRequestId" = cr.id and cardinality(r.parents) > 1
            and (r."createdAt", r.id) <= (at."createdAt", at.id)
          order by r."createdAt" desc, r.id desc limit 1), cr."revisionInitialId") end as then
      from "ChangeRequest" cr, "Revision" at where cr.id = ${changeRequestId} and at.id = ${revisionId}`,
  );
  return found?.then && found.then !== found.now ? readHead(transaction, found.then) : undefined;
}
