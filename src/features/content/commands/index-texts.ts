// The indexer of texts, with the kinds of index-kinds.ts. It indexes texts in the transaction that stores them, and the
// rest afterwards: if they exceed a limit, or a process was terminated.
import { setImmediate as turn } from "node:timers/promises";
import { DomainError } from "#src/base/errors.ts";
import { readAhead, sectionsOf } from "#src/documents/convert.ts";
import { type Database, emptySql, identifier, joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { type IndexKind, indexKinds, kindsAsRows } from "#src/features/content/commands/index-kinds.ts";

/** Limits of texts, and of their total bytes, that a writer indexes in its transaction, which blocks other writers. */
const writerLimits = { texts: 20, bytes: 256 * 1024 } as const;

/** Limits of a batch in the background: texts, counted per kind and variant, and their total bytes. */
const batchLimits = { texts: 250, bytes: 2 * 1024 * 1024 } as const;

/** How many texts, counted per kind and variant, one statement finds: it looks at all texts, however few it finds. */
const mostFound = 20_000;

/** A text that a kind has not indexed in a variant. */
interface Missing {
  readonly hash: string;
  readonly kind: string;
  readonly variant: string;
  readonly size: number;
}

/** The kinds and variants in which texts are not indexed. `offset 0` forces a lookup per text: there are few. */
const missingIn = (texts: Sql): Sql => sql`(${texts}) x("spaceId", hash)
      cross join lateral (select o.hash, o.size from "ContentDocument" o where o.hash = x.hash offset 0) d
      cross join lateral (select * from "Space" o where o.id = x."spaceId" offset 0) s cross join lateral ${kindsAsRows()}
      left join lateral (select o.hash, o.version from "DerivedText" o where o.hash = d.hash and o.kind = k.kind and o.variant = k.variant offset 0) t on true
      where t.version is distinct from k.version`;

/** The first ones after a hash. */
const missingAfter = (
  texts: Sql,
  after: string,
  most: number,
): Sql => sql`select distinct d.hash, k.kind, k.variant, d.size
  from ${missingIn(texts)} and d.hash > ${after} order by d.hash, k.kind, k.variant limit ${most}::int`;

/** Cuts what is missing into batches of at least one, within {@link batchLimits}. */
function* batchesOf(missing: readonly Missing[]): Generator<readonly Missing[]> {
  let batch: Missing[] = [];
  let bytes = 0;
  for (const one of missing) {
    const fits = batch.length < batchLimits.texts && bytes + one.size <= batchLimits.bytes;
    if (!fits && batch.length > 0) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(one);
    bytes += one.size;
  }
  if (batch.length > 0) yield batch;
}

/** A kind with the texts that it indexes, by their hashes. */
type Task = readonly [IndexKind, ReadonlyMap<string, string>];

/** Texts that a thread reads together: their sections wait in memory. */
const readTogether = 32;

/**
 * The rows of texts, for each kind. All kinds take a text in turn, since they read the same sections. A thread reads
 * those of texts for which nobody waits.
 */
async function derive(tasks: readonly Task[], isBackground: boolean): Promise<ReadonlyMap<IndexKind, object[]>> {
  const parts = new Map(tasks.map(([kind]) => [kind, [] as object[]]));
  const texts = [...new Map(tasks.flatMap(([, of]) => [...of]))];
  for (const [index, [hash, markdown]] of texts.entries()) {
    if (isBackground && index % readTogether === 0)
      await readAhead(texts.slice(index, index + readTogether).map(([, text]) => text));
    for (const [kind, of] of tasks)
      if (of.has(hash)) for (const part of await kind.derive(markdown)) parts.get(kind)?.push({ ...part, hash });
    await turn(); // yields to other work of the process
  }
  return parts;
}

/**
 * `claims` selects `hash, kind, variant, version` sorted by these columns, so that writers lock in the same order.
 * `writer` is the id of the space in which the transaction writes, and which it has locked.
 */
async function partsFor(
  tasks: readonly Task[],
  { claims, writer = null }: { claims: Sql; writer?: string | null },
): Promise<Sql[]> {
  const parts = await derive(tasks, writer === null);
  const writing = tasks.flatMap(([kind]) => {
    const name = identifier(`parts of ${kind.name}`);
    return [
      sql`${name} as (select c.variant, p.* from claimed c
        join jsonb_to_recordset(${JSON.stringify(parts.get(kind))}::jsonb) p(hash text, ${kind.columns}) on p.hash = c.hash where c.kind = ${kind.name})`,
      kind.write(name),
    ];
  });
  return [
    sql`claimed as (insert into "DerivedText" (hash, kind, variant, version) ${claims}
      on conflict (hash, kind, variant) do nothing returning hash, kind, variant)`,
    sql`writer as (select s.id as "spaceId" from (select ${writer}::text) s(id) where s.id is not null)`,
    ...writing,
  ];
}

/** Runs parts of a WITH clause as one statement. */
export async function writeParts(transaction: Transaction, parts: readonly Sql[]): Promise<void> {
  if (parts.length > 0) await transaction.$executeRaw(sql`with ${joinSql(parts, ", ")} select 1`);
}

/** Removes the index of a kind over texts, and the record that they were indexed. */
export async function removeIndex(
  transaction: Transaction,
  { name, table, variant }: IndexKind,
  of: readonly Pick<Missing, "hash" | "variant">[],
): Promise<void> {
  if (of.length === 0) return;
  const texts = sql`unnest(${of.map(({ hash }) => hash)}::text[], ${of.map((one) => one.variant)}::text[]) u(hash, variant)`;
  const ofVariant = variant ? sql` and t.variant = u.variant` : emptySql;
  await transaction.$executeRaw(
    sql`delete from "DerivedText" t using ${texts} where t.hash = u.hash and t.kind = ${name} and t.variant = u.variant`,
  );
  await transaction.$executeRaw(
    sql`delete from ${identifier(table)} t using ${texts} where t.hash = u.hash${ofVariant}`,
  );
}

interface Ready extends Pick<Missing, "hash" | "kind" | "variant"> {
  readonly version: number;
  readonly markdown: string;
  /** Whether an older version of the kind has indexed it. */
  readonly isOld: boolean;
}

/** Indexes those of a batch that nobody has indexed meanwhile, and returns their number. */
async function indexBatch(transaction: Transaction, batch: readonly Missing[]): Promise<number> {
  const listOf = (of: (one: Missing) => string) => sql`${batch.map(of)}::text[]`;
  const versions = batch.map(({ kind }) => indexKinds.get(kind)?.version ?? 0);
  const ready = await transaction.$queryRaw<Ready[]>(
    sql`select d.hash, m.kind, m.variant, m.version, d.markdown, t.hash is not null as "isOld"
      from unnest(${listOf(({ hash }) => hash)}, ${listOf(({ kind }) => kind)}, ${listOf(({ variant }) => variant)}, ${versions}::int[]) m(hash, kind, variant, version)
      join "ContentDocument" d on d.hash = m.hash
      left join "DerivedText" t on t.hash = m.hash and t.kind = m.kind and t.variant = m.variant
      where t.version is distinct from m.version order by d.hash, m.kind, m.variant`,
  );
  if (ready.length === 0) return 0;
  const tasks: Task[] = [];
  for (const kind of indexKinds.values()) {
    const own = ready.filter((one) => one.kind === kind.name);
    const old = own.filter(({ isOld }) => isOld);
    tasks.push([kind, new Map(own.map((one) => [one.hash, one.markdown]))]);
    await removeIndex(transaction, kind, old);
  }
  const claims = sql`select * from unnest(${ready.map((one) => one.hash)}::text[], ${ready.map((one) => one.kind)}::text[],
    ${ready.map((one) => one.variant)}::text[], ${ready.map((one) => one.version)}::int[])`;
  await writeParts(transaction, await partsFor(tasks, { claims }));
  return ready.length;
}

/** The texts whose sections can be read at once: the rest waits if too much work of the tenant is waiting already. */
async function readableNow(texts: readonly (readonly [string, string])[]): Promise<ReadonlyMap<string, string>> {
  const readable = new Map<string, string>();
  for (const [hash, markdown] of texts) {
    try {
      await sectionsOf(markdown);
      readable.set(hash, markdown);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== "RATE_LIMITED") throw error;
    }
  }
  return readable;
}

