// The garbage collector: removes content that no revision references after its spaces were purged, the bytes of such
// files, and unused indexes of texts.
//
// Writers rely on existing rows: content is stored by its hash, and existing content is not stored again. The collector
// does not remove these rows, and takes no lock for which writers would have to wait:
//
// 1. A writer that stores existing content updates its `storedAt` (`orMarkStored`), which locks the row until its
//    transaction ends.
// 2. All other content that it references comes from a revision that it sees, which references it, too.
// 3. In one snapshot, the collector finds rows that no revision references and that were not stored within a day. Rows
//    that are referenced later were stored again (1), or are referenced by a revision of the snapshot (2), or by a
//    revision written since, to which the same applies.
// 4. It deletes in small transactions, only rows that are not locked and still older than a day.
//
// A day is longer than any transaction, by the clock of the database. Foreign keys reject any remaining mistake.
// Writers of files lock the blob from storing its bytes until their row is committed (`lockBlobs`).
import type { PoolClient } from "pg";
import type { Clock } from "#src/base/time.ts";
import { type Database, identifier, rawSql, type Sql, sql, type Statement } from "#src/db/connection/database.ts";
import { isBlobUsed, tryLockBlob } from "#src/features/content/commands/blobs.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Transaction } from "#src/domain/change.ts";
import { draftTexts, indexingLock, removeIndex } from "#src/features/content/commands/index-texts.ts";
import { indexKinds, kindsAsRows } from "#src/features/content/commands/index-kinds.ts";
import type { Query } from "#src/features/content/reads/trees.ts";

const batchSize = 1000;

/** The tables, each before those that it references. */
const tables = ["ContentPage", "ContentTree", "ContentDocument", "ContentFileList", "ContentFile"] as const;
type Table = (typeof tables)[number];

/** Timeout of a statement, in milliseconds: it scans whole tables. */
const limitMs = 10 * 60_000;

/** A statement with this timeout in `pg`, whose types lack the option. */
const withTimeout = ({ text, values }: Statement) => ({ text, values, query_timeout: limitMs });

/** Without parameters: they are parts of statements that cannot have any. */
const isYoung = sql`"storedAt" >= now() - interval '1 day'`;
const isOld = sql`"storedAt" < now() - interval '1 day'`;

/** The referenced trees. Young rows count as referenced, with everything below them. */
const findKeptTrees = sql`create temporary table kept_tree as with recursive kept(hash) as (
    select hash from (
      select "treeHash" from "Revision"
      union all select hash from "ContentTree" where ${isYoung}
      union all select "childrenHash" from "ContentPage" where ${isYoung}) roots(hash) where hash is not null
    union
    select p."childrenHash" from kept join "ContentTree" t on t.hash = kept.hash cross join unnest(t.pages) u(hash)
      join "ContentPage" p on p.hash = u.hash where p."childrenHash" is not null)
  select hash from kept`;

function findUnreachable(table: Table, kept: Sql): Sql {
  return sql`insert into unreachable select ${rawSql(`'${table}'`)}, t.hash
    from (select hash from ${identifier(table)} where ${isOld} except ${kept}) t`;
}

const stays = (table: Table): Sql =>
  sql`not exists (select from unreachable g where g.kind = ${rawSql(`'${table}'`)} and g.hash = t.hash)`;

/** In order: each depends on the ones before it. */
const findings: readonly Sql[] = [
  findKeptTrees,
  sql`create temporary table unreachable (kind text, hash text collate "C", primary key (kind, hash))`,
  findUnreachable(
    "ContentPage",
    sql`select u.hash from kept_tree k join "ContentTree" t on t.hash = k.hash cross join unnest(t.pages) u(hash)`,
  ),
  findUnreachable("ContentTree", sql`select hash from kept_tree`),
  findUnreachable(
    "ContentDocument",
    sql`(select t."documentHash" from "ContentPage" t where ${stays("ContentPage")}
      union all select c.value->>'documentHash' from "Revision" r cross join jsonb_each(r."reusableContents") c)`,
  ),
  findUnreachable("ContentFileList", sql`select "filesHash" from "Revision"`),
  findUnreachable(
    "ContentFile",
    sql`select unnest(t.files) from "ContentFileList" t where ${stays("ContentFileList")}`,
  ),
];

type Removed = { last: string | null; removed: number };

/** Removes a batch of found rows of a table after `after`. Returns the last hash (null at the end) and the count. */
async function removeSome(client: PoolClient, table: Table, after: string): Promise<Removed> {
  const rows = identifier(table);
  const statement = sql`
    with batch as (select hash from unreachable where kind = ${table} and hash > ${after} order by hash limit ${batchSize}::int),
      free as (select t.hash from ${rows} t where t.hash in (select hash from batch) and ${isOld} for update skip locked),
      removed as (delete from ${rows} t using free where t.hash = free.hash returning t.hash)
    select (select max(hash) from batch) as last, (select count(*) from removed)::int as removed`;
  const result = await client.query<Removed>(withTimeout(statement));
  return result.rows[0] ?? { last: null, removed: 0 };
}

