// Imports content: a folder of Markdown files becomes one revision, within a budget.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { inFigures, type Quotas } from "#src/base/limits.ts";
import { currentTenant, type Tenant, workFor } from "#src/runtime/tenant.ts";
import type { ImportFiles } from "#src/features/imports/model/files.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { requireAllowed, type Transaction } from "#src/domain/change.ts";
import { type Context, renewViewer } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import type { Optional } from "#src/domain/input.ts";
import { refreshBeforeAnswer } from "#src/features/content/commands/refresh-computed.ts";
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
import { keepFiles, type KeptFiles, listFiles } from "#src/features/imports/commands/kept-files.ts";
import { checkArchiveSize } from "#src/features/imports/commands/zip.ts";
import { importEvents } from "#src/features/imports/events.ts";
import { markdownReader } from "#src/features/imports/model/markdown-reader.ts";
import { growing, type OpenImport, type Progress, type Report } from "#src/features/imports/model/open-import.ts";
import { newPages, pageIdsFor } from "#src/features/imports/model/new-pages.ts";
import { type ImportPlan, planImport } from "#src/features/imports/model/plan.ts";

class ImportBudget {
  readonly #most: Quotas["ofImport"];
  #bytes = 0;
  #ms = 0;

  constructor({ ofImport }: Pick<Quotas, "ofImport">) {
    this.#most = ofImport;
  }

  /** Runs work, and counts the time that threads take for it. */
  run<Result>(work: () => Result): Result {
    const tenant = currentTenant();
    const takeTime: Tenant["takeTime"] = (ms) => {
      this.#ms += ms;
      tenant.takeTime(ms);
    };
    return workFor({ ...tenant, takeTime }, work);
  }

  /** Counts the bytes of a fetch function, which throws TOO_LARGE beyond the budget. */
  counting(fetch: SafeFetch): SafeFetch {
    return async (url, options) => {
      const answer = await fetch(url, options);
      this.#takeBytes(answer.body.length);
      return answer;
    };
  }

