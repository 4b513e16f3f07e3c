// Applying a batch of edits to a draft, one after the other, each on what those before it made.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { ifGiven } from "#src/domain/input.ts";
import type { Draft, PagePosition } from "#src/features/content/commands/draft.ts";
import { mergeFields, type PageInput, readPageInput } from "#src/features/content/commands/page-input.ts";
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
}

/**
 * Applies the edits, all or none. Throws what the draft throws, INVALID_INPUT for bad values with the place of the edit, and CONFLICT for a page
 * that is created with the id of one that is there.
 */
export function applyEdits(draft: Draft, edits: readonly ContentEdit[]): void {
  for (const [index, { createPage, updatePage, movePage, deletePage }] of edits.entries()) {
    if (createPage) create(draft, `edits/${index}/createPage`, createPage);
    if (updatePage) update(draft, `edits/${index}/updatePage`, updatePage);
    if (movePage) draft.move(movePage.pageId, { ...asMoved(movePage), position: movePage.position ?? {} });
    if (deletePage) draft.delete(deletePage.pageId);
  }
}

function create(draft: Draft, at: string, edit: CreatePage): void {
  const type = edit.type ?? "document";
  const { title = "", slug, text, fields = {} } = readPageInput(at, edit, type);
  if (type === "link" && edit.target == null)
    throw invalidInput(`${at}/target`, "must be given: a link leads somewhere.");
  const pageId = ifGiven(`${at}/pageId`, edit.pageId, (id) => {
    if (!isIdOf("Page", id)) throw invalidInput(`${at}/pageId`, "must have the form of the id of a page.");
    if (draft.has(id)) throw new DomainError("CONFLICT", "There is a page with this id already.");
    return id;
  });
  draft.create(
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

function update(draft: Draft, at: string, edit: UpdatePage): void {
  const page = draft.find(edit.pageId);
  const { fields, ...changes } = readPageInput(at, edit, page.type);
  draft.update(edit.pageId, { ...changes, ...(fields && { fields: mergeFields(page.fields, fields) }) });
}

const asMoved = ({ parentId }: MovePage) => (parentId === undefined ? {} : { parentId });
