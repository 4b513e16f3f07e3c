// The changes between two revisions as one list: pages, then files, reusable contents and variables.
import type { Context } from "#src/domain/context.ts";
import { type AttributeChange, fileAttributes, pageAttributes } from "#src/features/content/model/change-list.ts";
import { kindsOf } from "#src/features/content/model/changes.ts";
import {
  type ContentChanges,
  type PageChangeInRevisions,
  type ReusableContentChange,
  type TextPair,
  textChange,
} from "#src/features/content/reads/changes.ts";
import { allFilesMissingIn, type FileRow } from "#src/features/content/reads/files.ts";
import { readText } from "#src/features/content/reads/page-texts.ts";
import { findPageIn, pageIn, type PageInRevision, type PagesRevision } from "#src/features/content/reads/pages.ts";
import { reusableContentIn, type ReusableContentRow } from "#src/features/content/reads/revisions.ts";

type Kind = "created" | "edited" | "deleted";

/** A change of one type: only the fields of that type are set. */
export interface ListedChange {
  readonly type: `page_${Kind | "moved"}` | `file_${Kind}` | `reusable_content_${Kind}` | "variables_edited";
  readonly page?: PageInRevision | null;
  readonly parent?: ParentChange;
  readonly file?: FileRow;
  readonly reusableContent?: ReusableContentRow | null;
  readonly variables?: readonly AttributeChange[];
  /** Changed attributes besides a text. */
  readonly attributes?: readonly AttributeChange[];
  readonly text?: TextPair | null;
  /** The earlier file, whose download URL differs from that of the file. */
  readonly replaced?: FileRow;
}

/** The parents of a moved page, as keys: they are read only if selected. */
export interface ParentChange {
  readonly before: PageAt | null;
  readonly after: PageAt | null;
  readonly changed: boolean;
}

interface PageAt {
  readonly revision: PagesRevision;
  readonly id: string;
}

export interface ChangeList {
  readonly after: { readonly id: string };
  readonly changes: readonly ListedChange[];
  /** Number of changes beyond the limit. */
  readonly more: number;
}

/** The first changes. Throws INVALID_INPUT if pages, files or changes exceed `rowLimit`. */
export async function listChanges(context: Context, of: ContentChanges, first: number): Promise<ChangeList> {
  const [pages, files] = await Promise.all([of.pages(), fileChanges(context, of)]);
  const variables = of.variables.length > 0 ? [{ type: "variables_edited", variables: of.variables } as const] : [];
  const all = [...pages.flatMap(changesOfPage), ...files, ...of.reusableContents.map(changeOfText), ...variables];
  const changes = all.slice(0, first);
  context.reader.takeRows(changes.length);
  return { after: of.after, changes, more: all.length - changes.length };
}

function changesOfPage(change: PageChangeInRevisions): ListedChange[] {
  const { before, after, between } = change;
  const was = before && between.before && pageIn(between.before, before.page);
  const is = after && pageIn(between.after, after.page);
  const text = textChange(before?.page, after?.page, change);
  return kindsOf(change).map((kind): ListedChange => {
    const type = `page_${kind}` as const;
    if (kind === "moved") return { type, page: is, parent: parentsOf(change) };
    return kind === "edited" ? { type, page: is, attributes: pageAttributes(change), text } : { type, page: is ?? was };
  });
}

function parentsOf({ before, after, between, move }: PageChangeInRevisions): ParentChange {
  const at = (revision: PagesRevision | null, id: string | null | undefined) =>
    revision && id != null ? { revision, id } : null;
  return {
    before: at(between.before, before?.page.parentId),
    after: at(between.after, after?.page.parentId),
    changed: move === "parent",
  };
}

/** A page by its key; null for the top level. */
export const findParent = async (context: Context, at: PageAt | null): Promise<PageInRevision | null> =>
  at && findPageIn(context, at.revision, { id: at.id });

function changeOfText(change: ReusableContentChange): ListedChange {
  const { before, after, reusableContentId: id, between } = change;
  if (!after)
    return {
      type: "reusable_content_deleted",
      reusableContent: before && between.before && reusableContentIn(between.before, id, before),
    };
  const reusableContent = reusableContentIn(between.after, id, after);
  if (!before) return { type: "reusable_content_created", reusableContent };
  const title = { name: "title", before: before.title, after: after.title };
  const attributes = before.title === after.title ? [] : [title];
  return { type: "reusable_content_edited", reusableContent, attributes, text: textChange(before, after, change) };
}

/** Replaced files are edited: they are in both revisions, with other bytes. */
async function fileChanges(context: Context, { before, after }: ContentChanges): Promise<ListedChange[]> {
  const [fresh, old] = await Promise.all([
    allFilesMissingIn(context, before, after),
    allFilesMissingIn(context, after, before),
  ]);
  const replaced = new Map(old.map((file) => [file.fileId, file]));
  const present = fresh.map((file): ListedChange => {
    const was = replaced.get(file.fileId);
    replaced.delete(file.fileId);
    if (!was) return { type: "file_created", file };
    return { type: "file_edited", file, attributes: fileAttributes(was, file), replaced: was };
  });
  return [...present, ...[...replaced.values()].map((file) => ({ type: "file_deleted", file }) as const)];
}

/** The changed attributes with the texts, as Markdown. */
export async function attributesOf(context: Context, change: ListedChange): Promise<AttributeChange[] | null> {
  const { attributes, text } = change;
  if (!attributes) return null;
  if (!text) return [...attributes];
  const [before, after] = await Promise.all([text.before, text.after].map((hash) => readText(context, hash)));
  for (const side of [before, after]) context.reader.handOut(side ?? null);
  return [...attributes, { name: "document", before, after }];
}
