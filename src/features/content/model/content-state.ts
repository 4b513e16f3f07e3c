// The content of a revision, and the hashes of its parts: equal parts have equal hashes, so they are stored once and
// compared by hash.
import { isDeepStrictEqual } from "node:util";
import type { Instant } from "#src/base/time.ts";
import type { ContentFileModel } from "#src/generated/prisma/models.ts";
import { createHash } from "node:crypto";
import type { PageState } from "#src/features/content/model/page.ts";

export interface ReusableContent {
  readonly title: string;
  /** Null if the text is empty. */
  readonly documentHash: string | null;
}

/** The content of a revision: equal hashes and values mean equal content. */
export interface ContentState {
  /** Of the pages (`readTrees`); null if it has none. */
  readonly treeHash: string | null;
  /** Of the list of files; null if it has none. */
  readonly filesHash: string | null;
  readonly variables: Readonly<Record<string, string>>;
  readonly reusableContents: Readonly<Record<string, ReusableContent>>;
}

export const contentColumns = ["treeHash", "filesHash", "variables", "reusableContents"] as const;

export function isSameContent(one: ContentState, other: ContentState): boolean {
  return (
    one.treeHash === other.treeHash &&
    one.filesHash === other.filesHash &&
    isDeepStrictEqual(one.variables, other.variables) &&
    isDeepStrictEqual(one.reusableContents, other.reusableContents)
  );
}

export interface FileState extends Omit<ContentFileModel, "hash" | "storedAt" | "createdAt" | "oid"> {
  readonly createdAt: Instant;
}

export const hashText = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** The hash of a level of pages, or of a list of files, from their hashes; null if empty. */
export function hashTree(hashes: readonly string[]): string | null {
  return hashes.length === 0 ? null : hashText(JSON.stringify(hashes));
}

export function hashFile(file: FileState): string {
  const { fileId, name, contentType, size, blob, key, width, height, createdAt } = file;
  return hashText(JSON.stringify([fileId, name, contentType, size, blob, key, width, height, createdAt]));
}

export function hashPage(page: PageState, childrenHash: string | null): string {
  const { pageId, type, title, slug, fields, documentHash, createdAt, updatedAt } = page;
  const values = [pageId, type, title, slug, sorted(fields), documentHash, childrenHash, createdAt, updatedAt];
  return hashText(JSON.stringify(values));
}

/** Sorts the properties of all objects in a value: `jsonb` does not preserve their order. */
export function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, inner]) => [name, sorted(inner)]),
  );
}
