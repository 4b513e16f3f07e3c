// The commands that create a revision: a batch of edits, an uploaded file, or a restored revision.
import { DomainError, found, invalidInput } from "#src/base/errors.ts";
import { lastingId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { mayEditContent, mayRestoreRevision, mayUploadFile } from "#src/features/content/access.ts";
import { refreshBeforeAnswer } from "#src/features/content/commands/refresh-computed.ts";
import { computedKinds } from "#src/features/content/commands/computed-kinds.ts";
import { indexRestored } from "#src/features/content/commands/index-texts.ts";
import {
  addFiles,
  changeFiles,
  type NewFile,
  newFile,
  replaceListed,
  requireFiles,
  requireRoomIn,
} from "#src/features/content/commands/files.ts";
import { findFileIn } from "#src/features/content/reads/files.ts";
import { readHead } from "#src/features/content/commands/lock.ts";
import {
  checkExpected,
  checkMessage,
  loadTarget,
  makeRevision,
  type RevisionInput,
} from "#src/features/content/commands/new-revision.ts";
import { readTree, storeContent } from "#src/features/content/commands/write-content.ts";
import { applyEdits, type ContentEdit, writeDocumentsIn } from "#src/features/content/model/apply-edits.ts";
import { Draft } from "#src/features/content/model/draft.ts";
import { IncludesDraft } from "#src/features/content/model/includes.ts";
import { readText } from "#src/features/content/reads/page-texts.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import { rememberTree } from "#src/features/content/reads/trees.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import { checkText, checkWebAddress, oneOf, type Optional } from "#src/domain/input.ts";
import { withoutReverts } from "#src/features/content/commands/revert-pages.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Upload } from "#src/files/upload.ts";

const batchLimit = 1000;

/** Files of one batch that are fetched: these keep its caller waiting. */
const fetchLimit = 20;

type Revised = { revisionId: string };

/**
 * All edits become one revision, or none is applied. NOT_FOUND for objects that edits name, CONFLICT for locked, merged
 * or archived content, a stale `expectedRevisionId` and taken slugs, INVALID_INPUT for bad values.
 */
export async function editContent(
  context: Context,
  input: RevisionInput & { readonly edits: readonly ContentEdit[] },
): Promise<Revised & { deletedFileIds: readonly string[] }> {
  const target = await loadTarget(context, input);
  const message = checkMessage(input.message);
  checkCount(input.edits);
  await requireAllowed(context, mayEditContent, target.space); // checked here as well, before documents are parsed
  const edits = await withoutReverts(context, target.place, input.edits);
  if (edits.length === 0) return { revisionId: target.revisionId, deletedFileIds: [] };
  const deletedFileIds = edits.flatMap(({ deleteFile }) => (deleteFile ? [lastingId("File", deleteFile.fileId)] : []));
  await requireSeenSpecs(context, target.place.organizationId, edits);
  const written = await writeDocumentsIn(edits, (pageId) => textBefore(context, target.revisionId, pageId));
  using created = await receiveFiles(context, edits);
  const edit = () =>
    makeRevision(context, mayEditContent, target, {
      type: "edits",
      expectedRevisionId: input.expectedRevisionId,
      message,
      async build(transaction, head) {
        const tree = await readTree(transaction, head.treeHash);
        const draft = { pages: new Draft(tree, context.clock.now()), includes: new IncludesDraft(head) };
        applyEdits(draft, edits, written);
        const pages = draft.pages.finish();
        const { documents, ...includes } = draft.includes.finish();
        const filesHash = await changeFiles(transaction, context, { ...head, deletedFileIds, files: created.files });
        await requireFiles(transaction, filesHash, coverFilesIn(edits));
        const made = { ...pages, documents: new Map([...pages.documents, ...documents]) };
        const store = () => {
          rememberTree({ hash: head.treeHash, tree }, made); // for the next edit, which may start now
          return storeContent(transaction, made, target.place.spaceId);
        };
        return { ...head, ...includes, treeHash: pages.treeHash, filesHash, store };
      },
      storesLater: deletedFileIds.length + created.files.length === 0, // otherwise the list of files is stored now
    });
  const answer = await answersWith(context, { deletedFileIds }, edit);
  const computed = computedIn(edits).length > 0 ? await refreshBeforeAnswer(context, target.place) : null;
  return { ...answer, revisionId: computed ?? answer.revisionId };
}

function checkCount(edits: readonly ContentEdit[]): void {
  const { length } = edits;
  if (length > batchLimit) throw invalidInput("edits", `must have at most ${batchLimit} entries, and has ${length}.`);
  if (edits.filter(({ createFile }) => createFile?.url != null).length > fetchLimit)
    throw invalidInput("edits", `must create at most ${fetchLimit} files from addresses.`);
}

/** Receives the files of edits; disposing drops those that no revision keeps. INVALID_INPUT for bad names or base64. */
async function receiveFiles(context: Context, edits: readonly ContentEdit[]) {
  const files: NewFile[] = [];
  for (const [index, { createFile }] of edits.entries()) {
    if (!createFile) continue;
    const at = `edits/${index}/createFile`;
    const name = checkFileName(`${at}/name`, createFile.name);
    const [kind, source] = oneOf(at, { base64: createFile.base64, url: createFile.url });
    const bytes = kind === "base64" ? bytesOf(`${at}/base64`, source) : await fetchBytes(context, `${at}/url`, source);
    files.push(await newFile(name, await context.files.receive([bytes], createdFileLimit)));
  }
  return {
    files,
    [Symbol.dispose]() {
      for (const { blob } of files) void blob.drop();
    },
  };
}

const createdFileLimit = 1_000_000;

function bytesOf(path: string, base64: string): Buffer {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== base64.replace(/=+$/, ""))
    throw invalidInput(path, "must be in base64.");
  if (bytes.length > createdFileLimit)
    throw invalidInput(path, `must have at most ${createdFileLimit} bytes, and has ${bytes.length}.`);
  return bytes;
}

