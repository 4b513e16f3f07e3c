// Opens the file storage of the settings. The S3 client is only loaded for a bucket.
import type { Config } from "#src/config/config.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { FolderStore } from "#src/files/folder-store.ts";

/** The store of the settings; not connected yet. */
export async function openFileStore({ filesDir, s3 }: Pick<Config, "filesDir" | "s3">): Promise<FileStore> {
  if (!s3) return new FolderStore(filesDir);
  const { S3Store } = await import("#src/files/s3-store.ts");
  return new S3Store({ ...s3, spoolFolder: `${filesDir}/incoming` });
}
