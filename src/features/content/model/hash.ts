// Hashes of content: equal things have equal hashes, so they are stored once and compared without looking inside.
import { createHash } from "node:crypto";
import type { FileState } from "#src/features/content/model/file.ts";
import type { PageState } from "#src/features/content/model/page.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");

export const hashText = sha256;

/** The hash of pages side by side, or of a list of files, given theirs; null for none. */
export function hashTree(hashes: readonly string[]): string | null {
  return hashes.length === 0 ? null : sha256(JSON.stringify(hashes));
}

/** The hash of a file. */
export function hashFile(file: FileState): string {
  const { fileId, name, contentType, size, blob, key, width, height, createdAt } = file;
  return sha256(JSON.stringify([fileId, name, contentType, size, blob, key, width, height, createdAt]));
}

/** The hash of a page with everything below it. */
export function hashPage(page: PageState, childrenHash: string | null): string {
  const { pageId, type, title, slug, fields, documentHash, createdAt, updatedAt } = page;
  return sha256(
    JSON.stringify([pageId, type, title, slug, sorted(fields), documentHash, childrenHash, createdAt, updatedAt]),
  );
}

/** The value with the properties of all objects in it sorted by name: PostgreSQL keeps them in an order of its own. */
export function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, inner]) => [name, sorted(inner)]),
  );
}