/** Indexes texts within {@link writerLimits}; {@link indexMissing} does the rest. `isAll`: nothing is left. */
export async function partsOfIndexes(
  spaceId: string,
  documents: ReadonlyMap<string, string>,
): Promise<{ parts: readonly Sql[]; isAll: boolean }> {
  let bytes = 0;
  const first = [...documents].filter(([, markdown]) => {
    const size = Buffer.byteLength(markdown);
    const fits = bytes + size <= writerLimits.bytes;
    if (fits) bytes += size;
    return fits;
  });
  const texts = await readableNow(first.slice(0, writerLimits.texts));
  const isAll = texts.size === documents.size;
  if (indexKinds.size === 0 || texts.size === 0) return { parts: [], isAll };
  const claims = sql`select u.hash, k.kind, k.variant, k.version from unnest(${[...texts.keys()]}::text[]) u(hash)
    cross join "Space" s cross join lateral ${kindsAsRows()} where s.id = ${spaceId} order by u.hash collate "C", k.kind, k.variant`;
  const tasks = Array.from(indexKinds.values(), (kind) => [kind, texts] as const);
  return { parts: await partsFor(tasks, { claims, writer: spaceId }), isAll };
}

/** Indexes texts that a writer has stored for a space, in its transaction, like {@link partsOfIndexes}. */
export async function indexWritten(
  transaction: Transaction,
  spaceId: string,
  documents: ReadonlyMap<string, string>,
): Promise<void> {
  await writeParts(transaction, (await partsOfIndexes(spaceId, documents)).parts);
}

