// Importing content: a folder of Markdown files becomes one revision.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { requireAllowed, type Transaction } from "#src/domain/change.ts";
import { type Context, renewViewer } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import type { Optional } from "#src/domain/input.ts";
import { refreshBeforeAnswer } from "#src/features/content/commands/refresh-computed.ts";
import type { NewFile } from "#src/features/content/commands/files.ts";
import {
  checkExpected,
  checkMessage,
  loadTarget,
  makeRevision,
  type RevisionInput,
} from "#src/features/content/commands/new-revision.ts";
import type { ContentPlace, Head } from "#src/features/content/commands/lock.ts";
import { readTree, storeContent } from "#src/features/content/commands/write-content.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import { Draft } from "#src/features/content/model/draft.ts";
import type { Upload } from "#src/files/upload.ts";
import { mayImportContent } from "#src/features/imports/access.ts";
import { keepFiles, listFiles } from "#src/features/imports/commands/kept-files.ts";
import { checkArchiveSize } from "#src/features/imports/commands/zip.ts";
import { importEvents } from "#src/features/imports/events.ts";
import type { ImportWarning } from "#src/features/imports/model/files.ts";
import { ImportBudget } from "#src/features/imports/commands/import-budget.ts";
import { markdownReader } from "#src/features/imports/model/markdown-reader.ts";
import { growing, type Progress, type Report } from "#src/features/imports/model/progress.ts";
import { newPages, pageIdsFor } from "#src/features/imports/model/new-pages.ts";
import { type ImportPlan, planImport } from "#src/features/imports/model/plan.ts";
import type { OpenImport } from "#src/features/imports/model/open-import.ts";

/** Where an import goes: below the parent, or to the top, last; with `replace` in the place of all other pages. */
type Placed = RevisionInput & Optional<{ parentId: string; replace: boolean }>;

/** What is imported, and where to. */
export interface ImportInput extends Placed {
  /** Opens what is to be imported, once it is known that the viewer may import anything. It is closed in the end. */
  readonly open: (report: Report, place: ContentPlace, budget: ImportBudget) => Promise<OpenImport>;
  /** Called as the import goes on, with numbers that never go back. */
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the import, which throws its reason, until it is written: what comes then is too late. */
  readonly signal?: AbortSignal;
  /** Written in the transaction of the revision: with it or not at all. What it throws undoes both. */
  readonly also?: (transaction: Transaction, imported: Imported) => Promise<readonly DomainEvent[]>;
}

/** What was imported. */
export interface Imported {
  readonly revisionId: string;
  readonly pageCount: number;
  readonly fileCount: number;
  /** Links that now lead to pages and files of the content. */
  readonly linkCount: number;
  /** Pages and files that were imported, and all that were found. */
  readonly importedResources: number;
  readonly totalResources: number;
  /** The first of them. */
  readonly warnings: readonly ImportWarning[];
  readonly warningCount: number;
}

/** What is known of an import without what is imported. */
async function prepare(context: Context, input: Placed) {
  const target = await loadTarget(context, input);
  await requireAllowed(context, mayImportContent, target.space);
  const message = checkMessage(input.message);
  const [parentId, replace] = [input.parentId ?? null, input.replace ?? false];
  if (replace && parentId !== null) throw invalidInput("parentId", "must not be given together with `replace`.");
  return { target, message, parentId, replace };
}

/** Throws what {@link importContent} does, as far as it is known before an archive has come. */
export async function checkImport(context: Context, input: Placed, archive: Upload | null): Promise<void> {
  const { target } = await prepare(context, input);
  checkExpected(input.expectedRevisionId, target.revisionId);
  checkArchiveSize(archive?.leastBytes ?? 0);
}