  /** Counts files before they are unpacked. Throws TOO_LARGE beyond the budget. */
  takeFiles({ count, size }: Pick<ImportFiles, "count" | "size">): void {
    if (count > this.#most.files) throw tooLarge(`${inFigures(this.#most.files)} files`, `has ${inFigures(count)}`);
    this.#takeBytes(size);
  }

  /** Throws TOO_LARGE for too many pages, and if reading them has taken too long. */
  check(pages: number): void {
    const { pages: mostPages, seconds } = this.#most;
    if (pages > mostPages) throw tooLarge(`${inFigures(mostPages)} pages`, `has ${inFigures(pages)}`);
    if (this.#ms > 1000 * seconds)
      throw tooLarge(
        `texts and images that take ${inFigures(seconds)} seconds to be read`,
        `has taken ${inFigures(this.#ms / 1000)} so far`,
      );
  }

  #takeBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > this.#most.bytes)
      throw tooLarge(`${inFigures(this.#most.bytes)} bytes, fetched and unpacked`, `has ${inFigures(this.#bytes)}`);
  }
}

const tooLarge = (most: string, own: string): DomainError =>
  new DomainError("TOO_LARGE", `An import may have at most ${most}; this one ${own}. Import smaller parts.`);

/** Pages are appended to the parent, or to the top level; with `replace` they replace all others. */
export type ImportTarget = RevisionInput & Optional<{ parentId: string; replace: boolean }>;

interface ImportInput extends ImportTarget {
  /** Opens the import after the permissions of the viewer were checked; it is disposed at the end. */
  readonly open: (report: Report, place: ContentPlace, budget: ImportBudget) => Promise<OpenImport>;
  /** Called with numbers that never decrease. */
  readonly onProgress?: (progress: Progress) => void;
  /** Aborts the import, until it is written. */
  readonly signal?: AbortSignal;
  /** Runs in the transaction of the revision. */
  readonly also?: (transaction: Transaction, imported: Imported) => Promise<readonly DomainEvent[]>;
}

export type Imported = ReturnType<typeof resultOf> & { readonly revisionId: string };

/** Checks the rights and the settings of an import. */
export async function prepareImport(context: Context, input: ImportTarget) {
  const target = await loadTarget(context, input);
  await requireAllowed(context, mayImportContent, target.space);
  const message = checkMessage(input.message);
  const [parentId, replace] = [input.parentId ?? null, input.replace ?? false];
  if (replace && parentId !== null) throw invalidInput("parentId", "must not be set together with `replace`.");
  return { target, message, parentId, replace };
}

/** Throws the errors of {@link importContent} that are known before the archive is uploaded. */
export async function checkImport(context: Context, input: ImportTarget, archive: Upload | null): Promise<void> {
  const { target } = await prepareImport(context, input);
  checkExpected(input.expectedRevisionId, target.revisionId);
  checkArchiveSize(archive?.leastBytes ?? 0);
}

/**
 * With `replace` a page continues the old one at its path: importing a folder again changes only what differs, or
 * nothing. Throws NOT_FOUND, CONFLICT like `editContent`, and INVALID_INPUT or TOO_LARGE with the name of the file.
 */
export async function importContent(context: Context, input: ImportInput): Promise<Imported> {
  const budget = new ImportBudget(context.quotas);
  return budget.run(() => importWithin(budget, context, input));
}

async function importWithin(budget: ImportBudget, context: Context, input: ImportInput): Promise<Imported> {
  const { target, message, parentId, replace } = await prepareImport(context, input);
  const { expectedRevisionId } = input;
  const { spaceId } = target.place;
  const reportGrowth = growing((progress) => input.onProgress?.(progress));
  const report: Report = (numbers) => {
    input.signal?.throwIfAborted();
    budget.check(numbers.found ?? 0);
    reportGrowth(numbers);
  };
  await using source = await input.open(report, target.place, budget);
  const { files } = source;
  budget.takeFiles(files);
  const plan = await planImport(source, markdownReader, report);
  const kept = await keepFiles(context, plan.files, files.warnings);
  if (!(await renewViewer(context))) throw new DomainError("UNAUTHENTICATED"); // reading may have taken minutes
  const imported = resultOf(plan, kept, source);
  input.signal?.throwIfAborted();
  const { revisionId } = await answersWith(context, imported, () =>
    makeRevision(context, mayImportContent, target, {
      type: "import",
      event: target.place.changeRequestId === null ? importEvents.imported : importEvents.intoChangeRequest,
      expectedRevisionId,
      message,
      build: (transaction, head) => storePages(transaction, context, { head, spaceId, plan, kept, parentId, replace }),
      also: async (transaction, revisionId) => (await input.also?.(transaction, { ...imported, revisionId })) ?? [],
    }),
  );
  reportGrowth({ written: plan.all.length }); // the import can no longer be aborted
  const isComputed = plan.all.some(({ type }) => type === "computed");
  const computed = isComputed ? await refreshBeforeAnswer(context, target.place) : null;
  return { ...imported, revisionId: computed ?? revisionId };
}

/** `linkCount` counts links to pages and files of the content, the resources both; `warnings` are the first ones. */
function resultOf(plan: ImportPlan, kept: KeptFiles, { files, leftOut = 0 }: OpenImport) {
  const links = plan.all.flatMap((page) => page.links).filter(({ to }) => "pages" in to || kept.has(to.path));
  return {
    pageCount: plan.all.length,
    fileCount: kept.size,
    linkCount: links.length,
    importedResources: plan.all.length + kept.size,
    totalResources: plan.all.length + plan.files.length + leftOut,
    warnings: files.warnings.first,
    warningCounts: files.warnings.counts,
    warningCount: files.warnings.count,
  };
}

/** Stores the content with the imported pages beside the old ones, or in their place, without its revision. */
async function storePages(
  transaction: Transaction,
  context: Context,
  of: { head: Head; spaceId: string; plan: ImportPlan; kept: KeptFiles; parentId: string | null; replace: boolean },
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