interface Places {
  readonly revisionIds: readonly string[];
  readonly spaceIds: readonly string[];
  readonly changeRequestIds?: readonly string[];
}

const textsOf = ({ revisionIds, spaceIds, changeRequestIds = [] }: Places): Sql =>
  sql`select r."spaceId", b.hash from "Revision" r
    left join lateral (select o."treeHash" from "Revision" o where o.id = r.parents[1] offset 0) f on true
    cross join lateral "pages_between"(f."treeHash", r."treeHash") b where r.id = any(${revisionIds}::text[]) and b.hash is not null
    union all select "spaceId", hash from "PresentPage" where "spaceId" = any(${spaceIds}::text[]) and hash is not null
    union all ${draftTexts(sql`cr.id = any(${changeRequestIds}::text[])`)}`;

/** The texts of open and draft change requests `cr` that the main content does not contain. */
export const draftTexts = (where: Sql): Sql => sql`select cr."spaceId", b.hash from "ChangeRequest" cr
  join "Revision" r on r.id = cr."revisionId" join "Space" s on s.id = cr."spaceId" join "Revision" m on m.id = s."revisionId"
  cross join lateral "pages_between"(m."treeHash", r."treeHash") b
  where ${where} and cr.status in ('draft', 'open') and r."treeHash" is distinct from m."treeHash" and b.hash is not null`;

/** Number of rows that one statement searches: the work of a batch does not grow with the database. */
const windowSize = { pages: 5000, changeRequests: 200 } as const;

/** The texts of current pages, by hash, and those that only open and draft change requests contain. */
async function* allTexts(database: Database): AsyncGenerator<Sql> {
  const pages = (after: string) =>
    sql`select hash as key from "PresentPage" where hash > ${after} order by hash limit ${windowSize.pages}::int`;
  for await (const { after, to } of windowsOf(database, pages))
    yield sql`select "spaceId", hash from "PresentPage" where hash > ${after} and hash <= ${to}`;
  const changeRequests = (after: string) =>
    sql`select id as key from "ChangeRequest" where id > ${after} order by id limit ${windowSize.changeRequests}::int`;
  for await (const { after, to } of windowsOf(database, changeRequests))
    yield draftTexts(sql`cr.id > ${after} and cr.id <= ${to}`);
}

/** Iterates over rows in the order of their keys: each window starts after one key and ends with another, included. */
async function* windowsOf(database: Database, rowsAfter: (key: string) => Sql) {
  for (let after = ""; ;) {
    const [last] = await database.query<{ to: string | null }>(sql`select max(key) as to from (${rowsAfter(after)}) x`);
    if (last?.to == null) return;
    yield { after, to: last.to };
    after = last.to;
  }
}

