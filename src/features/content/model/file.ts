// A file: the parts that its hash is made from.
import type { Instant } from "#src/base/time.ts";
import type { ContentFileModel } from "#src/generated/prisma/models.ts";

export interface FileState extends Omit<ContentFileModel, "hash" | "storedAt" | "createdAt" | "oid"> {
  readonly createdAt: Instant;
}
