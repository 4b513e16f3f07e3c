// Importing content: a folder of Markdown files becomes one revision.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { requireAllowed, type Transaction } from "#src/domain/change.ts";
import { type Context, renewViewer } from "#src/domain/context.ts";
import { importContent as action } from "#src/features/content/access.ts";
import { Draft } from "#src/features/content/commands/draft.ts";
import type { NewFile } from "#src/features/content/commands/files.ts";
import type { ImportWarning, OpenImport } from "#src/features/content/commands/import/files.ts";
import { keepFiles, listFiles } from "#src/features/content/commands/import/kept-files.ts";
import { markdownReader } from "#src/features/content/commands/import/markdown-reader.ts";
import { newPages } from "#src/features/content/commands/import/new-pages.ts";
import { type ImportPlan, planImport } from "#src/features/content/commands/import/plan.ts";
import { checkMessage, contentInHand, revise, type Revised } from "#src/features/content/commands/revise.ts";
import { type Head, readTree, storeContent } from "#src/features/content/commands/store.ts";
import type { ContentState } from "#src/features/content/reads/revisions.ts";

export interface ImportInput extends Revised {
  /** Opens what is to be imported, once it is known that the viewer may import anything. It is closed in the end. */
  readonly open: () => Promise<OpenImport>;
  /** The page below which the pages are put, last; null for the top. */
  readonly parentId?: string | null | undefined;
  /** Whether what is there goes. */
  readonly replace?: boolean | null | undefined;
  /** Told how many of how many pages are read; more may turn up meanwhile. */
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
 * Imports files into the main content of a space, or that of a change request: in one revision, or not at all. Needs `edit`. The pages are put beside
 * those that are there; with `replace` they take their place, and one with the path of a page that was there goes on as that page, so that importing
 * the same folder again changes what has changed, and makes no revision when nothing has.
 *
 * Throws NOT_FOUND for a target or parent that is not there, CONFLICT as `editContent` does, INVALID_INPUT and TOO_LARGE for files that cannot be
 * imported, naming them.
 */
export async function importContent(context: Context, input: ImportInput): Promise<Imported> {
  const target = await contentInHand(context, input);
  await requireAllowed(context, action, target.space);
  const { parentId = null, expectedRevision } = input;
  const message = checkMessage(input.message);
  const replace = input.replace ?? false;
  if (replace && parentId !== null)
    throw invalidInput("parentId", "must not be given where everything is to be replaced.");
  await using source = await input.open();
  const { files } = source;
  const plan = await planImport(files, markdownReader, input.onProgress);
  const kept = await keepFiles(context, plan.files, files.warnings);
  if (!(await renewViewer(context))) throw new DomainError("UNAUTHENTICATED"); // reading may have taken minutes
  const { revisionId } = await revise(context, action, target, {
    type: "import",
    event: "content.imported",
    expectedRevision,
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

/** The content with what was imported beside what is there, or in its place, which is stored but for its revision. */
async function put(
  transaction: Transaction,
  context: Context,
  of: { head: Head; plan: ImportPlan; kept: ReadonlyMap<string, NewFile>; parentId: string | null; replace: boolean },
): Promise<ContentState> {
  const { head, plan, kept, parentId, replace } = of;
  const tree = await readTree(transaction, head.treeHash);
  const { filesHash, fileIds } = await listFiles(transaction, context, { head, kept, replace });
  const draft = new Draft(tree, context.clock.now());
  const pages = newPages(plan.pages, { before: replace ? tree.pages : [], fileIds });
  if (replace) draft.replaceAll(pages);
  else draft.createAll(pages, parentId);
  const content = draft.finish();
  if (content.treeHash !== head.treeHash) await storeContent(transaction, content);
  return { ...head, treeHash: content.treeHash, filesHash };
}