/**
 * Imports files into the main content of a space, or that of a change request: in one revision, or not at all. Needs
 * `edit`. The pages are added to the existing ones; with `replace` they take their place, and one with the path of an
 * old page continues that page, so that importing the same folder again changes only what has changed, and makes no
 * revision when nothing has.
 *
 * Throws NOT_FOUND for a target or parent that is not there, CONFLICT as `editContent` does, INVALID_INPUT and
 * TOO_LARGE for files that cannot be imported, naming them, and TOO_LARGE beyond its {@link ImportBudget}.
 */
export async function importContent(context: Context, input: ImportInput): Promise<Imported> {
  const budget = new ImportBudget(context.quotas);
  return budget.run(() => importWithin(budget, context, input));
}

async function importWithin(budget: ImportBudget, context: Context, input: ImportInput): Promise<Imported> {
  const { target, message, parentId, replace } = await prepare(context, input);
  const { expectedRevisionId } = input;
  const { spaceId } = target.place;
  const tell = growing((progress) => input.onProgress?.(progress));
  const report: Report = (numbers) => {
    input.signal?.throwIfAborted();
    budget.check(numbers.found ?? 0);
    tell(numbers);
  };
  await using source = await input.open(report, target.place, budget);
  const { files } = source;
  budget.takeFiles(files);
  const plan = await planImport(source, markdownReader, report);
  const kept = await keepFiles(context, plan.files, files.warnings);
  if (!(await renewViewer(context))) throw new DomainError("UNAUTHENTICATED"); // reading may have taken minutes
  const imported = importedBy(plan, kept, source);
  input.signal?.throwIfAborted();
  const { revisionId } = await answersWith(context, imported, () =>
    makeRevision(context, mayImportContent, target, {
      type: "import",
      event: target.place.changeRequestId === null ? importEvents.imported : importEvents.intoChangeRequest,
      expectedRevisionId,
      message,
      build: (transaction, head) => put(transaction, context, { head, spaceId, plan, kept, parentId, replace }),
      also: async (transaction, revisionId) => (await input.also?.(transaction, { ...imported, revisionId })) ?? [],
    }),
  );
  tell({ written: plan.all.length }); // it is written: nothing ends it any more
  const isComputed = plan.all.some(({ type }) => type === "computed");
  const computed = isComputed ? await refreshBeforeAnswer(context, target.place) : null;
  return { ...imported, revisionId: computed ?? revisionId };
}

function importedBy(
  plan: ImportPlan,
  kept: ReadonlyMap<string, NewFile>,
  { files, leftOut = 0 }: OpenImport,
): Omit<Imported, "revisionId"> {
  const links = plan.all.flatMap((page) => page.links).filter(({ to }) => "pages" in to || kept.has(to.path));
  return {
    pageCount: plan.all.length,
    fileCount: kept.size,
    linkCount: links.length,
    importedResources: plan.all.length + kept.size,
    totalResources: plan.all.length + plan.files.length + leftOut,
    warnings: files.warnings.first,
    warningCount: files.warnings.count,
  };
}

/** The content with the imported pages beside the old ones, or in their place; stored but for its revision. */
async function put(
  transaction: Transaction,
  context: Context,
  of: {
    head: Head;
    spaceId: string;
    plan: ImportPlan;
    kept: ReadonlyMap<string, NewFile>;
    parentId: string | null;
    replace: boolean;
  },
): Promise<ContentState> {
  const { head, spaceId, plan, kept, parentId, replace } = of;
  const tree = await readTree(transaction, head.treeHash);
  const { filesHash, fileIds } = await listFiles(transaction, context, { head, kept, replace });
  const draft = new Draft(tree, context.clock.now());
  const pages = newPages(plan.pages, { pageIds: pageIdsFor(plan.pages, replace ? tree.pages : []), fileIds });
  if (replace) draft.replaceAll(pages);
  else draft.createAll(pages, parentId);
  const content = draft.finish();
  if (content.treeHash !== head.treeHash) await storeContent(transaction, content, spaceId);
  return { ...head, treeHash: content.treeHash, filesHash };
}