async function fetchBytes({ fetch }: Context, path: string, url: string): Promise<Buffer> {
  try {
    const { status, body } = await fetch(checkWebAddress(path, url), { maxBytes: createdFileLimit });
    if (status !== 200) throw invalidInput(path, `the server returned ${status}.`);
    return body;
  } catch (error) {
    if (error instanceof FetchError) throw invalidInput(path, `${error.message}.`);
    throw error;
  }
}

/** The present text of a page; null if it does not have one, or if it is too long to be read with others. */
async function textBefore(context: Context, revisionId: string, pageId: string): Promise<string | null> {
  const revision = await context.reader.row(revisions, revisionId, treeColumn);
  const page = revision && (await pagesOf(context, revision)).byId.get(lastingId("Page", pageId));
  if (!page || page.documentHash === null) return null;
  try {
    return await readText(context, page.documentHash);
  } catch (error) {
    if (error instanceof DomainError && error.code === "INVALID_INPUT") return null;
    throw error;
  }
}

const treeColumn = project(["treeHash"]);

const computedIn = (edits: readonly ContentEdit[]) =>
  edits.flatMap(({ createPage, updatePage }, index) => {
    const computed = createPage?.type === "computed" ? createPage.computed : updatePage?.computed;
    const at = `edits/${index}/${createPage ? "createPage" : "updatePage"}/computed/spec`;
    return computed ? [{ computed, at }] : [];
  });

/** INVALID_INPUT for a source that the viewer does not see: the page would show it to all its readers. */
async function requireSeenSpecs(context: Context, organizationId: string, edits: readonly ContentEdit[]) {
  for (const { computed, at } of computedIn(edits)) {
    const kind = computedKinds.get(computed.type);
    if (!(await kind?.isSeen(context, { organizationId, spec: computed.spec })))
      throw invalidInput(
        at,
        "must be the slug or id of an OpenAPI specification of the organization that is visible to you.",
      );
  }
}

function coverFilesIn(edits: readonly ContentEdit[]): ReadonlySet<string> {
  const covers = edits.map(({ createPage, updatePage }) => (createPage ?? updatePage)?.cover);
  const files = covers.flatMap((cover) => [cover?.fileId, cover?.fileDarkId]).filter((id) => id != null);
  return new Set(files.map((file) => lastingId("File", file)));
}

type RestoreInput = RevisionInput & { readonly revisionId: string };

