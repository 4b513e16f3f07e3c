// Garbage collection in tests: advancing the age of stored rows, and checking for present and missing rows.
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { collectBlobs, collectContent } from "#src/features/content/commands/collect-garbage.ts";
import { tryLockBlob } from "#src/features/content/commands/blobs.ts";
import type { TestApp } from "#test/support/app.ts";

const tables = ["ContentPage", "ContentTree", "ContentDocument", "ContentFileList", "ContentFile"] as const;

type Stores = Pick<TestApp, "database" | "files" | "filesFolder">;

/** Ages all committed rows by two days; a transaction under way then does not see itself as two days old. */
export async function passTwoDays({ database, files, filesFolder }: Stores): Promise<void> {
  for (const table of tables)
    await database.pool.query(`update "${table}" set "storedAt" = "storedAt" - interval '2 days' where hash in
      (select hash from "${table}" order by hash for update)`);
  const before = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  for await (const { hash } of files.list())
    await database.prisma.$transaction(async (transaction) => {
      // Skips rows that a transaction under way relies on.
      if ((await tryLockBlob(transaction, hash)) && (await files.find(hash)))
        await utimes(join(filesFolder, hash.slice(0, 2), hash.slice(2, 4), hash), before, before);
    });
}

/** Runs the nightly job. */
export async function collect({ database, files }: Stores): Promise<void> {
  await collectContent(database);
  await collectBlobs(database, files, { now: () => new Date() });
}

/** The numbers of rows of content, and of blobs. */
export async function contentCounts({ database, files }: Stores): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from "${table}"`);
    counts[table] = rows[0]?.count ?? 0;
  }
  counts["blobs"] = 0;
  for await (const _ of files.list()) counts["blobs"]++;
  return counts;
}

/** Objects that a revision refers to in any way and that are missing. */
export async function missing({ database, files }: Stores): Promise<string[]> {
  const { rows } = await database.pool.query<{ lost: string }>(`
    with recursive trees(hash) as (
        select "treeHash" from "Revision" where "treeHash" is not null
        union select p."childrenHash" from trees join "ContentTree" t using (hash) cross join unnest(t.pages) u(hash)
          join "ContentPage" p on p.hash = u.hash where p."childrenHash" is not null),
      pages as (select u.hash from trees join "ContentTree" t using (hash) cross join unnest(t.pages) u(hash)),
      documents as (select p."documentHash" as hash from pages join "ContentPage" p using (hash)
        union select c.value->>'documentHash' from "Revision" r cross join jsonb_each(r."reusableContents") c),
      lists as (select "filesHash" as hash from "Revision" where "filesHash" is not null),
      files as (select u.hash from lists join "ContentFileList" l using (hash) cross join unnest(l.files) u(hash))
    select 'tree ' || hash as lost from trees where hash not in (select hash from "ContentTree")
    union all select 'page ' || hash from pages where hash not in (select hash from "ContentPage")
    union all select 'document ' || hash from documents where hash not in (select hash from "ContentDocument")
    union all select 'list ' || hash from lists where hash not in (select hash from "ContentFileList")
    union all select 'file ' || hash from files where hash not in (select hash from "ContentFile")`);
  const lost = rows.map((row) => row.lost);
  for (const { blob } of await database.prisma.contentFile.findMany({ select: { blob: true } }))
    if (!(await files.find(blob))) lost.push(`blob ${blob}`);
  return lost;
}
