// Applying a batch of edits to the draft of a content, one after the other, each on what those before it made.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { writeDocuments } from "#src/base/rich-document/write-documents.ts";
import { ifGiven } from "#src/domain/input.ts";
import type { Draft, PagePosition } from "#src/features/content/commands/draft.ts";
import type {
  CreateReusableContent,
  IncludesDraft,
  SetVariables,
  UpdateReusableContent,
} from "#src/features/content/commands/includes.ts";
import {
  mergeFields,
  type PageInput,
  readPageInput,
  type WrittenDocuments,
} from "#src/features/content/commands/page-input.ts";
import type { PageType } from "#src/generated/prisma/enums.ts";

export interface CreatePage extends PageInput {
  /** Chosen by the client where a later edit of the batch is to name the page. */
  readonly pageId?: string | null | undefined;
  readonly type?: PageType | null | undefined;
  readonly title: string;
  readonly parentId?: string | null | undefined;
  readonly position?: PagePosition | null | undefined;
}

export interface UpdatePage extends PageInput {
  readonly pageId: string;
}

export interface MovePage {
  readonly pageId: string;
  readonly parentId?: string | null | undefined;
  readonly position?: PagePosition | null | undefined;
}

/** One edit: exactly one of these. */
export interface ContentEdit {
  readonly createPage?: CreatePage | null | undefined;
  readonly updatePage?: UpdatePage | null | undefined;
  readonly movePage?: MovePage | null | undefined;
  readonly deletePage?: { readonly pageId: string } | null | undefined;
  readonly setVariables?: SetVariables | null | undefined;
  readonly createReusableContent?: CreateReusableContent | null | undefined;
  readonly updateReusableContent?: UpdateReusableContent | null | undefined;
  readonly deleteReusableContent?: { readonly reusableContentId: string } | null | undefined;
  readonly deleteFile?: { readonly fileId: string } | null | undefined;
}

/** A content while it is edited. */
export interface ContentDraft {
  readonly pages: Draft;
  readonly includes: IncludesDraft;
}

/** The Markdown of all documents in the edits. INVALID_INPUT with a JSON pointer for one that is not of the form. */
export async function writeDocumentsIn(edits: readonly ContentEdit[]): Promise<WrittenDocuments> {
  const placed = edits.flatMap((edit, index) =>
    (["createPage", "updatePage"] as const).flatMap((name) => {
      const document = edit[name]?.document;
      return document ? [{ document, path: `edits/${index}/${name}/document` }] : [];
    }),
  );
  const written = await writeDocuments(placed);
  return new Map(placed.map(({ document }, index) => [document, written[index] ?? ""]));
}

/**
 * Applies the edits, all or none; `written` holds what {@link writeDocumentsIn} made of the documents in them. Throws what the drafts throw,
 * INVALID_INPUT for bad values with the place of the edit, and CONFLICT for a page that is created with the id of one that is there.
 */
export function applyEdits(
  draft: ContentDraft,
  edits: readonly ContentEdit[],
  written: WrittenDocuments = new Map(),
): void {
  for (const [index, edit] of edits.entries()) {
    applyToPages({ pages: draft.pages, written }, `edits/${index}`, edit);
    applyToIncludes(draft.includes, `edits/${index}`, edit);
  }
}

interface PagesDraft {
  readonly pages: Draft;
  readonly written: WrittenDocuments;
}

function applyToPages(draft: PagesDraft, at: string, edit: ContentEdit): void {
  const { createPage, updatePage, movePage, deletePage } = edit;
  const { pages } = draft;
  if (createPage) create(draft, `${at}/createPage`, createPage);
  if (updatePage) update(draft, `${at}/updatePage`, updatePage);
  if (movePage) pages.move(movePage.pageId, { ...asMoved(movePage), position: movePage.position ?? {} });
  if (deletePage) pages.delete(deletePage.pageId);
}

function applyToIncludes(includes: IncludesDraft, at: string, edit: ContentEdit): void {
  const { setVariables, createReusableContent, updateReusableContent, deleteReusableContent } = edit;
  if (setVariables) includes.setVariables(`${at}/setVariables`, setVariables);
  if (createReusableContent) includes.createContent(`${at}/createReusableContent`, createReusableContent);
  if (updateReusableContent) includes.updateContent(`${at}/updateReusableContent`, updateReusableContent);
  if (deleteReusableContent) includes.deleteContent(deleteReusableContent.reusableContentId);
}

function create({ pages, written }: PagesDraft, at: string, edit: CreatePage): void {
  const type = edit.type ?? "document";
  const { title = "", slug, text, fields = {} } = readPageInput(at, edit, type, written);
  if (type === "link" && edit.target == null)
    throw invalidInput(`${at}/target`, "must be given: a link leads somewhere.");
  if (type === "computed" && edit.computed == null)
    throw invalidInput(`${at}/computed`, "must be given: a computed page is made from something.");
  const pageId = ifGiven(`${at}/pageId`, edit.pageId, (id) => {
    if (!isIdOf("Page", id)) throw invalidInput(`${at}/pageId`, "must have the form of the id of a page.");
    if (pages.has(id)) throw new DomainError("CONFLICT", "There is a page with this id already.");
    return id;
  });
  pages.create(
    {
      type,
      title,
      fields: mergeFields({}, fields),
      ...(pageId !== undefined && { pageId }),
      ...(slug !== undefined && { slug }),
      ...(text !== undefined && { text }),
    },
    { parentId: edit.parentId ?? null, position: edit.position ?? {} },
  );
}

function update({ pages, written }: PagesDraft, at: string, edit: UpdatePage): void {
  const page = pages.find(edit.pageId);
  const { fields, ...changes } = readPageInput(at, edit, page.type, written);
  pages.update(edit.pageId, { ...changes, ...(fields && { fields: mergeFields(page.fields, fields) }) });
}

const asMoved = ({ parentId }: MovePage) => (parentId === undefined ? {} : { parentId });