/** A restored change request is based on the main content of that time: merging it does not undo later updates. */
export async function restoreRevision(context: Context, input: RestoreInput): Promise<Revised> {
  const target = await loadTarget(context, input);
  const message = checkMessage(input.message);
  const projection = project(["spaceId", "treeHash", "filesHash", "variables", "reusableContents"]);
  const revision = await context.reader.found(revisions, input.revisionId, projection);
  const isHere = revision.spaceId === target.place.spaceId;
  const content = found(isHere ? revision : null, "revision");
  return makeRevision(context, mayRestoreRevision, target, {
    type: "edits",
    expectedRevisionId: input.expectedRevisionId,
    message,
    async build(transaction, head) {
      await indexRestored(transaction, target.place.spaceId, { from: head.treeHash, to: content.treeHash });
      return content;
    },
    mergedIn: (transaction) => mainUnder(transaction, target.place.changeRequestId, input.revisionId),
  });
}

/** The main revision on which a change request was based at one of its revisions; undefined if it is the same now. */
async function mainUnder(transaction: Transaction, changeRequestId: string | null, revisionId: string) {
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

/** Control characters, line breaks, path separators, and bidirectional overrides, which can disguise an extension. */
const forbiddenInName = /[\p{Cc}\p{Zl}\p{Zp}/\\\u202a-\u202e\u2066-\u2069]/u;

/** INVALID_INPUT for a name that is empty, too long, or not valid in a path. */
export function checkFileName(path: string, text: string): string {
  const name = checkText(path, text, { min: 1, max: 200 });
  if (forbiddenInName.test(name) || name === "." || name === "..")
    throw invalidInput(path, "must be a name without control characters, / and \\, and not . or ..");
  return name;
}

type UploadInput = RevisionInput & { readonly file: Upload } & Optional<{ name: string }>;

async function prepare(context: Context, input: UploadInput) {
  const target = await loadTarget(context, input);
  const message = checkMessage(input.message);
  await requireAllowed(context, mayUploadFile, target.space); // checked here as well, before images are measured
  return { target, message };
}

/** Throws the errors of {@link uploadFile} that are known before the file arrives. */
export async function checkUpload(context: Context, input: UploadInput): Promise<void> {
  const { target } = await prepare(context, input);
  if (input.name != null) checkFileName("name", input.name);
  checkExpected(input.expectedRevisionId, target.revisionId);
  await requireRoomIn(context, target.revisionId, input.file.leastBytes);
}

/** Stores the bytes with the revision: a rejected upload leaves nothing. CONFLICT as `editContent`, INVALID_INPUT. */
export async function uploadFile(context: Context, input: UploadInput): Promise<Revised & { fileId: string }> {
  const { target, message } = await prepare(context, input);
  const name = checkFileName("name", input.name ?? input.file.name);
  const file = await newFile(name, input.file.blob);
  const answer = { fileId: "" };
  return answersWith(context, answer, () =>
    makeRevision(context, mayUploadFile, target, {
      type: "edits",
      expectedRevisionId: input.expectedRevisionId,
      message,
      async build(transaction, head) {
        const added = await addFiles(transaction, context, { filesHash: head.filesHash, files: [file] });
        answer.fileId = added.files[0]?.fileId ?? "";
        return { ...head, filesHash: added.filesHash };
      },
    }),
  );
}

type ReplaceInput = UploadInput & { readonly fileId: string };

/** Throws the errors of {@link replaceFile} that are known before the file arrives. */
export async function checkReplacement(context: Context, input: ReplaceInput): Promise<void> {
  const { target } = await prepare(context, input);
  if (input.name != null) checkFileName("name", input.name);
  checkExpected(input.expectedRevisionId, target.revisionId);
  await nameOfFile(context, target.revisionId, input.fileId);
}

/** The file has the former name unless another one is given. NOT_FOUND for a file that the content does not have. */
export async function replaceFile(context: Context, input: ReplaceInput): Promise<Revised & { fileId: string }> {
  const { target, message } = await prepare(context, input);
  const fileId = lastingId("File", input.fileId);
  const former = await nameOfFile(context, target.revisionId, input.fileId);
  const name = input.name == null ? former : checkFileName("name", input.name);
  const file = { ...(await newFile(name, input.file.blob)), fileId };
  return answersWith(context, { fileId }, () =>
    makeRevision(context, mayUploadFile, target, {
      type: "edits",
      expectedRevisionId: input.expectedRevisionId,
      message,
      async build(transaction, head) {
        return { ...head, filesHash: await replaceListed(transaction, context, { filesHash: head.filesHash, file }) };
      },
    }),
  );
}

async function nameOfFile(context: Context, revisionId: string, fileId: string): Promise<string> {
  const file = await findFileIn(context, { id: revisionId }, lastingId("File", fileId), project(["name"]));
  return found(file, "file").name;
}
