// The demo of an embedded database: seeded once, its token kept beside the data so that later starts can show it.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "#src/db/database.ts";
import { seedDemo } from "#src/demo/seed.ts";

/** Seeds a database that has no users yet, which also covers a first start that was killed halfway. Answers the demo token, if it is known. */
export async function prepareDemo(database: Database, dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, "demo-token");
  if ((await database.prisma.user.count()) > 0) {
    return readFile(file, "utf8").then(
      (text) => text.trim(),
      () => undefined,
    );
  }
  const { token } = await seedDemo(database);
  await writeFile(`${file}.new`, `${token}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return token;
}
