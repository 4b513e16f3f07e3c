// Reading some blobs of the file storage again, to hear of damage before somebody needs them or a backup finds it.
import { createHash } from "node:crypto";
import type { Database } from "#src/db/connection/database.ts";
import { usedBlobsAfter } from "#src/features/content/commands/stored.ts";
import type { FileStore } from "#src/files/file-store.ts";

/** What blobs turned out to be. */
export type BlobState = "ok" | "missing" | "damaged";

/** How many blobs this process has found in each state, since it started. */
export const verifiedBlobs: Record<BlobState, number> = { ok: 0, missing: 0, damaged: 0 };

/** What one run reads at most: so many blobs, and none after so many bytes. */
const limits = { blobs: 500, bytes: 1_000_000_000 } as const;

/**
 * Compares blobs that the database names with their hashes: those behind the hash `from`, and after the last one those
 * from the beginning. Answers the ones that are not as they should be.
 */
export async function verifyBlobs(
  { database, files }: { database: Database; files: Pick<FileStore, "open"> },
  from: string,
  { blobs, bytes }: { readonly blobs: number; readonly bytes: number } = limits,
): Promise<Record<Exclude<BlobState, "ok">, string[]>> {
  const behind = await database.query<{ hash: string }>(usedBlobsAfter(from, blobs));
  const before = await database.query<{ hash: string }>(usedBlobsAfter("", blobs - behind.length));
  const found = { missing: [] as string[], damaged: [] as string[] };
  let read = 0;
  for (const hash of new Set([...behind, ...before].map((row) => row.hash))) {
    if (read >= bytes) break;
    const stream = await files.open(hash);
    const sum = createHash("sha256");
    for await (const chunk of (stream ?? []) as AsyncIterable<Buffer>) {
      sum.update(chunk);
      read += chunk.length;
    }
    const state = stream === null ? "missing" : sum.digest("hex") === hash ? "ok" : "damaged";
    verifiedBlobs[state]++;
    if (state !== "ok") found[state].push(hash);
  }
  return found;
}
