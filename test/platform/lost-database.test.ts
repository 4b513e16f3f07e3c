// A data folder that has lost its database never silently gets a new one, and a start refused because of its folders
// says so in one sentence.
import { access, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { explain } from "#src/server/process/start-errors.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { makeDataFolder } from "#test/support/docgraph-process.ts";
import { testFolder } from "#test/support/test-files.ts";

test("a missing database is not created again until its marker file is removed", async () => {
  const folder = await makeDataFolder();
  const dataDir = folder.env.DATA_DIR;
  const start = () => startEmbeddedPostgres({ dataDir, durable: false });
  const first = await start();
  await first.stop();
  const data = join(first.dataDir, "data");
  const away = join(dirname(data), "away");
  try {
    await rename(data, away);
    const refused: unknown = await start().catch((error: unknown) => error);
    expect(explain(refused)).toContain(`was in ${data}, but ${data} does not contain it; restore it from a backup`);
    await expect(access(data)).rejects.toThrow("ENOENT");

    await writeFile(join(dataDir, "postgres.location"), `${away}\n`); // as in a copied folder
    expect(explain(await start().catch((error: unknown) => error))).toContain(`cp -a ${away} ${data}`);

    await rename(away, data);
    const again = await start();
    await again.stop();
    expect(again.isNew).toBe(false);

    await rename(data, away);
    await rm(join(dataDir, "postgres.location"));
    const anew = await start();
    await anew.stop();
    expect(anew.isNew).toBe(true);
  } finally {
    await folder.remove(first.dataDir);
  }
});

test("an unwritable files folder is reported in a clear message", async () => {
  const folder = testFolder();
  try {
    await mkdir(folder.path, { recursive: true });
    const file = join(folder.path, "file");
    await writeFile(file, "");
    const error: unknown = await new FolderStore(join(file, "files")).tidy().catch((cause: unknown) => cause);
    expect(explain(error)).toMatch(/file.* cannot be used \(ENOTDIR\); allow the user .* FILES_DIR/);
    expect(explain(error)).not.toContain("\n");
  } finally {
    await folder.remove();
  }
});
