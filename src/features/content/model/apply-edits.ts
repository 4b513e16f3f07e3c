// Applies a batch of edits to a draft in order: each edit sees the results of those before it.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { writeDocuments } from "#src/documents/convert.ts";
import { given, ifGiven, type Optional } from "#src/domain/input.ts";
import type { Draft, PagePosition } from "#src/features/content/model/draft.ts";
import type {
  CreateReusableContent,
  IncludesDraft,
  SetVariables,
  UpdateReusableContent,
} from "#src/features/content/model/includes.ts";
import {
  mergeFields,
  type PageInput,
  readPageInput,
  type WrittenDocuments,
} from "#src/features/content/model/checks.ts";
import type { PageType } from "#src/generated/prisma/enums.ts";

interface Place {
  readonly parentId: string;
  readonly place: Optional<{ beforePageId: string; afterPageId: string; index: number }>;
}

type CreatePage = PageInput & Optional<Place & { pageId: string; type: PageType }> & { readonly title: string };
type UpdatePage = PageInput & { readonly pageId: string };
type MovePage = Optional<Place> & { readonly pageId: string };

export type RevertPage = { readonly pageId: string } & Optional<{ revisionId: string }>;

export type ContentEdit = Optional<{
  /** The client chooses the id if a later edit of the batch references the page. */
  createPage: CreatePage;
  updatePage: UpdatePage;
  movePage: MovePage;
  deletePage: { readonly pageId: string };
  /** An update by what the page was; commands replace it by one. */
  revertPage: RevertPage;
  setVariables: SetVariables;
  createReusableContent: CreateReusableContent;
  updateReusableContent: UpdateReusableContent;
  deleteReusableContent: { readonly reusableContentId: string };
  createFile: { readonly name: string } & Optional<{ base64: string; url: string }>;
  deleteFile: { readonly fileId: string };
}>;

export interface ContentDraft {
  readonly pages: Draft;
  readonly includes: IncludesDraft;
}

/**
 * The Markdown of all documents in the edits; blocks that a page has keep their bytes. `textOf` reads the text of a
 * page, null if it does not have one. INVALID_INPUT with a JSON pointer for a malformed document.
 */
export async function writeDocumentsIn(
  edits: readonly ContentEdit[],
  textOf: (pageId: string) => Promise<string | null>,
): Promise<WrittenDocuments> {
  const given = edits.flatMap((edit, index) =>
    (["createPage", "updatePage"] as const).flatMap((name) => {
      const document = edit[name]?.document;
      const pageId = name === "updatePage" ? edit.updatePage?.pageId : undefined;
      return document ? [{ document, path: `edits/${index}/${name}/document`, pageId }] : [];
    }),
  );
  const placed = await Promise.all(
    given.map(async ({ pageId, ...one }) => ({ ...one, base: pageId === undefined ? null : await textOf(pageId) })),
  );
  const written = await writeDocuments(placed);
  return new Map(placed.map(({ document }, index) => [document, written[index] ?? ""]));
}

/** Throws like the drafts, INVALID_INPUT with the path of the edit, CONFLICT for a new page with an existing id. */
export function applyEdits(draft: ContentDraft, edits: readonly ContentEdit[], written: WrittenDocuments): void {
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
  if (movePage)
    pages.move(movePage.pageId, { parentId: movePage.parentId, position: positionIn(`${at}/movePage`, movePage) });
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
    throw invalidInput(`${at}/target`, "is required for a page of the type link.");
  if (type === "computed" && edit.computed == null)
    throw invalidInput(`${at}/computed`, "is required for a page of the type computed.");
  const pageId = ifGiven(`${at}/pageId`, edit.pageId, (id) => checkNewId(pages, `${at}/pageId`, id));
  pages.create(
    { type, title, fields: mergeFields({}, fields), ...given({ pageId, slug, text }) },
    { parentId: edit.parentId ?? null, position: positionIn(at, edit) },
  );
}

function checkNewId(pages: Draft, path: string, id: string): string {
  if (!isIdOf("Page", id)) throw invalidInput(path, "must have the format of a page id.");
  if (pages.has(id)) throw new DomainError("CONFLICT", "A page with this id already exists. Choose another id.");
  return id;
}

function update({ pages, written }: PagesDraft, at: string, edit: UpdatePage): void {
  const page = pages.find(edit.pageId);
  const { fields, ...changes } = readPageInput(at, edit, page.type, written);
  pages.update(edit.pageId, { ...changes, ...(fields && { fields: mergeFields(page.fields, fields) }) });
}

function positionIn(at: string, { place }: Optional<Place>): PagePosition {
  const { beforePageId: before, afterPageId: after, index } = place ?? {};
  if (index != null && index < 0) throw invalidInput(`${at}/place/index`, "must not be negative.");
  return { before, after, index };
}