/** An advisory lock: background indexing runs once at a time across all gateways. */
export const indexingLock = sql`select pg_advisory_xact_lock(hashtextextended('derive from texts', 0))::text`;

type Trees = { readonly from: string | null; readonly to: string | null };

/** Indexes one batch of the unindexed texts that a writer restores from another tree. */
export async function indexRestored(transaction: Transaction, spaceId: string, { from, to }: Trees): Promise<void> {
  if (indexKinds.size === 0 || from === to) return;
  await transaction.$queryRaw(indexingLock);
  const texts = sql`select ${spaceId}::text, b.hash from "pages_between"(${from}, ${to}) b where b.hash is not null`;
  const missing = await transaction.$queryRaw<Missing[]>(missingAfter(texts, "", batchLimits.texts));
  for (const batch of batchesOf(missing)) return void (await indexBatch(transaction, batch)); // only the first
}

/** Indexes unindexed texts in `of` or everywhere, a transaction per batch. Counts each kind and variant. */
export async function indexMissing(
  database: Database,
  options: { of?: Places; onProgress?: (indexed: number) => void; signal?: AbortSignal } = {},
): Promise<number> {
  if (indexKinds.size === 0) return 0;
  let total = 0;
  for await (const texts of options.of ? [textsOf(options.of)] : allTexts(database))
    for await (const batch of missingBatches(database, texts)) {
      if (options.signal?.aborted) return total;
      const indexed = await database.prisma.$transaction(async (transaction) => {
        await transaction.$queryRaw(indexingLock);
        return indexBatch(transaction, batch);
      });
      total += indexed;
      if (indexed > 0) options.onProgress?.(total);
    }
  for (const { behind } of indexKinds.values()) if (behind && !options.signal?.aborted) await catchUp(database, behind);
  return total;
}

/** What is missing of these texts. Nearly always it is nothing, which one statement finds. */
async function* missingBatches(database: Database, texts: Sql): AsyncGenerator<readonly Missing[]> {
  for (let after: string | null = ""; after !== null;) {
    const missing: Missing[] = await database.query<Missing>(missingAfter(texts, after, mostFound));
    yield* batchesOf(missing);
    // The last hash may have more kinds and variants, so it is found again.
    after = missing.length < mostFound ? null : (missing.at(-1)?.hash ?? "").slice(0, -1);
  }
}

/** Updates the columns that a kind maintains in current pages, in batches, under the lock of the space's writers. */
async function catchUp(database: Database, { spaces, catchUp: some }: NonNullable<IndexKind["behind"]>): Promise<void> {
  for (const { id } of await database.query<{ id: string }>(spaces)) {
    for (let changed = 1; changed > 0;) {
      changed = await database.prisma.$transaction(async (transaction) => {
        await transaction.$queryRaw(sql`select id from "Space" where id = ${id} for no key update`);
        return transaction.$executeRaw(some(id));
      });
    }
  }
}

/** Rewrites current pages, then indexes all texts; the old index stays in use meanwhile. Returns the count of texts. */
export async function reindexTexts(
  database: Database,
  { name }: Pick<IndexKind, "name">,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<number> {
  const spaces = await database.query<{ id: string }>(sql`select id from "Space" order by id`);
  for (const { id } of spaces) await renewPresentPages(database, id);
  await database.query(sql`update "DerivedText" set version = 0 where kind = ${name}`);
  const [{ total } = { total: 0 }] = await database.query<{ total: number }>(
    sql`select count(distinct (hash, "spaceId"))::int as total from "PresentPage" where hash is not null`,
  );
  return indexMissing(database, { onProgress: (done) => onProgress(done, Math.max(done, total)) });
}

async function renewPresentPages(database: Database, spaceId: string): Promise<void> {
  await database.prisma.$transaction(async (transaction) => {
    const [space] = await transaction.$queryRaw<{ treeHash: string | null }[]>(
      sql`select r."treeHash" from "Space" s join "Revision" r on r.id = s."revisionId" where s.id = ${spaceId} for no key update of s`,
    );
    if (!space) return;
    await transaction.presentPage.deleteMany({ where: { spaceId } });
    await transaction.$executeRaw(sql`select move_present_pages(${spaceId}, null, ${space.treeHash})`);
  });
}
