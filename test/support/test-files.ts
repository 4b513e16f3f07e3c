// A folder for the files of one test file: created when needed, and deleted at the end.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TestFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** The path of a folder that does not exist yet. */
export function testFolder(): TestFolder {
  const path = join(tmpdir(), `docgraph-files-${randomUUID()}`);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