/** Removes content older than a day that no revision references, concurrently with writers. Returns the count. */
export async function collectContent(database: Database): Promise<number> {
  const client = await database.pool.connect();
  try {
    await client.query(`set statement_timeout = ${limitMs}`);
    // Temporary tables give it a transaction id, but it does not take the lock of event writers: it delays no events.
    await client.query("begin isolation level repeatable read");
    for (const finding of findings) await client.query(withTimeout(finding));
    await client.query("commit");
    let total = 0;
    for (const table of tables) {
      for (let after: string | null = ""; after !== null;) {
        const { last, removed } = await removeSome(client, table, after);
        total += removed;
        after = last;
      }
    }
    return total;
  } finally {
    client.release(true); // closes the connection, and so drops its temporary tables and settings
  }
}

const dayMs = 24 * 60 * 60 * 1000;

const blobBatch = 500;

/** Removes unreferenced blobs that were not stored within a day. Returns the count. */
export async function collectBlobs(
  database: Database,
  files: Pick<FileStore, "list" | "find" | "delete">,
  clock: Clock,
): Promise<number> {
  const isOldEnough = ({ keptAt }: { keptAt: Date }) => keptAt.getTime() < clock.now().getTime() - dayMs;
  let removed = 0;
  const collect = async (hashes: string[]): Promise<void> => {
    for (const hash of await unusedOf(hashes, (statement) => database.query(statement))) {
      removed += await database.prisma.$transaction(async (transaction) => {
        if (!(await tryLockBlob(transaction, hash))) return 0;
        const blob = await files.find(hash);
        const [free] = await unusedOf([hash], (statement) => transaction.$queryRaw(statement));
        if (!blob || !isOldEnough(blob) || free === undefined) return 0;
        await files.delete(hash);
        return 1;
      });
    }
  };
  let hashes: string[] = [];
  for await (const blob of files.list()) {
    if (isOldEnough(blob)) hashes.push(blob.hash);
    if (hashes.length < blobBatch) continue;
    await collect(hashes);
    hashes = [];
  }
  await collect(hashes);
  return removed;
}

async function unusedOf(hashes: readonly string[], query: Query): Promise<string[]> {
  const unused = sql`select u.hash from unnest(${hashes}::text[]) u(hash) where not ${isBlobUsed(sql`u.hash`)}`;
  return (await query<{ hash: string }>(unused)).map(({ hash }) => hash);
}

interface Indexed {
  readonly hash: string;
  readonly kind: string;
  readonly variant: string;
}

/** Removes indexes of texts that no current page or open draft uses; they are recreated on use. Returns the count. */
export async function collectIndexes(database: Database): Promise<number> {
  const drafts = await database.query<{ hash: string }>(sql`select distinct d.hash from (${draftTexts(sql`true`)}) d`);
  const inDrafts = drafts.map(({ hash }) => hash);
  let removed = 0;
  for (let after: Indexed | null = { hash: "", kind: "", variant: "" }; after !== null;) {
    const from: Indexed = after;
    const done = await database.prisma.$transaction((transaction) => dropSome(transaction, from, inDrafts));
    after = done.after;
    removed += done.removed;
  }
  return removed;
}

async function dropSome(transaction: Transaction, after: Indexed, inDrafts: readonly string[]) {
  await transaction.$queryRaw(indexingLock);
  const rows = await transaction.$queryRaw<(Indexed & { isUsed: boolean })[]>(
    sql`select t.hash, t.kind, t.variant, d."storedAt" > now() - interval '1 day' or t.hash = any(${inDrafts}::text[])
        or exists (select from "PresentPage" p join "Space" s on s.id = p."spaceId" cross join lateral ${kindsAsRows()}
          where p.hash = t.hash and k.kind = t.kind and k.variant = t.variant) as "isUsed"
      from "DerivedText" t join "ContentDocument" d on d.hash = t.hash
      where (t.hash, t.kind, t.variant) > (${after.hash}, ${after.kind}, ${after.variant})
      order by t.hash, t.kind, t.variant limit ${batchSize}::int`,
  );
  const unused = rows.filter(({ isUsed }) => !isUsed);
  let removed = 0;
  for (const kind of indexKinds.values()) {
    const some = unused.filter((one) => one.kind === kind.name);
    await removeIndex(transaction, kind, some);
    removed += some.length;
  }
  return { after: rows.length < batchSize ? null : (rows.at(-1) ?? null), removed };
}
