// What a revision holds, and the hashes of its parts: equal things have equal hashes, so they are stored once and
// compared without looking inside.
import { isDeepStrictEqual } from "node:util";
import type { Instant } from "#src/base/time.ts";
import type { ContentFileModel } from "#src/generated/prisma/models.ts";
import { createHash } from "node:crypto";
import type { PageState } from "#src/features/content/model/page.ts";

export interface ReusableContent {
  readonly title: string;
  /** Null for an empty text. */
  readonly documentHash: string | null;
}

/** What a revision holds: equal hashes, and equal values, are equal content. */
export interface ContentState {
  /** Of the pages (`readTrees`); null for none. */
  readonly treeHash: string | null;
  /** Of the list of files; null for none. */
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

/** The hash of pages side by side, or of a list of files, given theirs; null for none. */
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

/** Sorts the properties of all objects in a value: PostgreSQL keeps them in an order of its own. */
export function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, inner]) => [name, sorted(inner)]),
  );
}
