// A file: the parts that its hash is made from, and its address.
import type { Instant } from "#src/base/time.ts";
import type { ContentFileModel } from "#src/generated/prisma/models.ts";

export interface FileState extends Omit<ContentFileModel, "hash" | "storedAt" | "createdAt" | "oid"> {
  readonly createdAt: Instant;
}

/** The address of a file: its key is as good as a token for it, and for nothing else. */
export function downloadPath({ fileId, key, name }: Pick<FileState, "fileId" | "key" | "name">): string {
  return `/files/${fileId}/${key}/${encodeURIComponent(name)}`;
}
