// Importing content: a folder of Markdown files becomes one revision.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { requireAllowed, type Transaction } from "#src/domain/change.ts";
import { type Context, renewViewer } from "#src/domain/context.ts";
import type { Optional } from "#src/domain/input.ts";
import type { NewFile } from "#src/features/content/commands/files.ts";
import { checkMessage, contentInHand, revise, type Revised } from "#src/features/content/commands/revise.ts";
import type { Head } from "#src/features/content/commands/lock.ts";
import { readTree, storeContent } from "#src/features/content/commands/store.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import { Draft } from "#src/features/content/model/draft.ts";
import { mayImportContent } from "#src/features/imports/access.ts";
import { keepFiles, listFiles } from "#src/features/imports/commands/kept-files.ts";
import { importEvents } from "#src/features/imports/events.ts";
import type { ImportWarning, OpenImport } from "#src/features/imports/model/files.ts";
import { markdownReader } from "#src/features/imports/model/markdown-reader.ts";
import { newPages, pageIdsFor } from "#src/features/imports/model/new-pages.ts";
import { type ImportPlan, planImport } from "#src/features/imports/model/plan.ts";

/** Pages go below the parent, or to the top, last; with `replace` they take the place of all others. */
export interface ImportInput extends Revised, Optional<{ parentId: string; replace: boolean }> {
  /** Opens what is to be imported, once it is known that the viewer may import anything. It is closed in the end. */
  readonly open: () => Promise<OpenImport>;
  /** Called with the numbers of pages that are read, and known so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What was imported. */
export interface Imported {
  readonly revisionId: string;
  readonly pageCount: number;
  readonly fileCount: number;
  /** Links that now lead to pages and files of the content. */
  readonly linkCount: number;
  /** The first of them. */
  readonly warnings: readonly ImportWarning[];
  readonly warningCount: number;
}

/**
 * Imports files into the main content of a space, or that of a change request: in one revision, or not at all. Needs
 * `edit`. The pages are added to the existing ones; with `replace` they take their place, and one with the path of an
 * old page continues that page, so that importing the same folder again changes only what has changed, and makes no
 * revision when nothing has.
 *
 * Throws NOT_FOUND for a target or parent that is not there, CONFLICT as `editContent` does, INVALID_INPUT and
 * TOO_LARGE for files that cannot be imported, naming them.
 */
export async function importContent(context: Context, input: ImportInput): Promise<Imported> {
  const target = await contentInHand(context, input);
  await requireAllowed(context, mayImportContent, target.space);
  const { parentId = null, expectedRevisionId } = input;
  const message = checkMessage(input.message);
  const replace = input.replace ?? false;
  if (replace && parentId !== null) throw invalidInput("parentId", "must not be given together with `replace`.");
  await using source = await input.open();
  const { files } = source;
  const plan = await planImport(files, markdownReader, input.onProgress);
  const kept = await keepFiles(context, plan.files, files.warnings);
  if (!(await renewViewer(context))) throw new DomainError("UNAUTHENTICATED"); // reading may have taken minutes
  const { revisionId } = await revise(context, mayImportContent, target, {
    type: "import",
    event: target.place.changeRequestId === null ? importEvents.imported : importEvents.intoChangeRequest,
    expectedRevisionId,
    message,
    build: (transaction, head) => put(transaction, context, { head, plan, kept, parentId, replace }),
  });
  const links = plan.all.flatMap((page) => page.links).filter(({ to }) => "pages" in to || kept.has(to.path));
  return {
    revisionId,
    pageCount: plan.all.length,
    fileCount: kept.size,
    linkCount: links.length,
    warnings: files.warnings.first,
    warningCount: files.warnings.count,
  };
}

/** The content with the imported pages beside the old ones, or in their place; stored but for its revision. */
async function put(
  transaction: Transaction,
  context: Context,
  of: { head: Head; plan: ImportPlan; kept: ReadonlyMap<string, NewFile>; parentId: string | null; replace: boolean },
): Promise<ContentState> {
  const { head, plan, kept, parentId, replace } = of;
  const tree = await readTree(transaction, head.treeHash);
  const { filesHash, fileIds } = await listFiles(transaction, context, { head, kept, replace });
  const draft = new Draft(tree, context.clock.now());
  const pages = newPages(plan.pages, { pageIds: pageIdsFor(plan.pages, replace ? tree.pages : []), fileIds });
  if (replace) draft.replaceAll(pages);
  else draft.createAll(pages, parentId);
  const content = draft.finish();
  if (content.treeHash !== head.treeHash) await storeContent(transaction, content);
  return { ...head, treeHash: content.treeHash, filesHash };
}
